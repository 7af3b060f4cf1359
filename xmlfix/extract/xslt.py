"""XSLT 1.0 without the powers that a stylesheet has by default.

A stylesheet reads no file (`document()`, `xsl:import`, `xsl:include`, external entities),
writes none (`exsl:document` and the like) and reaches no network; EXSLT's regular
expressions, which can take exponential time, are off. Denying access is not enough, since
libxslt lets `xsl:import` of local files pass: all loading also meets a resolver that
refuses.
"""

from __future__ import annotations

import os
import re

from lxml import etree

from xmlfix.extract.query import element_of, text_of
from xmlfix.extract.query_error import QueryError
from xmlfix.tree import safe_parser
from xmlfix.write.names import is_ncname

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any, Final

    from xmlfix.extract.query import Source

XSL: Final = "http://www.w3.org/1999/XSL/Transform"
# the elements of XSLT 1.0, and xsl:document of 1.1, which libxslt has
INSTRUCTIONS: Final = frozenset(
    "apply-imports apply-templates attribute attribute-set call-template choose comment copy"
    " copy-of decimal-format document element fallback for-each if import include key message"
    " namespace-alias number otherwise output param preserve-space processing-instruction sort"
    " strip-space stylesheet template text transform value-of variable when with-param".split()
)
WIDE: Final = ("utf-16", "utf16", "utf-32", "utf32", "ucs", "iso-10646-ucs")
COMPILATION: Final = "compilation error"  # likewise, before the message about it
UNRESOLVED: Final = "Cannot resolve URI"
RUNTIME: Final = "runtime error"  # begins the log entry that tells the place
FUNCTION: Final = re.compile(r"xslt[A-Z]\w*\s*: ")  # of libxslt, before its message


class Refusing(etree.Resolver):
    """Refuses to load anything, or anything but local files.

    Args:
        files: whether local files may be read.
    """

    def __init__(self, *, files: bool) -> None:
        super().__init__()
        self.files = files

    def resolve(self, system_url: str, public_id: str, context: object) -> None:  # type: ignore[override]
        """Let lxml go on (None), or raise."""
        local = "://" not in system_url or system_url.startswith("file:///")
        if not self.files:
            raise QueryError(f"the stylesheet may not read {system_url}")
        if not local:
            raise QueryError(f"the stylesheet may only read files, not {system_url}")


def stylesheet(
    source: str | bytes | PathLike[str], *, read_files: bool = False, name: str = ""
) -> etree.XSLT:
    """A stylesheet that can do no harm, ready to be called with a tree.

    Args:
        source: the stylesheet as str or bytes, or a path-like to take it from.
        read_files: let it read local files by `document()`, `xsl:import` and
            `xsl:include`; never by entities, and never from the network.
        name: the file against which its references are resolved; without it, one in the
            current folder.

    Returns:
        The transformation. Its calls have no time limit, see `xslt`.

    Raises:
        QueryError: it is not well-formed, not a stylesheet, or loads what it may not.
        OSError: the file cannot be read.

    Source: XSLT 1.0; https://lxml.de/resolvers.html (access control).
    """
    if not isinstance(source, (str, bytes, os.PathLike)):
        kind = type(source).__name__
        raise TypeError(f"a stylesheet is a str, bytes or a path-like, not {kind}")
    if isinstance(source, os.PathLike):
        name = name or os.fspath(source)
        with open(source, "rb") as file:
            source = file.read()
    parser = etree.XMLParser(
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        resolve_entities="internal",
        encoding="utf-8" if isinstance(source, str) else None,
    )
    parser.resolvers.add(Refusing(files=read_files))
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    try:
        place = os.path.abspath(name or "stylesheet")
    except OSError:  # the current folder is gone
        place = name or "stylesheet"
    try:
        root = etree.fromstring(source, parser, base_url=place)
        check_stylesheet(root)
        return etree.XSLT(
            root,
            regexp=False,
            access_control=etree.XSLTAccessControl(
                read_file=read_files,
                write_file=False,
                create_dir=False,
                read_network=False,
                write_network=False,
            ),
        )
    except etree.XMLSyntaxError as error:
        raise QueryError(f"the stylesheet is not well-formed XML: {error.msg}") from None
    except etree.XSLTError as error:
        raise QueryError(f"the stylesheet cannot be used: {wrong(error)}") from None


def check_stylesheet(root: etree._Element) -> None:
    """Raise QueryError for what libxslt passes over, and an output that nobody can read.

    Source: XSLT 1.0 §2.2 (data), §2.5 (unknown elements), §16.1 (encoding).
    """
    waiting = [root]
    while waiting:
        element = waiting.pop()
        name = etree.QName(element)
        is_ours = name.namespace == XSL
        is_whole = is_ours and name.localname in ("stylesheet", "transform")
        version = element.get("version" if is_whole else f"{{{XSL}}}version", "1.0")
        if version != "1.0":
            continue  # forwards-compatible
        is_known = not is_ours or name.localname in INSTRUCTIONS
        if not is_known and element.find(f"{{{XSL}}}fallback") is None:
            raise QueryError(f"line {element.sourceline}: XSLT 1.0 has no xsl:{name.localname}")
        # at the top level other elements are data
        children = element.iterchildren(f"{{{XSL}}}*" if is_whole else "*")
        waiting.extend(reversed(list(children)))
    for output in root.iter(f"{{{XSL}}}output"):
        encoding = output.get("encoding", "utf-8")
        try:
            if encoding.lower() in ("", "unicode"):  # which mean something to lxml
                raise LookupError
            etree.tostring(root, encoding=encoding)
        except LookupError:
            raise QueryError(
                f"line {output.sourceline}: no encoding that can be written: {encoding}"
            ) from None


