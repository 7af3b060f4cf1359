"""The rules of the oracle for "in body" and "text"; see oracle_rules.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_facts import (
    BLOCKS,
    BUTTON_SCOPE,
    FORMATTING,
    HEAD_ELEMENTS,
    HEADINGS,
    LIST_ITEM_SCOPE,
    MATHML,
    SPECIAL,
    SVG,
    TABLE_PARTS,
    ascii_lower,
)

if TYPE_CHECKING:
    from oracle import Oracle
    from oracle_dom import Token


def in_body(o: Oracle, token: Token) -> None:
    """#parsing-main-inbody."""
    match token.kind:
        case "null":
            pass
        case "space":
            o.reconstruct_formatting()
            o.insert_character(token.data)
        case "char":
            o.reconstruct_formatting()
            o.insert_character(token.data)
            o.frameset_ok = False
        case "comment" | "instruction":
            o.insert_comment(token)
        case "doctype":
            pass
        case "eof":
            if o.template_modes:
                o.use("in template", token)
            else:
                o.stop_parsing()
        case "start":
            start_tag_in_body(o, token)
        case "end":
            end_tag_in_body(o, token)


def start_tag_in_body(o: Oracle, token: Token) -> None:
    """#parsing-main-inbody, the start tags."""
    match token.name:
        case "html":
            if not o.has_open("template"):
                o.counts["late-html"] += 1
                o.stack[0].add_missing_attributes(token)
        case name if name in HEAD_ELEMENTS:
            o.use("in head", token)
        case "body":
            if len(o.stack) == 1 or o.stack[1].tag != "body" or o.has_open("template"):
                return
            o.counts["late-body"] += 1
            o.frameset_ok = False
            o.stack[1].add_missing_attributes(token)
        case "frameset":
            if len(o.stack) == 1 or o.stack[1].tag != "body" or not o.frameset_ok:
                return
            o.counts["frameset"] += 1
            o.stack[1].detach()
            while len(o.stack) > 1:
                o.pop()
            o.insert_html(token)
            o.mode = "in frameset"
        case name if name in BLOCKS or name == "p":
            o.close_p_in_button_scope()
            o.insert_html(token)
        case name if name in HEADINGS:
            o.close_p_in_button_scope()
            if o.current.tag in HEADINGS:
                o.pop()
            o.insert_html(token)
        case "pre" | "listing":
            o.close_p_in_button_scope()
            o.insert_html(token)
            o.skip_newline = True
            o.frameset_ok = False
        case "form":
            if o.form is not None and not o.has_open("template"):
                return
            o.close_p_in_button_scope()
            form = o.insert_html(token)
            if not o.has_open("template"):
                o.form = form
        case "li":
            o.frameset_ok = False
            close_open_item(o, "li")
            o.close_p_in_button_scope()
            o.insert_html(token)
        case "dd" | "dt":
            o.frameset_ok = False
            close_open_item(o, "dd", "dt")
            o.close_p_in_button_scope()
            o.insert_html(token)
        case "plaintext":
            o.close_p_in_button_scope()
            o.insert_html(token)
            o.switch_tokenizer("plaintext")
        case "button":
            if o.in_scope("button"):
                o.generate_implied_end_tags()
                o.pop_until("button")
            o.reconstruct_formatting()
            o.insert_html(token)
            o.frameset_ok = False
        case "a":
            element = o.last_formatting_element("a")
            if element is not None:
                o.counts["a-in-a"] += 1
                o.run_adoption_agency(token)
                if element in o.formatting:
                    o.formatting.remove(element)
                if element in o.stack:
                    o.remove_from_stack(element)
            o.reconstruct_formatting()
            o.push_formatting(o.insert_html(token))
        case "nobr":
            o.reconstruct_formatting()
            if o.in_scope("nobr"):
                o.counts["nobr"] += 1
                o.run_adoption_agency(token)
                o.reconstruct_formatting()
            o.push_formatting(o.insert_html(token))
        case name if name in FORMATTING:
            o.reconstruct_formatting()
            o.push_formatting(o.insert_html(token))
        case "applet" | "marquee" | "object":
            o.reconstruct_formatting()
            o.insert_html(token)
            o.insert_marker()
            o.frameset_ok = False
        case "table":
            if not o.quirks:
                o.close_p_in_button_scope()
            elif o.in_scope("p", scope=BUTTON_SCOPE):
                o.counts["quirks-table"] += 1
            o.insert_html(token)
            o.frameset_ok = False
            o.mode = "in table"
        case "area" | "br" | "embed" | "img" | "keygen" | "wbr":
            o.reconstruct_formatting()
            o.insert_void(token)
            o.frameset_ok = False
        case "input":
            if o.context is not None and o.context.tag == "select":
                return
            if o.in_scope("select"):
                o.counts["select"] += 1
                o.pop_until("select")
            o.reconstruct_formatting()
            o.insert_void(token)
            if ascii_lower(token.attrs.get("type", "")) != "hidden":
                o.frameset_ok = False
        case "param" | "source" | "track":
            o.insert_void(token)
        case "hr":
            o.close_p_in_button_scope()
            if o.in_scope("select"):
                o.counts["select"] += 1
                o.generate_implied_end_tags()
            o.insert_void(token)
            o.frameset_ok = False
        case "image":
            o.reprocess(token.renamed("img"))
        case "textarea":
            o.parse_text_only(token)
            o.skip_newline = True
            o.frameset_ok = False
        case "xmp":
            o.close_p_in_button_scope()
            o.reconstruct_formatting()
            o.frameset_ok = False
            o.parse_text_only(token)
        case "iframe":
            o.frameset_ok = False
            o.parse_text_only(token)
        case "noembed":
            o.parse_text_only(token)
        case "noscript" if o.scripting:
            o.parse_text_only(token)
        case "select":
            if o.context is not None and o.context.tag == "select":
                return
            if o.in_scope("select"):
                o.counts["select"] += 1
                o.pop_until("select")
                return
            o.reconstruct_formatting()
            o.insert_html(token)
            o.frameset_ok = False
        case "option":
            if o.in_scope("select"):
                o.counts["select"] += 1
                o.generate_implied_end_tags(excluded="optgroup")
            elif o.current.tag == "option":
                o.pop()
            o.reconstruct_formatting()
            o.insert_html(token)
        case "optgroup":
            if o.in_scope("select"):
                o.counts["select"] += 1
                o.generate_implied_end_tags()
            elif o.current.tag == "option":
                o.pop()
            o.reconstruct_formatting()
            o.insert_html(token)
        case "rb" | "rtc":
            if o.in_scope("ruby"):
                o.generate_implied_end_tags()
            o.insert_html(token)
        case "rp" | "rt":
            if o.in_scope("ruby"):
                o.generate_implied_end_tags(excluded="rtc")
            o.insert_html(token)
        case "math":
            o.reconstruct_formatting()
            o.insert_foreign(token, MATHML)
            if token.self_closing:
                o.pop()
        case "svg":
            o.reconstruct_formatting()
            o.insert_foreign(token, SVG)
            if token.self_closing:
                o.pop()
        case "frame" | "head":
            pass
        case name if name in TABLE_PARTS:
            pass
        case _:
            o.reconstruct_formatting()
            o.insert_html(token)


