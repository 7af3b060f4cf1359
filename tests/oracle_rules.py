"""The rules of the oracle: one function for each insertion mode.

The text of the standard (WHATWG #tree-construction) is the model for every line here: an
insertion mode is one `match` over the kind and the name of a token, its cases are the
entries of that mode, mostly in the order of the standard, and to process a token "using
the rules for the insertion mode" is to call that mode's function. Parse errors are not
recorded; an entry that has nothing but one is `pass`. `Oracle` in oracle.py holds the state
of the parser and the algorithms.

The select element is as relaxed in 2025: it has no insertion modes of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oracle_body import in_body, text
from oracle_facts import BREAKOUT, HEAD_ELEMENTS, HTML, SVG, SVG_ELEMENTS, ascii_lower, is_quirky
from oracle_table import (
    in_caption,
    in_cell,
    in_column_group,
    in_row,
    in_table,
    in_table_body,
    in_table_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle import Oracle
    from oracle_dom import Token
# -- the modes before "in body" --------------------------------------------------------


def initial(o: Oracle, token: Token) -> None:
    """#the-initial-insertion-mode."""
    match token.kind, token.name:
        case "space", _:
            pass
        case "comment" | "instruction", _:
            o.insert_comment(token, o.document)
        case "doctype", _:
            o.insert_doctype(token)
            if is_quirky(token):
                o.quirks = True
            o.mode = "before html"
        case _:
            o.quirks = True
            o.mode = "before html"
            o.reprocess(token)


def before_html(o: Oracle, token: Token) -> None:
    """#the-before-html-insertion-mode."""
    match token.kind, token.name:
        case "doctype", _:
            pass
        case "comment" | "instruction", _:
            o.insert_comment(token, o.document)
        case "space", _:
            pass
        case "start", "html":
            o.insert_root(token)
            o.mode = "before head"
        case "end", name if name not in ("head", "body", "html", "br"):
            pass
        case _:
            o.insert_root(o.start_tag_without_attributes("html"))
            o.mode = "before head"
            o.reprocess(token)


def before_head(o: Oracle, token: Token) -> None:
    """#the-before-head-insertion-mode."""
    match token.kind, token.name:
        case "space", _:
            pass
        case "comment" | "instruction", _:
            o.insert_comment(token)
        case "doctype", _:
            pass
        case "start", "html":
            in_body(o, token)
        case "start", "head":
            o.head = o.insert_html(token)
            o.mode = "in head"
        case "end", name if name not in ("head", "body", "html", "br"):
            pass
        case _:
            o.head = o.insert_implied("head")
            o.mode = "in head"
            o.reprocess(token)


def in_head(o: Oracle, token: Token) -> None:
    """#parsing-main-inhead."""
    match token.kind, token.name:
        case "space", _:
            o.insert_character(token.data)
        case "comment" | "instruction", _:
            o.insert_comment(token)
        case "doctype", _:
            pass
        case "start", "html":
            in_body(o, token)
        case "start", "base" | "basefont" | "bgsound" | "link" | "meta":
            o.insert_void(token)
        case "start", "title" | "noframes" | "style" | "script":
            o.parse_text_only(token)
        case "start", "noscript":
            if o.scripting:
                o.parse_text_only(token)
            else:
                o.insert_html(token)
                o.mode = "in head noscript"
        case "end", "head":
            o.pop()
            o.mode = "after head"
        case "start", "template":
            o.counts["template"] += 1
            o.insert_html(token)
            o.insert_marker()
            o.frameset_ok = False
            o.mode = "in template"
            o.template_modes.append("in template")
        case "end", "template":
            if o.has_open("template"):
                o.generate_all_implied_end_tags_thoroughly()
                o.pop_until("template")
                o.clear_formatting_to_marker()
                o.template_modes.pop()
                o.reset_insertion_mode()
        case "start", "head":
            pass
        case "end", name if name not in ("body", "html", "br"):
            pass
        case _:
            o.pop()
            o.mode = "after head"
            o.reprocess(token)


