"""The rules of the "in body" insertion mode.

Source: WHATWG #parsing-main-inbody.
"""

from __future__ import annotations

from xmlfix.elements import (
    BLOCKS,
    EMPTY,
    FORMATTING,
    HEADINGS,
    ITEMS,
    LIST_ITEM_SCOPE,
    MARKED,
    METADATA,
    PREFORMATTED,
    RESOURCES,
    RUBY_BASES,
    RUBY_TEXTS,
    SPECIAL,
    TABLE_PARTS,
)
from xmlfix.read.tokens import Tag
from xmlfix.repair.elements import IMPLIED_TAGS, MATHML, NO_SLOT, SVG
from xmlfix.repair.foreign import adjust
from xmlfix.repair.modes import (
    AFTER_BODY,
    IN_BODY,
    IN_FRAMESET,
    IN_HEAD,
    IN_TABLE,
    IN_TEMPLATE,
    TEXT,
)
from xmlfix.repair.vocabulary import SPACE
from xmlfix.write.tape import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.repair.elements import Element
    from xmlfix.repair.modes import Mode

# ── text ─────────────────────────────────────────────────────────────────────


def textInBody(b: BrowserRepair, data: str) -> Mode | None:
    """Characters; NUL is dropped, and alone it does not even reopen formatting."""
    if "\0" in data:
        data = data.replace("\0", "")
        if not data:
            return None
    b.reconstruct()
    b.insert_text(data)
    if b.frameset_ok and data.strip(SPACE):
        b.frameset_ok = False
    return None


def eofInBody(b: BrowserRepair) -> Mode | None:
    """ "If the stack of template insertion modes is not empty": as in template."""
    if b.template_modes:
        return IN_TEMPLATE.eof(b)
    return None


# ── start tags: the document's frame ─────────────────────────────────────────


def startHtmlInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A second html start tag gives the first its attributes."""
    if b.open_templates:
        return b.ignore_start(tag)
    mergeAttributes(b, b.stack[0], tag, has_gone_out=b.is_stream)
    return None


def startBodyInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A second body start tag gives the first its attributes."""
    if len(b.stack) < 2 or b.stack[1].name != "body" or b.open_templates:
        return b.ignore_start(tag)
    body = b.stack[1]
    is_there = not b.is_stream or b.frameset_ok or b.waits_for_body_tag(b.reader.end)
    mergeAttributes(b, body, tag, has_gone_out=not is_there)
    b.frameset_ok = False
    if b.is_stream:
        b.place_late_attributes()
    return None


def mergeAttributes(b: BrowserRepair, element: Element, tag: Tag, *, has_gone_out: bool) -> None:
    """Add the attributes of `tag` that an open html or body element lacks, if it is still here."""
    if has_gone_out:
        b.say("xmlfix-late-attributes-lost", tag.name)
        return
    b.say("xmlfix-late-attributes", tag.name)
    b.take_late_attributes(element, tag)


def startFramesetInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A frameset replaces a body that has nothing to show yet."""
    if len(b.stack) < 2 or b.stack[1].name != "body" or not b.frameset_ok:
        return b.ignore_start(tag)
    b.say("xmlfix-frameset-replaces-body")
    body = b.stack[1]
    del body.home[body.at :]
    if body.after is not None:
        body.home.append(body.after)  # comments after </body> are the html element's
    for element in b.stack[1:]:
        element.is_open = False
        b.forget(element)
    del b.stack[1:]
    b.insert(tag)
    b.head_slot_at = NO_SLOT
    b.mode = IN_FRAMESET
    return None


# ── start tags: blocks ───────────────────────────────────────────────────────


def startBlockInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """address, div, ul and their kin."""
    b.close_p()
    b.insert(tag)
    return None


def startHeadingInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.close_p()
    if b.stack[-1].name in HEADINGS:
        b.pop_unclosed()
    b.insert(tag)
    return None


def startPreInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """pre and listing lose a line feed right after the start tag."""
    b.close_p()
    b.insert(tag)
    b.skip_line_feed = True
    b.frameset_ok = False
    return None


def startFormInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    if b.form is not None and not b.open_templates:
        return b.ignore_start(tag)
    b.close_p()
    form = b.insert(tag)
    if not b.open_templates:
        b.form = form
    return None


def startItemInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """li, and dd with dt: an open one ends, unless something special is in between."""
    b.frameset_ok = False
    names = ("li",) if tag.name == "li" else ("dd", "dt")
    for node in reversed(b.stack):
        if node.name in names:
            b.generate_implied_end_tags(node.name)
            b.pop_until(node.name, has_end_tag=False)
            break
        if node.name in SPECIAL and node.name not in ("address", "div", "p"):
            break
    b.close_p()
    b.insert(tag)
    return None


def startPlaintextInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.close_p()
    b.insert(tag)
    b.reader.raw("plaintext")
    return None


def startButtonInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    if b.in_scope("button"):
        b.generate_implied_end_tags()
        b.pop_until("button", has_end_tag=False)
    b.reconstruct()
    b.insert(tag)
    b.frameset_ok = False
    return None


def startTableInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A table; before it a slot for what will be foster-parented."""
    if not b.quirks:
        b.close_p()
    box, depth, _ = b.place()
    if depth >= b.max_depth and box is b.stack[-1].box:
        b.make_room()
        box = b.place()[0]
    slot_at = len(box)
    before = slot(box)
    table = b.insert(tag)
    table.slot, table.slot_at = before, slot_at
    b.frameset_ok = False
    b.mode = IN_TABLE
    return None


# ── start tags: formatting and phrases ───────────────────────────────────────


def startAInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """An a element inside another ends that one."""
    from xmlfix.repair.adoption import adopt, last_formatting  # which few documents need

    open_a = last_formatting(b, "a")
    if open_a is not None:
        b.say("xmlfix-missing-end-tag", "a")
        if not adopt(b, "a", has_end_tag=False):
            anyEndInBody(b, "a")
        b.unlist(open_a)
        if open_a.is_open:
            b.remove(open_a)
    return startFormattingInBody(b, tag)


def startFormattingInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.reconstruct()
    b.push_formatting(b.insert(tag))
    return None


def startNobrInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.reconstruct()
    if b.in_scope("nobr"):
        from xmlfix.repair.adoption import adopt

        b.say("xmlfix-missing-end-tag", "nobr")
        if not adopt(b, "nobr", has_end_tag=False):
            anyEndInBody(b, "nobr")
        b.reconstruct()
    b.push_formatting(b.insert(tag))
    return None


def startMarkedInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """applet, marquee, object: formatting does not cross them."""
    b.reconstruct()
    b.insert(tag)
    b.push_marker()
    b.frameset_ok = False
    return None


def startEmptyInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """area, br, embed, img, keygen, wbr."""
    b.reconstruct()
    b.insert_empty(tag)
    b.frameset_ok = False
    return None


def startParamInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """param, source, track."""
    b.insert_empty(tag)
    return None


def startHrInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.close_p()
    if b.in_scope("select"):
        b.generate_implied_end_tags()
    b.insert_empty(tag)
    b.frameset_ok = False
    return None


def startImageInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """ "Don't ask." """
    return startEmptyInBody(b, Tag("img", tag.attrs, tag.self_closing))


def startInputInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    if b.context_name == "select":
        return b.ignore_start(tag)
    if b.in_scope("select"):
        b.pop_until("select", has_end_tag=False)
    b.reconstruct()
    b.insert_empty(tag)
    if (tag.get("type") or "").lower() != "hidden":
        b.frameset_ok = False
    return None


def startTextareaInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    startRawText(b, tag)
    b.skip_line_feed = True
    b.frameset_ok = False
    return None


def startXmpInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.close_p()
    b.reconstruct()
    b.frameset_ok = False
    return startRawText(b, tag)


def startIframeInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.frameset_ok = False
    return startRawText(b, tag)


def startRawText(b: BrowserRepair, tag: Tag) -> Mode | None:
    """The generic raw text and RCDATA algorithms; also noembed.

    Source: WHATWG #parsing-elements-that-contain-only-text.
    """
    b.insert(tag)
    b.reader.raw(tag.name)
    b.original_mode = b.mode
    b.mode = TEXT
    return None


def startNoscriptInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    return startRawText(b, tag) if b.options.scripting else anyStartInBody(b, tag)


def anyStartInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """Any other start tag: an ordinary element."""
    b.reconstruct()
    element = b.insert(tag)
    if tag.name == "selectedcontent":
        b.note_selectedcontent(element)
    return None


def startForeignInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """svg and math."""
    b.reconstruct()
    namespace = SVG if tag.name == "svg" else MATHML
    b.insert_foreign(adjust(tag, namespace), namespace)
    return None


def ignoreStartInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """caption, col, tr and their kin outside of a table."""
    return b.ignore_start(tag)


# ── start tags: select, ruby ─────────────────────────────────────────────────


def startSelectInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A select inside another ends that one, and is no element itself."""
    if b.context_name == "select":
        return b.ignore_start(tag)
    if b.in_scope("select"):
        b.ignore_start(tag)
        b.pop_until("select", has_end_tag=False)
        return None
    b.reconstruct()
    b.note_select(b.insert(tag))
    b.frameset_ok = False
    return None


def startOptionInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    if b.in_scope("select"):
        b.generate_implied_end_tags("optgroup")
    elif b.stack[-1].name == "option":
        b.pop_unclosed()
    b.reconstruct()
    b.note_option(b.insert(tag))
    return None


def startOptgroupInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    if b.in_scope("select"):
        b.generate_implied_end_tags()
    elif b.stack[-1].name == "option":
        b.pop_unclosed()
    b.reconstruct()
    b.insert(tag)
    return None


def startRubyBaseInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """rb and rtc."""
    if b.in_scope("ruby"):
        b.generate_implied_end_tags()
    b.insert(tag)
    return None


def startRubyTextInBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """rp and rt."""
    if b.in_scope("ruby"):
        b.generate_implied_end_tags("rtc")
    b.insert(tag)
    return None


# ── end tags ─────────────────────────────────────────────────────────────────


def endBodyInBody(b: BrowserRepair, name: str) -> Mode | None:
    if not b.in_scope("body"):
        return b.ignore_end(name)
    b.report_open()
    b.mode = AFTER_BODY
    return None


def endHtmlInBody(b: BrowserRepair, name: str) -> Mode | None:
    if not b.in_scope("body"):
        return b.ignore_end(name)
    b.mode = AFTER_BODY
    return AFTER_BODY


def endBlockInBody(b: BrowserRepair, name: str) -> Mode | None:
    """address, div, select, ul and their kin."""
    if not b.in_scope(name):
        return b.ignore_end(name)
    b.generate_implied_end_tags()
    b.pop_until(name)
    return None


def endFormInBody(b: BrowserRepair, name: str) -> Mode | None:
    if b.open_templates:
        return endBlockInBody(b, name)
    form = b.form
    b.form = None
    if form is None or not b.is_in_scope(form):
        return b.ignore_end(name)
    b.generate_implied_end_tags()
    if b.stack[-1] is not form:
        b.say("xmlfix-misnested-tag", name)
    b.remove(form)
    return None


def endPInBody(b: BrowserRepair, name: str) -> Mode | None:
    """Without a p to close, one is made."""
    before = b.open_p
    b.close_p(has_end_tag=True)
    if b.open_p == before:
        b.say("xmlfix-element-made", name)
        b.insert(IMPLIED_TAGS["p"])
        b.pop()
    return None


def endLiInBody(b: BrowserRepair, name: str) -> Mode | None:
    if not b.in_scope("li", LIST_ITEM_SCOPE):
        return b.ignore_end(name)
    b.generate_implied_end_tags("li")
    b.pop_until("li")
    return None


def endDdInBody(b: BrowserRepair, name: str) -> Mode | None:
    """dd and dt."""
    if not b.in_scope(name):
        return b.ignore_end(name)
    b.generate_implied_end_tags(name)
    b.pop_until(name)
    return None


def endHeadingInBody(b: BrowserRepair, name: str) -> Mode | None:
    """Any heading's end tag closes any heading."""
    if not b.one_in_scope(HEADINGS):
        return b.ignore_end(name)
    b.generate_implied_end_tags()
    if b.stack[-1].name in HEADINGS and b.stack[-1].name != name:
        b.say("xmlfix-other-heading", name)
    b.pop_until_one_of(HEADINGS)
    return None


