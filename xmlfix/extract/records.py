"""Records: what the columns' selectors find within each row, as text."""

from __future__ import annotations

from lxml import etree

from xmlfix.errors import InputError, OptionError, XmlfixError
from xmlfix.extract.cell_text import TextReader
from xmlfix.extract.columns import Column, read_columns, read_replace
from xmlfix.extract.conditions import casings, lowered
from xmlfix.extract.hidden import HiddenParts
from xmlfix.extract.query import check_text, element_of, is_xpath, select
from xmlfix.tree import is_html

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any, Final, Literal, TypeAlias, Unpack

    from xmlfix.options import Settings
    from xmlfix.tree import Element, ElementTree

    Columns: TypeAlias = (
        str
        | PathLike[str]
        | Mapping[str, Sequence[str]]  # a selector, or a selector and an attribute
        | Iterable[Column | tuple[str, str] | tuple[str, str, str]]
    )

ITSELF: Final = "."
XML: Final = "http://www.w3.org/XML/1998/namespace"


def records(
    source: str | bytes | PathLike[str] | Element | ElementTree,
    rows: str,
    columns: Columns,
    replace: Mapping[str, str] | str | PathLike[str] | None = None,
    *,
    namespaces: Mapping[str, str] | None = None,
    hidden: Literal["drop", "keep"] = "drop",
    **options: Unpack[Settings],
) -> list[dict[str, str]]:
    """Turn a page into records.

    A cell is the text of the first thing that the column's selector finds within the row, its
    white space folded, or the value of that element's attribute, as it is. Where nothing is
    found, or the attribute is absent, the cell is "".

    Args:
        source: the markup, a path-like to take it from, or an lxml element or tree.
        rows: the selector of the rows: CSS, or XPath if it begins with `/`, `./` or `(`.
        columns: the path of a columns file; or a mapping of names to selectors, or to pairs
            of selector and attribute; or `Column`s, or tuples of the same form.
        replace: which values, as whole ones, become which; or the path of a replace file.
        namespaces: prefixes for the selectors, beside those that the page declares.
        hidden: "drop": leave out what the attribute `hidden` or `display: none` hides: rows,
            those of hidden row groups and tables, and parts of cells; "keep": do not.
        **options: of `xmlfix.fix`, for markup.

    Returns:
        A dict for each row, in document order, with a value for each column.

    Raises:
        OSError: a file cannot be read.
        InputError: a columns or replace file is not one; a column's selector is not one; the
            rows are not elements.
        XmlfixError: `rows` is no selector.
        OptionError: as `xmlfix.fix`; options for what is a tree already; `hidden` is something
            else.
        TypeError: an argument is none of these.

    >>> html = "<table><tr><td>Tea<td><a href=/tea>3.20</a><tr><td>Milk</table>"
    >>> records(html, "tr", {"Item": "td", "Price": "td + td", "Link": ("a", "href")})[0]
    {'Item': 'Tea', 'Price': '3.20', 'Link': '/tea'}
    """
    if hidden not in ("drop", "keep"):
        raise OptionError(f"hidden takes 'drop' or 'keep', not {hidden!r}")
    check_text(rows, "a selector of rows")
    reader = RecordReader(rows, as_columns(columns), as_replace(replace), namespaces, hidden)
    root = element_of(source, options)
    return [dict(zip(reader.names, row, strict=True)) for row in reader.read(root)]


def as_columns(columns: Columns) -> list[Column]:
    """`Column`s of all that `records` takes for them.

    Raises:
        OSError, InputError: see `xmlfix.extract.columns.read_columns`.
        InputError: two columns have the same name.
        TypeError: it is none of these.
    """
    from collections.abc import Iterable, Mapping
    from os import PathLike

    if isinstance(columns, (str, PathLike)):
        return read_columns(columns)
    if isinstance(columns, Mapping):
        columns = [
            (name, *(found if _is_row(found) else (found,))) for name, found in columns.items()
        ]
    elif isinstance(columns, bytes) or not isinstance(columns, Iterable):
        raise TypeError(
            "columns are a path, a mapping of names to selectors, or a list of"
            f" (name, selector), not {type(columns).__name__}"
        )
    made = [_column(each) for each in columns]
    names = [column.name for column in made]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two columns {name!r}")
    return made


def _is_row(value: object) -> bool:
    return isinstance(value, (tuple, list))


def _column(given: Any) -> Column:
    """The `Column` of one, or of a tuple of the same form.

    Raises:
        TypeError: it is neither.
    """
    is_one = _is_row(given) and 2 <= len(given) <= len(Column._fields)
    if not is_one or not all(isinstance(value, str) for value in given):
        raise TypeError(
            f"a column is (name, selector) or (name, selector, attribute), all str, not {given!r}"
        )
    return Column(*given)