def in_head_noscript(o: Oracle, token: Token) -> None:
    """#parsing-main-inheadnoscript."""
    match token.kind, token.name:
        case "doctype", _:
            pass
        case "start", "html":
            in_body(o, token)
        case "end", "noscript":
            o.pop()
            o.mode = "in head"
        case "space" | "comment" | "instruction", _:
            in_head(o, token)
        case "start", "basefont" | "bgsound" | "link" | "meta" | "noframes" | "style":
            in_head(o, token)
        case "start", "head" | "noscript":
            pass
        case "end", name if name != "br":
            pass
        case _:
            o.counts["noscript-left"] += 1
            o.pop()
            o.mode = "in head"
            o.reprocess(token)


def after_head(o: Oracle, token: Token) -> None:
    """#the-after-head-insertion-mode."""
    match token.kind, token.name:
        case "space", _:
            o.insert_character(token.data)
        case "comment" | "instruction", _:
            o.insert_comment(token)
        case "doctype", _:
            pass
        case "start", "html":
            in_body(o, token)
        case "start", "body":
            o.insert_html(token)
            o.frameset_ok = False
            o.mode = "in body"
        case "start", "frameset":
            o.insert_html(token)
            o.mode = "in frameset"
        case "start", name if name in HEAD_ELEMENTS:
            assert o.head is not None  # "The head element pointer cannot be null at this point."
            o.counts["after-head"] += 1
            o.stack.append(o.head)
            in_head(o, token)
            o.remove_from_stack(o.head)
        case "end", "template":
            in_head(o, token)
        case "start", "head":
            pass
        case "end", name if name not in ("body", "html", "br"):
            pass
        case _:
            o.insert_implied("body")
            o.mode = "in body"
            o.reprocess(token)


# -- #parsing-main-inbody --------------------------------------------------------------


def in_template(o: Oracle, token: Token) -> None:
    """#parsing-main-intemplate."""
    match token.kind, token.name:
        case "space" | "null" | "char" | "comment" | "instruction" | "doctype", _:
            in_body(o, token)
        case "start", name if name in HEAD_ELEMENTS:
            in_head(o, token)
        case "end", "template":
            in_head(o, token)
        case "start", "caption" | "colgroup" | "tbody" | "tfoot" | "thead":
            continue_template_in(o, token, "in table")
        case "start", "col":
            continue_template_in(o, token, "in column group")
        case "start", "tr":
            continue_template_in(o, token, "in table body")
        case "start", "td" | "th":
            continue_template_in(o, token, "in row")
        case "start", _:
            continue_template_in(o, token, "in body")
        case "end", _:
            pass
        case "eof", _:
            if not o.has_open("template"):
                o.stop_parsing()
                return
            o.pop_until("template")
            o.clear_formatting_to_marker()
            o.template_modes.pop()
            o.reset_insertion_mode()
            o.reprocess(token)


def continue_template_in(o: Oracle, token: Token, mode: str) -> None:
    """#parsing-main-intemplate: `mode` becomes the current template insertion mode."""
    o.template_modes.pop()
    o.template_modes.append(mode)
    o.mode = mode
    o.reprocess(token)


def after_body(o: Oracle, token: Token) -> None:
    """#parsing-main-afterbody."""
    match token.kind, token.name:
        case "space", _:
            in_body(o, token)
        case "comment" | "instruction", _:
            o.counts["comment-after-body"] += 1
            o.insert_comment(token, o.stack[0])
        case "doctype", _:
            pass
        case "start", "html":
            in_body(o, token)
        case "end", "html":
            if o.context is None:
                o.mode = "after after body"
        case "eof", _:
            o.stop_parsing()
        case _:
            o.counts["after-body"] += 1
            o.mode = "in body"
            o.reprocess(token)


def in_frameset(o: Oracle, token: Token) -> None:
    """#parsing-main-inframeset."""
    match token.kind, token.name:
        case "space", _:
            o.insert_character(token.data)
        case "comment" | "instruction", _:
            o.insert_comment(token)
        case "doctype", _:
            pass
        case "start", "html":
            in_body(o, token)
        case "start", "frameset":
            o.insert_html(token)
        case "end", "frameset":
            if len(o.stack) == 1:
                return
            o.pop()
            if o.context is None and o.current.tag != "frameset":
                o.mode = "after frameset"
        case "start", "frame":
            o.insert_void(token)
        case "start", "noframes":
            in_head(o, token)
        case "eof", _:
            o.stop_parsing()
        case _:
            pass


