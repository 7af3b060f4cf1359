"""The rules of the insertion modes around the body: head, template, frameset, text, the ends.

Source: WHATWG #the-initial-insertion-mode and after, #parsing-main-inhead,
#parsing-main-intemplate, #parsing-main-incdata, #parsing-main-afterbody,
#parsing-main-inframeset and after.
"""

from __future__ import annotations

from xmlfix.elements import CELLS, IMPLIED_END_THOROUGHLY, METADATA, RAW_TEXT, SECTIONS, VOID
from xmlfix.read.tokens import Tag
from xmlfix.repair.body import (
    commentInBody,
    endTemplateToInHead,
    startHtmlInBody,
    startRawText,
    textInBody,
    toInHead,
)
from xmlfix.repair.elements import IMPLIED_TAGS, NO_SLOT
from xmlfix.repair.modes import (
    AFTER_AFTER_BODY,
    AFTER_AFTER_FRAMESET,
    AFTER_BODY,
    AFTER_FRAMESET,
    AFTER_HEAD,
    BEFORE_HEAD,
    BEFORE_HTML,
    IN_BODY,
    IN_COLUMN_GROUP,
    IN_FRAMESET,
    IN_HEAD,
    IN_HEAD_NOSCRIPT,
    IN_ROW,
    IN_TABLE,
    IN_TABLE_BODY,
    IN_TEMPLATE,
    INITIAL,
    TEXT,
)
from xmlfix.repair.vocabulary import SPACE
from xmlfix.write.tape import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.repair.modes import Mode

HTML_TAG = IMPLIED_TAGS["html"]
HEAD_TAG = IMPLIED_TAGS["head"]
BODY_TAG = IMPLIED_TAGS["body"]


