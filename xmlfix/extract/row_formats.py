"""Rows of text as CSV, TSV, JSON or JSON Lines."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

FORMATS: Final = ("csv", "tsv", "json", "jsonl")
SHEETS: Final = ("csv", "tsv")  # what a spreadsheet opens

FORMULA_STARTS: Final = frozenset("=+-@＝＋－＠")  # a Japanese locale takes the wide ones too
PLAIN_NUMBER = re.compile(r"[+-]?[0-9][0-9., \u00a0\u202f']*([eE][+-]?[0-9]+)?%?").fullmatch


class RowWriter:
    """Writes rows in one format, piece by piece: `head`, any number of `rows`, `end`.

    CSV is that of RFC 4180: records end with CR LF, and a field that holds a comma, a quote or
    a line break is quoted. TSV is the same with tabs and LF, so that a value without tab and
    line break, and without a quote at its beginning, stands as it is. JSON is an array of
    objects, one a line; JSON Lines the objects alone.

    Args:
        form: one of `FORMATS`.
        names: of the columns, no two alike.
        guard: have `guarded` disarm what a spreadsheet would take for a formula (CSV and TSV).

    Raises:
        ValueError: another form, or two names alike.

    Source: RFC 4180 §2; IANA text/tab-separated-values; RFC 8259; jsonlines.org.

    >>> writer = RowWriter("csv", ["Event", "Actual"])
    >>> writer.head() + writer.rows([["Sales, retail", "0.4%"]]) + writer.end()
    'Event,Actual\\r\\n"Sales, retail",0.4%\\r\\n'
    """

    def __init__(self, form: str, names: Sequence[str], *, guard: bool = False) -> None:
        if form not in FORMATS:
            raise ValueError(f"form takes {' or '.join(map(repr, FORMATS))}, not {form!r}")
        if len(set(names)) < len(names):
            raise ValueError("two columns have the same name")
        self.form = form
        self.names = list(names)
        self.guard = guard and form in SHEETS
        self._line = {"csv": csv_line, "tsv": tsv_line}.get(form)
        self._begun = False

    def head(self) -> str:
        """What stands before the rows: the names in CSV and TSV."""
        if self._line is None:
            return "[" if self.form == "json" else ""
        return self._line(self._guarded(self.names))

    def rows(self, rows: Iterable[Sequence[str]]) -> str:
        """Some rows, each with as many values as there are names.

        Raises:
            ValueError: a row has more or fewer.
        """
        out = []
        for row in rows:
            if len(row) != len(self.names):
                raise ValueError(f"{len(row)} values for {len(self.names)} columns")
            if self._line is not None:
                out.append(self._line(self._guarded(row)))
                continue
            record = json.dumps(dict(zip(self.names, row, strict=True)), ensure_ascii=False)
            if self.form == "jsonl":
                out.append(f"{record}\n")
            else:
                out.append(f",\n {record}" if self._begun else f"\n {record}")
            self._begun = True
        return "".join(out)

    def end(self) -> str:
        """What stands after the rows."""
        if self.form != "json":
            return ""
        return "\n]\n" if self._begun else "]\n"

    def _guarded(self, row: Sequence[str]) -> Sequence[str]:
        return [guarded(value) for value in row] if self.guard else row


def written(
    form: str, names: Sequence[str], rows: Iterable[Sequence[str]], *, guard: bool = False
) -> str:
    """All rows in one format; see `RowWriter`.

    >>> written("jsonl", ["a", "b"], [["1", "é"]])
    '{"a": "1", "b": "é"}\\n'
    """
    writer = RowWriter(form, names, guard=guard)
    return writer.head() + writer.rows(rows) + writer.end()


def csv_line(row: Sequence[str]) -> str:
    """One record of CSV, CR LF included.

    >>> csv_line(['5" disk', "", "two\\nlines"])
    '"5"" disk",,"two\\nlines"\\r\\n'
    """
    out = io.StringIO()
    csv.writer(out).writerow(row)
    return out.getvalue()


def tsv_line(row: Sequence[str]) -> str:
    """One record of TSV, LF included.

    >>> tsv_line(['5" disk', "a\\tb"])
    '5" disk\\t"a\\tb"\\n'
    """
    return "\t".join([tsv_field(value) for value in row]) + "\n"


def tsv_field(value: str) -> str:
    """A value as a TSV field: quoted only where it could not be read back otherwise."""
    if value[:1] == '"' or any(char in value for char in "\t\r\n"):
        return '"' + value.replace('"', '""') + '"'
    return value


def guarded(value: str) -> str:
    """`value` with an apostrophe before it if a spreadsheet might take it for a formula.

    That is: its first character, after white space and what is not seen, is one of `= + - @`
    or their wide forms, and it is no plain number, such as -0.50, +3 or -1 000.00.

    Source: OWASP, CSV Injection.

    >>> guarded("=HYPERLINK(A1)"), guarded("-0.50"), guarded("-1+2"), guarded("a=b")
    ("'=HYPERLINK(A1)", '-0.50', "'-1+2", 'a=b')
    """
    for char in value:
        if char in FORMULA_STARTS:
            return value if PLAIN_NUMBER(value) else f"'{value}"
        if not char.isspace() and unicodedata.category(char) not in ("Cc", "Cf"):
            return value
    return value
