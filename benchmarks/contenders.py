"""Who is measured: each contender's way from a page to XML text and to an lxml tree.

A contender is loaded only when it is used, so that the memory of one is not the memory of
all. `load` imports the package and raises `Absent` or ImportError where it is not here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from benchmarks import peers
from benchmarks.pages import Page
from benchmarks.ways import Absent, Ways

REFERENCE: Final = "lxml.html"  # ratios are to this one
SUBJECT: Final = "xmlfix cold"  # and this one is compared with each peer

Kind = Literal["C", "Python", "process"]


@dataclass(frozen=True)
class Contender:
    """A way of doing the job.

    Args:
        name: as it stands in the tables.
        kind: what does the work: C, Python, or a process that is started for each page.
        load: imports what is needed and returns the ways.
        slow: is given a subset of the pages only.
        note: what a reader of the table must know.
    """

    name: str
    kind: Kind
    load: Callable[[], Ways]
    slow: bool = False
    note: str = ""


@dataclass
class Entrant:
    """A contender that has been loaded, or the reason why it was not."""

    contender: Contender
    ways: Ways | None
    absent: str = ""
    pages: list[Page] = field(default_factory=list)  # which it is given

    @property
    def name(self) -> str:
        return self.contender.name


def enter(contender: Contender) -> Entrant:
    """Load a contender; one that cannot be loaded is listed with the reason."""
    try:
        return Entrant(contender, contender.load())
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError)
        return Entrant(contender, None, "not installed" if missing else str(error))
    except Absent as reason:
        return Entrant(contender, None, str(reason))


# ── xmlfix ───────────────────────────────────────────────────────────────────


def memo_clearer() -> Callable[[], None] | None:
    """What empties the tag memo, or None where this version of xmlfix has none."""
    try:
        from xmlfix.read import lane  # type: ignore[attr-defined, unused-ignore]
    except ImportError:
        return None
    forget: Callable[[], None] | None = getattr(lane, "forget", None)
    return forget


def own(memo: Literal["cold", "kept", "warm"], **options: Any) -> Ways:
    """xmlfix itself, with its tag memo in one of three conditions."""
    import xmlfix

    forget = memo_clearer()
    if forget is None and memo != "cold":
        raise Absent("this version has no tag memo: the same as xmlfix cold")

    def to_xml(page: Page) -> str:
        return xmlfix.fix(page.text, **options)

    def to_tree(page: Page) -> object:
        return xmlfix.parse(page.text, **options)

    def before_turn(pages: list[Page]) -> None:
        if forget is not None:
            forget()
        if memo == "warm":
            for page in pages:
                to_xml(page)

    return Ways(
        xmlfix.__version__,
        to_xml,
        to_tree,
        before_turn=before_turn,
        before_page=forget if memo == "cold" else None,
    )


CONTENDERS: Final = [
    Contender(SUBJECT, "Python", lambda: own("cold"), note="memo cleared before each document"),
    Contender(
        "xmlfix kept",
        "Python",
        lambda: own("kept"),
        note="memo cleared once, then kept from document to document",
    ),
    Contender(
        "xmlfix warm", "Python", lambda: own("warm"), note="memo has seen these very pages before"
    ),
    Contender(
        "xmlfix stack",
        "Python",
        lambda: own("cold", repair="stack"),
        note='repair="stack", memo as in xmlfix cold',
    ),
    Contender(REFERENCE, "C", peers.lxml_html, note="document_fromstring, tostring(method='xml')"),
    Contender(
        "turbohtml", "C", peers.turbohtml, note="inner_xml of the document; etree.to_lxml for trees"
    ),
    Contender("html5-parser", "C", peers.html5_parser, note="lxml tree, tostring"),
    Contender(
        "selectolax", "C", peers.selectolax, note="lexbor; HTML text only, no XML and no lxml tree"
    ),
    Contender("tidy library", "C", peers.tidy_library, note="libtidy in this process"),
    Contender(
        "tidy command",
        "process",
        peers.tidy_command,
        slow=True,
        note="a new process for each page, by the clock on the wall: not comparable",
    ),
    Contender("justhtml", "Python", peers.justhtml, slow=True, note="HTML text only, no XML"),
    Contender("html5lib lxml", "Python", peers.html5lib_lxml, slow=True, note="treebuilder lxml"),
    Contender(
        "html5lib etree", "Python", peers.html5lib_etree, slow=True, note="treebuilder etree"
    ),
    Contender(
        "BeautifulSoup lxml",
        "Python",
        lambda: peers.beautiful_soup("lxml"),
        slow=True,
        note="its text is HTML with empty elements closed; lxml.html.soupparser for trees",
    ),
    Contender(
        "BeautifulSoup html.parser",
        "Python",
        lambda: peers.beautiful_soup("html.parser"),
        slow=True,
        note="its text is HTML with empty elements closed; lxml.html.soupparser for trees",
    ),
]

BY_NAME: Final = {contender.name: contender for contender in CONTENDERS}