def as_replace(replace: Mapping[str, str] | str | PathLike[str] | None) -> Mapping[str, str]:
    """The replacements of all that `records` takes for them."""
    from collections.abc import Mapping
    from os import PathLike

    if replace is None:
        return {}
    if isinstance(replace, Mapping):
        return replace
    if isinstance(replace, (str, PathLike)):
        return read_replace(replace)
    raise TypeError(f"replace is a path or a mapping of str to str, not {type(replace).__name__}")


class RecordReader:
    """Reads rows of cells from trees.

    Args:
        rows: the selector of the rows.
        columns: of the records.
        replace: which values become which.
        namespaces: prefixes for the selectors.
        hidden: "drop" or "keep", see `records`.

    Attributes:
        names: of the columns.
    """

    def __init__(
        self,
        rows: str,
        columns: Sequence[Column],
        replace: Mapping[str, str],
        namespaces: Mapping[str, str] | None = None,
        hidden: str = "drop",
    ) -> None:
        self.names = [column.name for column in columns]
        self._rows = rows
        self._columns = columns
        self._replace = replace
        self._namespaces = namespaces
        self._hidden = hidden

    def read(self, root: Element) -> Iterator[list[str]]:
        """The cells of each row below `root`.

        Raises:
            InputError: a column's selector is not one, or the rows are not elements.
            XmlfixError: the rows' selector is not one.
        """
        rows = elements(root, self._rows, self._namespaces)
        texts = TextReader(hidden=self._hidden)
        parts = HiddenParts()
        if not rows:
            for column in self._columns:  # a mistake in them must not depend on the page
                self._cell(root, column, texts)
        for row in rows:
            if self._hidden == "drop" and parts.has(row):
                continue
            cells = [self._cell(row, column, texts) for column in self._columns]
            yield [self._replace.get(cell, cell) for cell in cells]

    def _cell(self, row: Element, column: Column, texts: TextReader) -> str:
        where = column.place or f"column {column.name!r}"
        try:
            items = within(row, column.selector, self._namespaces)
        except XmlfixError as error:
            raise InputError(f"{where}: {error}") from None
        if not items:
            return ""
        found = items[0]
        if not column.data:
            return text(found, texts)
        if isinstance(found, str):
            raise InputError(
                f"{where}: Data {column.data!r} needs a Selector that finds elements,"
                f" {column.selector!r} finds text"
            )
        return attribute(found, column.data) or ""


def elements(
    root: Element, selector: str, namespaces: Mapping[str, str] | None = None
) -> list[Element]:
    """What a selector finds that must find elements.

    Raises:
        InputError: it finds something else.
        XmlfixError: it is no selector.
    """
    found = []
    for item in select(root, selector, namespaces):
        if not isinstance(item, etree._Element) or not isinstance(item.tag, str):
            raise InputError(f"rows must be elements, {selector!r} finds something else")
        found.append(item)
    return found


def within(
    row: Element, selector: str, namespaces: Mapping[str, str] | None = None
) -> list[Element | str]:
    """What a selector finds within an element: by CSS not the element itself, which is `.`.

    Raises:
        XmlfixError: it is no selector.

    >>> row = etree.fromstring("<div><div>a</div></div>")
    >>> [element.text for element in within(row, "div")], within(row, ".") == [row]
    (['a'], True)
    """
    if selector == ITSELF:
        return [row]
    items = select(row, selector, namespaces)
    if items and items[0] is row and not is_xpath(selector):
        del items[0]  # the first in document order
    return items


# ── cells ────────────────────────────────────────────────────────────────────


def attribute(element: Element, name: str) -> str | None:
    """The value of an attribute, None if it is absent; a prefix is one that the page declares.

    In an HTML document the case of the name does not matter.

    >>> attribute(etree.fromstring("<a href='/b' xml:lang='en'/>"), "xml:lang")
    'en'
    """
    prefix, _, local = name.rpartition(":")
    namespace = XML if prefix == "xml" else element.nsmap.get(prefix) if prefix else None
    head = f"{{{namespace}}}" if namespace is not None else f"{prefix}:" if prefix else ""
    try:
        found = element.get(head + local)
        if found is None and name != lowered(name) and is_html(element):
            values = [element.get(head + each) for each in casings(local, html=True)]
            found = next((value for value in values if value is not None), None)
    except ValueError:  # a name with a character that no XML holds
        return None
    return found


def text(found: Element | str, cells: TextReader | None = None) -> str:
    """What a selector has found, as the text of a cell.

    White space is folded to single spaces, non-breaking space included. What stands on lines
    of its own in a browser is kept apart; scripts, styles and templates below an element are
    left out, comments are too.

    Args:
        found: an element or a string.
        cells: reads the text of elements; one that serves many of them reads the tables that
            several hold only once.

    >>> text(etree.fromstring("<td> 1<br/>2<p>a<b>b</b></p>c<script>x</script></td>"))
    '1 2 ab c'
    """
    if not isinstance(found, str):
        if isinstance(found.tag, str):
            found = (cells or TextReader()).read(found)
        else:  # a comment or an instruction
            found = found.text or ""
    return " ".join(found.split())