def endFormattingInBody(b: BrowserRepair, name: str) -> Mode | None:
    from xmlfix.repair.adoption import adopt

    return None if adopt(b, name) else anyEndInBody(b, name)


def endMarkedInBody(b: BrowserRepair, name: str) -> Mode | None:
    """applet, marquee, object."""
    if not b.in_scope(name):
        return b.ignore_end(name)
    b.generate_implied_end_tags()
    b.pop_until(name)
    b.clear_to_marker()
    return None


def endBrInBody(b: BrowserRepair, name: str) -> Mode | None:
    """ "Act as if this was a br start tag token with no attributes." """
    b.say("xmlfix-element-made", name)
    return startEmptyInBody(b, IMPLIED_TAGS["br"])


def anyEndInBody(b: BrowserRepair, name: str) -> Mode | None:
    """Any other end tag: the nearest element of that name, if nothing special is above it."""
    for node in reversed(b.stack):
        if node.name == name:
            b.generate_implied_end_tags(name)
            while b.stack[-1] is not node:
                b.pop_unclosed()
            b.pop()
            return None
        if node.name in SPECIAL:
            break
    return b.ignore_end(name)


# ── the tables ───────────────────────────────────────────────────────────────


def toInHead(b: BrowserRepair, tag: Tag) -> Mode | None:
    """Using the rules for the "in head" insertion mode."""
    return IN_HEAD.start[tag.name](b, tag)


def endTemplateToInHead(b: BrowserRepair, name: str) -> Mode | None:
    """Using the rules for the "in head" insertion mode."""
    return IN_HEAD.end["template"](b, name)


def commentInBody(b: BrowserRepair, chunk: str) -> Mode | None:
    b.insert_comment(chunk)
    return None


IN_BODY.text = textInBody
IN_BODY.comment = commentInBody
IN_BODY.eof = eofInBody
IN_BODY.otherwise(anyStartInBody, anyEndInBody)
for _rule, _names in (
    (startHtmlInBody, "html"),
    (toInHead, METADATA),
    (startBodyInBody, "body"),
    (startFramesetInBody, "frameset"),
    (startBlockInBody, BLOCKS | {"p"}),
    (startHeadingInBody, HEADINGS),
    (startPreInBody, PREFORMATTED),
    (startFormInBody, "form"),
    (startItemInBody, ITEMS),
    (startPlaintextInBody, "plaintext"),
    (startButtonInBody, "button"),
    (startAInBody, "a"),
    (startFormattingInBody, FORMATTING - {"a", "nobr"}),
    (startNobrInBody, "nobr"),
    (startMarkedInBody, MARKED),
    (startTableInBody, "table"),
    (startEmptyInBody, EMPTY),
    (startInputInBody, "input"),
    (startParamInBody, RESOURCES),
    (startHrInBody, "hr"),
    (startImageInBody, "image"),
    (startTextareaInBody, "textarea"),
    (startXmpInBody, "xmp"),
    (startIframeInBody, "iframe"),
    (startRawText, "noembed"),
    (startNoscriptInBody, "noscript"),
    (startSelectInBody, "select"),
    (startOptionInBody, "option"),
    (startOptgroupInBody, "optgroup"),
    (startRubyBaseInBody, RUBY_BASES),
    (startRubyTextInBody, RUBY_TEXTS),
    (startForeignInBody, "math svg"),
    (ignoreStartInBody, TABLE_PARTS | {"frame", "head"}),
):
    IN_BODY.starts(_rule, _names)
for _end_rule, _names in (
    (endTemplateToInHead, "template"),
    (endBodyInBody, "body"),
    (endHtmlInBody, "html"),
    (endBlockInBody, BLOCKS | PREFORMATTED | {"button", "select"}),
    (endFormInBody, "form"),
    (endPInBody, "p"),
    (endLiInBody, "li"),
    (endDdInBody, ITEMS - {"li"}),
    (endHeadingInBody, HEADINGS),
    (endFormattingInBody, FORMATTING),
    (endMarkedInBody, MARKED),
    (endBrInBody, "br"),
):
    IN_BODY.ends(_end_rule, _names)