def ignoreStartHere(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A start tag that is not allowed in this mode."""
    return b.ignore_start(tag)


def ignoreEndHere(b: BrowserRepair, name: str) -> Mode | None:
    """An end tag that means nothing in this mode."""
    return b.ignore_end(name)


def stopHere(b: BrowserRepair) -> Mode | None:
    """Stop parsing."""
    return None


def insertLeadingSpace(b: BrowserRepair, data: str) -> bool:
    """Insert the white space that `data` begins with; True if `b.rest` has more."""
    count = len(data) - len(data.lstrip(SPACE))
    if count:
        b.insert_text(data[:count])
    b.use_text(data, count)
    return bool(b.rest)


def dropLeadingSpace(b: BrowserRepair, data: str) -> bool:
    """Ignore the white space that `data` begins with; True if `b.rest` has more."""
    b.use_text(data, len(data) - len(data.lstrip(SPACE)))
    return bool(b.rest)


# ── initial, before html, before head ────────────────────────────────────────


def leaveInitial(b: BrowserRepair) -> Mode:
    """Anything but a DOCTYPE: quirks."""
    b.quirks = True
    b.mode = BEFORE_HTML
    return BEFORE_HTML


def commentOutside(b: BrowserRepair, chunk: str) -> Mode | None:
    """A comment as a child of the document, before the html element."""
    b.tape.append(chunk)
    return None


def leaveBeforeHtml(b: BrowserRepair) -> Mode:
    b.insert_html(HTML_TAG)
    b.mode = BEFORE_HEAD
    return BEFORE_HEAD


def startHtmlBeforeHtml(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.insert_html(tag)
    b.mode = BEFORE_HEAD
    return None


def leaveBeforeHead(b: BrowserRepair) -> Mode:
    b.head = b.insert(HEAD_TAG)
    b.mode = IN_HEAD
    return IN_HEAD


def startHeadBeforeHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.head = b.insert(tag)
    b.mode = IN_HEAD
    return None


INITIAL.text = lambda b, data: leaveInitial(b) if dropLeadingSpace(b, data) else None
INITIAL.comment = commentOutside
INITIAL.eof = leaveInitial
INITIAL.otherwise(lambda b, tag: leaveInitial(b), lambda b, name: leaveInitial(b))

BEFORE_HTML.text = lambda b, data: leaveBeforeHtml(b) if dropLeadingSpace(b, data) else None
BEFORE_HTML.comment = commentOutside
BEFORE_HTML.eof = leaveBeforeHtml
BEFORE_HTML.otherwise(lambda b, tag: leaveBeforeHtml(b), ignoreEndHere)
BEFORE_HTML.starts(startHtmlBeforeHtml, "html")
BEFORE_HTML.ends(lambda b, name: leaveBeforeHtml(b), "head body html br")

BEFORE_HEAD.text = lambda b, data: leaveBeforeHead(b) if dropLeadingSpace(b, data) else None
BEFORE_HEAD.comment = commentInBody
BEFORE_HEAD.eof = leaveBeforeHead
BEFORE_HEAD.otherwise(lambda b, tag: leaveBeforeHead(b), ignoreEndHere)
BEFORE_HEAD.starts(startHtmlInBody, "html")
BEFORE_HEAD.starts(startHeadBeforeHead, "head")
BEFORE_HEAD.ends(lambda b, name: leaveBeforeHead(b), "head body html br")


# ── in head, in head noscript ────────────────────────────────────────────────


def leaveInHead(b: BrowserRepair) -> Mode:
    """The head ends; late head elements will go to a slot before its end tag."""
    head = b.stack[-1]
    b.head_slot_at = len(head.home)
    head.box = slot(head.home)
    b.pop()
    b.mode = AFTER_HEAD
    return AFTER_HEAD


def endHeadInHead(b: BrowserRepair, name: str) -> Mode | None:
    leaveInHead(b)
    return None


def startEmptyInHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    """base, basefont, bgsound, link."""
    b.insert_empty(tag)
    return None


def startMetaInHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    """meta, which may change the encoding."""
    b.insert_empty(tag)
    if b.on_meta is not None:
        b.on_meta(tag)
    return None


def startNoscriptInHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    if b.options.scripting:
        return startRawText(b, tag)
    b.insert(tag)
    b.mode = IN_HEAD_NOSCRIPT
    return None


def startTemplateInHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.insert(tag)
    b.push_marker()
    b.frameset_ok = False
    b.mode = IN_TEMPLATE
    b.template_modes.append(IN_TEMPLATE)
    return None


def endTemplateInHead(b: BrowserRepair, name: str) -> Mode | None:
    if not b.open_templates:
        return b.ignore_end(name)
    b.generate_implied_end_tags(names=IMPLIED_END_THOROUGHLY)
    b.pop_until("template")
    b.clear_to_marker()
    b.template_modes.pop()
    b.reset_mode()
    return None


IN_HEAD.text = lambda b, data: leaveInHead(b) if insertLeadingSpace(b, data) else None
IN_HEAD.comment = commentInBody
IN_HEAD.eof = leaveInHead
IN_HEAD.otherwise(lambda b, tag: leaveInHead(b), ignoreEndHere)
IN_HEAD.starts(startHtmlInBody, "html")
IN_HEAD.starts(startEmptyInHead, METADATA & VOID - {"meta"})
IN_HEAD.starts(startMetaInHead, "meta")
IN_HEAD.starts(startRawText, METADATA & RAW_TEXT)
IN_HEAD.starts(startNoscriptInHead, "noscript")
IN_HEAD.starts(startTemplateInHead, "template")
IN_HEAD.starts(ignoreStartHere, "head")
IN_HEAD.ends(endHeadInHead, "head")
IN_HEAD.ends(lambda b, name: leaveInHead(b), "body html br")
IN_HEAD.ends(endTemplateInHead, "template")


def leaveInHeadNoscript(b: BrowserRepair) -> Mode:
    b.pop_unclosed()
    b.mode = IN_HEAD
    return IN_HEAD


def endNoscriptInHeadNoscript(b: BrowserRepair, name: str) -> Mode | None:
    b.pop()
    b.mode = IN_HEAD
    return None


IN_HEAD_NOSCRIPT.text = lambda b, data: (
    leaveInHeadNoscript(b) if insertLeadingSpace(b, data) else None
)
IN_HEAD_NOSCRIPT.comment = commentInBody
IN_HEAD_NOSCRIPT.eof = leaveInHeadNoscript
IN_HEAD_NOSCRIPT.otherwise(lambda b, tag: leaveInHeadNoscript(b), ignoreEndHere)
IN_HEAD_NOSCRIPT.starts(startHtmlInBody, "html")
IN_HEAD_NOSCRIPT.starts(toInHead, "basefont bgsound link meta noframes style")
IN_HEAD_NOSCRIPT.starts(ignoreStartHere, "head noscript")
IN_HEAD_NOSCRIPT.ends(endNoscriptInHeadNoscript, "noscript")
IN_HEAD_NOSCRIPT.ends(lambda b, name: leaveInHeadNoscript(b), "br")


# ── after head ───────────────────────────────────────────────────────────────


def leaveAfterHead(b: BrowserRepair) -> Mode:
    b.insert(BODY_TAG)
    b.mode = IN_BODY
    return IN_BODY


def startBodyAfterHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.insert(tag)
    b.frameset_ok = False
    b.mode = IN_BODY
    return None


def startFramesetAfterHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.insert(tag)
    b.head_slot_at = NO_SLOT
    b.mode = IN_FRAMESET
    return None


def startHeadElementAfterHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    """base, link, script and their kin go into the head that has ended."""
    b.say("xmlfix-misplaced-head-element", tag.name)
    head = b.head
    assert head is not None  # "The head element pointer cannot be null at this point."
    b.stack.append(head)
    IN_HEAD.start[tag.name](b, tag)
    b.stack.remove(head)
    return None


AFTER_HEAD.text = lambda b, data: leaveAfterHead(b) if insertLeadingSpace(b, data) else None
AFTER_HEAD.comment = commentInBody
AFTER_HEAD.eof = leaveAfterHead
AFTER_HEAD.otherwise(lambda b, tag: leaveAfterHead(b), ignoreEndHere)
AFTER_HEAD.starts(startHtmlInBody, "html")
AFTER_HEAD.starts(startBodyAfterHead, "body")
AFTER_HEAD.starts(startFramesetAfterHead, "frameset")
AFTER_HEAD.starts(startHeadElementAfterHead, METADATA)
AFTER_HEAD.starts(ignoreStartHere, "head")
AFTER_HEAD.ends(endTemplateToInHead, "template")
AFTER_HEAD.ends(lambda b, name: leaveAfterHead(b), "body html br")


# ── in template ──────────────────────────────────────────────────────────────


def continueTemplate(b: BrowserRepair, mode: Mode) -> Mode:
    """What the template holds decides by which mode it is read."""
    b.template_modes[-1] = b.mode = mode
    return mode


def eofInTemplate(b: BrowserRepair) -> Mode | None:
    if not b.open_templates:
        return None
    b.pop_until("template", has_end_tag=False)
    b.clear_to_marker()
    b.template_modes.pop()
    b.reset_mode()
    return b.mode


IN_TEMPLATE.text = textInBody
IN_TEMPLATE.comment = commentInBody
IN_TEMPLATE.eof = eofInTemplate
IN_TEMPLATE.otherwise(lambda b, tag: continueTemplate(b, IN_BODY), ignoreEndHere)
IN_TEMPLATE.starts(toInHead, METADATA)
IN_TEMPLATE.starts(lambda b, tag: continueTemplate(b, IN_TABLE), SECTIONS | {"caption", "colgroup"})
IN_TEMPLATE.starts(lambda b, tag: continueTemplate(b, IN_COLUMN_GROUP), "col")
IN_TEMPLATE.starts(lambda b, tag: continueTemplate(b, IN_TABLE_BODY), "tr")
IN_TEMPLATE.starts(lambda b, tag: continueTemplate(b, IN_ROW), CELLS)
IN_TEMPLATE.ends(endTemplateToInHead, "template")


# ── after body, after after body ─────────────────────────────────────────────


def returnToBody(b: BrowserRepair) -> Mode:
    """Anything else: it is still the body's."""
    b.mode = IN_BODY
    return IN_BODY


def textAfterBody(b: BrowserRepair, data: str) -> Mode | None:
    count = len(data) - len(data.lstrip(SPACE))
    if count:
        textInBody(b, data[:count])
    b.use_text(data, count)
    return returnToBody(b) if b.rest else None


def commentAfterBody(b: BrowserRepair, chunk: str) -> Mode | None:
    """A comment as the last child of the html element: after what is still the body."""
    body = b.stack[1]
    if body.after is None:
        body.after = []
    body.after.append(chunk)
    return None


def endHtmlAfterBody(b: BrowserRepair, name: str) -> Mode | None:
    if b.context is not None:
        return b.ignore_end(name)
    b.mode = AFTER_AFTER_BODY
    return None


def commentAfterHtml(b: BrowserRepair, chunk: str) -> Mode | None:
    """A comment as the last child of the document."""
    b.epilogue.append(chunk)
    return None


AFTER_BODY.text = textAfterBody
AFTER_BODY.comment = commentAfterBody
AFTER_BODY.eof = stopHere
AFTER_BODY.otherwise(lambda b, tag: returnToBody(b), lambda b, name: returnToBody(b))
AFTER_BODY.starts(startHtmlInBody, "html")
AFTER_BODY.ends(endHtmlAfterBody, "html")

AFTER_AFTER_BODY.text = textAfterBody
AFTER_AFTER_BODY.comment = commentAfterHtml
AFTER_AFTER_BODY.eof = stopHere
AFTER_AFTER_BODY.otherwise(lambda b, tag: returnToBody(b), lambda b, name: returnToBody(b))
AFTER_AFTER_BODY.starts(startHtmlInBody, "html")


# ── framesets ────────────────────────────────────────────────────────────────


def textInFrameset(b: BrowserRepair, data: str) -> Mode | None:
    """Only white space stays."""
    space = "".join([char for char in data if char in SPACE])
    if space:
        b.insert_text(space)
    if len(space) < len(data):
        b.drop_text(data)
    return None


def startFramesetInFrameset(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.insert(tag)
    return None


def endFramesetInFrameset(b: BrowserRepair, name: str) -> Mode | None:
    if len(b.stack) == 1:
        return b.ignore_end(name)
    b.pop()
    if b.context is None and b.stack[-1].name != "frameset":
        b.mode = AFTER_FRAMESET
    return None


def startFrameInFrameset(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.insert_empty(tag)
    return None


def endHtmlAfterFrameset(b: BrowserRepair, name: str) -> Mode | None:
    b.mode = AFTER_AFTER_FRAMESET
    return None


def textAfterAfterFrameset(b: BrowserRepair, data: str) -> Mode | None:
    """White space by the rules of "in body"; all else is ignored."""
    space = "".join([char for char in data if char in SPACE])
    if space:
        textInBody(b, space)
    if len(space) < len(data):
        b.drop_text(data)
    return None


IN_FRAMESET.text = textInFrameset
IN_FRAMESET.comment = commentInBody
IN_FRAMESET.eof = stopHere
IN_FRAMESET.otherwise(ignoreStartHere, ignoreEndHere)
IN_FRAMESET.starts(startHtmlInBody, "html")
IN_FRAMESET.starts(startFramesetInFrameset, "frameset")
IN_FRAMESET.starts(startFrameInFrameset, "frame")
IN_FRAMESET.starts(toInHead, "noframes")
IN_FRAMESET.ends(endFramesetInFrameset, "frameset")

AFTER_FRAMESET.text = textInFrameset
AFTER_FRAMESET.comment = commentInBody
AFTER_FRAMESET.eof = stopHere
AFTER_FRAMESET.otherwise(ignoreStartHere, ignoreEndHere)
AFTER_FRAMESET.starts(startHtmlInBody, "html")
AFTER_FRAMESET.starts(toInHead, "noframes")
AFTER_FRAMESET.ends(endHtmlAfterFrameset, "html")

AFTER_AFTER_FRAMESET.text = textAfterAfterFrameset
AFTER_AFTER_FRAMESET.comment = commentAfterHtml
AFTER_AFTER_FRAMESET.eof = stopHere
AFTER_AFTER_FRAMESET.otherwise(ignoreStartHere, ignoreEndHere)
AFTER_AFTER_FRAMESET.starts(startHtmlInBody, "html")
AFTER_AFTER_FRAMESET.starts(toInHead, "noframes")


# ── text ────────────────────────────────────────────────────────────────────


def textInText(b: BrowserRepair, data: str) -> Mode | None:
    b.insert_text(data)
    return None


def endInText(b: BrowserRepair, name: str) -> Mode | None:
    b.pop()
    b.mode = b.original_mode
    return None


def eofInText(b: BrowserRepair) -> Mode | None:
    b.pop_unclosed()
    b.mode = b.original_mode
    return b.mode


def startInText(b: BrowserRepair, tag: Tag) -> Mode | None:
    """The reader delivers no start tag from raw text."""
    raise AssertionError(f"<{tag.name}> in raw text")


TEXT.text = textInText
TEXT.comment = textInText
TEXT.eof = eofInText
TEXT.otherwise(startInText, endInText)