def wrong(error: etree.XSLTError) -> str:
    """What is wrong with a stylesheet, in one line, with its place if libxslt tells it."""
    message = str(error)
    entries = list(error.error_log)
    for before, entry in zip(entries[-2::-1], entries[:0:-1], strict=True):
        if entry.message == message and before.message.startswith(COMPILATION):
            return f"line {before.line}: {one_line(message)}"
    return unresolved(message, entries) or one_line(message)


def unresolved(message: str, entries: Sequence[etree._LogEntry]) -> str:
    """What is wrong with another file that a stylesheet reads; "" if nothing is known."""
    if message.startswith(UNRESOLVED):
        for entry in reversed(entries):
            if message.endswith(f" {entry.filename}"):
                return f"{entry.filename}:{entry.line}: {one_line(entry.message)}"
    return ""


def xslt(
    tree: Source,
    source: str | bytes | PathLike[str] | etree.XSLT,
    parameters: Mapping[str, str | float | bool] | None = None,
    *,
    read_files: bool = False,
) -> etree._XSLTResultTree:
    """Transform a page with an XSLT 1.0 stylesheet that can read and write nothing else.

    Nothing limits the time that it takes: lxml cannot be interrupted from within its
    process. Run stylesheets that others wrote in a process that you can end, or by the
    command, which has `--timeout-query`.

    Args:
        tree: an element or a tree; or markup, or a path-like or reader to take it from.
        source: the stylesheet as str or bytes, a path-like to take it from, or what
            `stylesheet` has returned.
        parameters: values of its `xsl:param`, as they are (no XPath). A name in a
            namespace is written `{address}name`.
        read_files: as for `stylesheet`.

    Returns:
        lxml's result: a tree, and with `str()` and `output_of` what `xsl:output` asks for.

    Raises:
        QueryError: the stylesheet cannot be used, does what it may not, or ends itself
            (`terminate="yes"`).
        OSError: it cannot be read.
        TypeError: an argument is none of these.

    Source: XSLT 1.0.

    >>> import xmlfix
    >>> titles = '''<t xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    ...     ><xsl:value-of select="//h1"/></t>'''
    >>> xslt(xmlfix.fromstring("<h1>News"), titles).getroot().text
    'News'
    """
    transform = source
    if not isinstance(transform, etree.XSLT):
        transform = stylesheet(transform, read_files=read_files)
    for name in parameters or {}:
        if not is_ncname(name.rpartition("}")[2]) or name == "profile_run":  # lxml's own
            raise QueryError(f"no name of a parameter: {name}")
    try:
        values: dict[str, Any] = {
            name: parameter(value) for name, value in (parameters or {}).items()
        }
        node = element_of(tree)
        return transform(node if node.getparent() is not None else node.getroottree(), **values)
    except QueryError:
        raise
    except ValueError:
        raise QueryError("a parameter has a character that no XML holds") from None
    except etree.XSLTError as error:
        raise QueryError(f"the stylesheet failed: {told(error, transform)}") from None


def is_wide(source: bytes) -> bool:
    """Whether a stylesheet asks for an encoding in which a line break is not one byte."""
    outputs = etree.fromstring(source, safe_parser()).iter(f"{{{XSL}}}output")
    encodings = [output.get("encoding", "").lower() for output in outputs]
    return any(encoding.startswith(WIDE) for encoding in encodings)


def output_of(result: etree._XSLTResultTree) -> bytes:
    """What a transformation gives, in the form and encoding that `xsl:output` asks for."""
    return bytes(result)  # type: ignore[call-overload,no-any-return]  # it is a buffer


def parameter(value: str | float | bool) -> Any:
    """A parameter's value in lxml's form."""
    if isinstance(value, bool):
        return f"{str(value).lower()}()"
    if isinstance(value, str):
        return etree.XSLT.strparam(value)
    return text_of(value)


def told(error: etree.XSLTError, transform: etree.XSLT) -> str:
    """What went wrong, in one line: libxslt's first complaint says most."""
    entries = list(transform.error_log)
    for place, entry in enumerate(entries[:-1]):
        if entry.message.startswith(RUNTIME):
            message = entries[place + 1].message
            if message.startswith("XPath evaluation") and place:
                message = entries[place - 1].message
            return f"line {entry.line}: {one_line(message)}"
    return unresolved(str(error), entries) or one_line(str(error))


def messages(transform: etree.XSLT) -> list[str]:
    """What the stylesheet said by `xsl:message` when it was last run."""
    return [entry.message.strip() for entry in transform.error_log]


def one_line(message: str) -> str:
    """The first line of a message of libxslt, without its function's name."""
    return FUNCTION.sub("", message.partition("\n")[0])