def end_tag_in_body(o: Oracle, token: Token) -> None:
    """#parsing-main-inbody, the end tags."""
    match token.name:
        case "template":
            o.use("in head", token)
        case "body":
            if o.in_scope("body"):
                o.mode = "after body"
        case "html":
            if o.in_scope("body"):
                o.mode = "after body"
                o.reprocess(token)
        case name if name in BLOCKS or name in ("button", "listing", "pre", "select"):
            if o.in_scope(name):
                o.generate_implied_end_tags()
                o.pop_until(name)
        case "form" if not o.has_open("template"):
            node = o.form
            o.form = None
            if node is None or not o.element_in_scope(node):
                return
            o.generate_implied_end_tags()
            if o.current is not node:
                o.counts["form-removed"] += 1
            o.remove_from_stack(node)
        case "form":
            if o.in_scope("form"):
                o.generate_implied_end_tags()
                o.pop_until("form")
        case "p":
            if not o.in_scope("p", scope=BUTTON_SCOPE):
                o.insert_implied("p")
            o.close_p()
        case "li":
            if o.in_scope("li", scope=LIST_ITEM_SCOPE):
                o.generate_implied_end_tags(excluded="li")
                o.pop_until("li")
        case "dd" | "dt" as name:
            if o.in_scope(name):
                o.generate_implied_end_tags(excluded=name)
                o.pop_until(name)
        case name if name in HEADINGS:
            if o.in_scope(*HEADINGS):
                o.generate_implied_end_tags()
                o.pop_until(*HEADINGS)
        case name if name in FORMATTING or name in ("a", "nobr"):
            o.run_adoption_agency(token)
        case "applet" | "marquee" | "object" as name:
            if o.in_scope(name):
                o.generate_implied_end_tags()
                o.pop_until(name)
                o.clear_formatting_to_marker()
        case "br":
            o.reprocess(o.start_tag_without_attributes("br"))
        case _:
            any_other_end_tag_in_body(o, token)


def any_other_end_tag_in_body(o: Oracle, token: Token) -> None:
    """#parsing-main-inbody, "any other end tag"."""
    for node in reversed(o.stack):
        if node.tag == token.name:
            o.generate_implied_end_tags(excluded=token.name)
            o.pop_until_element(node)
            return
        if node.tag in SPECIAL:
            return


def close_open_item(o: Oracle, *items: str) -> None:
    """#parsing-main-inbody, the loop of the start tags "li", "dd" and "dt"."""
    for node in reversed(o.stack):
        if node.tag in items:
            o.generate_implied_end_tags(excluded=node.tag)
            o.pop_until(node.tag)
            return
        if node.tag in SPECIAL and node.tag not in ("address", "div", "p"):
            return


def text(o: Oracle, token: Token) -> None:
    """#parsing-main-incdata."""
    match token.kind:
        case "space" | "null" | "char":
            o.insert_character(token.data)
        case "eof":
            o.pop()
            o.mode = o.original_mode
            o.reprocess(token)
        case "end":
            o.pop()
            o.mode = o.original_mode


# -- tables ----------------------------------------------------------------------------