def after_frameset(o: Oracle, token: Token) -> None:
    """#parsing-main-afterframeset."""
    match token.kind, token.name:
        case "space", _:
            o.insert_character(token.data)
        case "comment" | "instruction", _:
            o.insert_comment(token)
        case "doctype", _:
            pass
        case "start", "html":
            in_body(o, token)
        case "end", "html":
            o.mode = "after after frameset"
        case "start", "noframes":
            in_head(o, token)
        case "eof", _:
            o.stop_parsing()
        case _:
            pass


def after_after_body(o: Oracle, token: Token) -> None:
    """#the-after-after-body-insertion-mode."""
    match token.kind, token.name:
        case "comment" | "instruction", _:
            o.counts["comment-after-html"] += 1
            o.insert_comment(token, o.document)
        case ("doctype" | "space", _) | ("start", "html"):
            in_body(o, token)
        case "eof", _:
            o.stop_parsing()
        case _:
            o.counts["after-body"] += 1
            o.mode = "in body"
            o.reprocess(token)


def after_after_frameset(o: Oracle, token: Token) -> None:
    """#the-after-after-frameset-insertion-mode."""
    match token.kind, token.name:
        case "comment" | "instruction", _:
            o.insert_comment(token, o.document)
        case ("doctype" | "space", _) | ("start", "html"):
            in_body(o, token)
        case "eof", _:
            o.stop_parsing()
        case "start", "noframes":
            in_head(o, token)
        case _:
            pass


# -- #parsing-main-inforeign -----------------------------------------------------------


def in_foreign_content(o: Oracle, token: Token) -> None:
    """#parsing-main-inforeign."""
    match token.kind, token.name:
        case "null", _:
            o.insert_character("\N{REPLACEMENT CHARACTER}")
        case "space", _:
            o.insert_character(token.data)
        case "char", _:
            o.insert_character(token.data)
            o.frameset_ok = False
        case "comment" | "instruction", _:
            o.insert_comment(token)
        case "doctype", _:
            pass
        case "start", name if name in BREAKOUT:
            break_out_of_foreign_content(o, token)
        case "start", "font" if token.attrs.keys() & {"color", "face", "size"}:
            break_out_of_foreign_content(o, token)
        case "end", "br" | "p":
            break_out_of_foreign_content(o, token)
        case "start", _:
            node = o.adjusted_current
            assert node is not None
            if node.namespace == SVG:
                token = token.renamed(SVG_ELEMENTS.get(token.name, token.name))
            o.insert_foreign(token, node.namespace)
            if token.self_closing:
                o.pop()
        case "end", "script" if o.current.tag == "svg script":
            o.pop()
        case "end", _:
            any_other_end_tag_in_foreign_content(o, token)


def break_out_of_foreign_content(o: Oracle, token: Token) -> None:
    """#parsing-main-inforeign, the tags that foreign elements do not have."""
    o.counts["breakout"] += 1
    while not (
        o.is_mathml_text_integration_point(o.current)
        or o.is_html_integration_point(o.current)
        or o.current.namespace == HTML
    ):
        o.pop()
    o.use(o.mode, token)


def any_other_end_tag_in_foreign_content(o: Oracle, token: Token) -> None:
    """#parsing-main-inforeign, "any other end tag"."""
    for node in reversed(o.stack):
        if node is not o.current and node.namespace == HTML:
            o.use(o.mode, token)
            return
        if node is o.stack[0]:
            return
        if ascii_lower(node.name) == token.name:
            o.pop_until_element(node)
            return


RULES: Final[dict[str, Callable[[Oracle, Token], None]]] = {
    "initial": initial,
    "before html": before_html,
    "before head": before_head,
    "in head": in_head,
    "in head noscript": in_head_noscript,
    "after head": after_head,
    "in body": in_body,
    "text": text,
    "in table": in_table,
    "in table text": in_table_text,
    "in caption": in_caption,
    "in column group": in_column_group,
    "in table body": in_table_body,
    "in row": in_row,
    "in cell": in_cell,
    "in template": in_template,
    "after body": after_body,
    "in frameset": in_frameset,
    "after frameset": after_frameset,
    "after after body": after_after_body,
    "after after frameset": after_after_frameset,
}
