"""The rules of the oracle for the modes inside a table; see oracle_rules.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_body import in_body
from oracle_facts import TABLE_FRAME, TABLE_PARTS, TABLE_SCOPE, ascii_lower

if TYPE_CHECKING:
    from oracle import Oracle
    from oracle_dom import Token


def in_table(o: Oracle, token: Token) -> None:
    """#parsing-main-intable."""
    match token.kind, token.name:
        case "space" | "null" | "char", _ if o.current.tag in TABLE_FRAME:
            o.pending_table_characters = []
            o.original_mode = o.mode
            o.mode = "in table text"
            o.reprocess(token)
        case "comment" | "instruction", _:
            o.insert_comment(token)
        case "doctype", _:
            pass
        case "start", "caption":
            clear_stack_to_table_context(o)
            o.insert_marker()
            o.insert_html(token)
            o.mode = "in caption"
        case "start", "colgroup":
            clear_stack_to_table_context(o)
            o.insert_html(token)
            o.mode = "in column group"
        case "start", "col":
            clear_stack_to_table_context(o)
            o.insert_implied("colgroup")
            o.mode = "in column group"
            o.reprocess(token)
        case "start", "tbody" | "tfoot" | "thead":
            clear_stack_to_table_context(o)
            o.insert_html(token)
            o.mode = "in table body"
        case "start", "td" | "th" | "tr":
            clear_stack_to_table_context(o)
            o.insert_implied("tbody")
            o.mode = "in table body"
            o.reprocess(token)
        case "start", "table":
            if o.in_scope("table", scope=TABLE_SCOPE):
                o.counts["table-in-table"] += 1
                o.pop_until("table")
                o.reset_insertion_mode()
                o.reprocess(token)
        case "end", "table":
            if o.in_scope("table", scope=TABLE_SCOPE):
                o.pop_until("table")
                o.reset_insertion_mode()
        case "end", name if name in TABLE_PARTS or name in ("body", "html"):
            pass
        case ("start", "style" | "script" | "template") | ("end", "template"):
            o.use("in head", token)
        case "start", "input" if ascii_lower(token.attrs.get("type", "")) == "hidden":
            o.counts["hidden-input"] += 1
            o.insert_void(token)
        case "start", "form":
            if o.has_open("template") or o.form is not None:
                return
            o.counts["form-in-table"] += 1
            o.form = o.insert_html(token)
            o.pop()
        case "eof", _:
            in_body(o, token)
        case _:
            anything_else_in_table(o, token)


def anything_else_in_table(o: Oracle, token: Token) -> None:
    """#parsing-main-intable, "anything else"."""
    o.foster_parenting = True
    in_body(o, token)
    o.foster_parenting = False


def clear_stack_to_table_context(o: Oracle) -> None:
    """#clear-the-stack-back-to-a-table-context."""
    while o.current.tag not in ("table", "template", "html"):
        o.pop()


def in_table_text(o: Oracle, token: Token) -> None:
    """#parsing-main-intabletext."""
    match token.kind:
        case "null":
            pass
        case "space" | "char":
            o.pending_table_characters.append(token)
        case _:
            if any(character.kind != "space" for character in o.pending_table_characters):
                for character in o.pending_table_characters:
                    anything_else_in_table(o, character)
            else:
                for character in o.pending_table_characters:
                    o.insert_character(character.data)
            o.mode = o.original_mode
            o.reprocess(token)


def in_caption(o: Oracle, token: Token) -> None:
    """#parsing-main-incaption."""
    match token.kind, token.name:
        case "end", "caption":
            if o.in_scope("caption", scope=TABLE_SCOPE):
                close_caption(o)
        case ("start", name) if name in TABLE_PARTS:
            if o.in_scope("caption", scope=TABLE_SCOPE):
                close_caption(o)
                o.reprocess(token)
        case "end", "table":
            if o.in_scope("caption", scope=TABLE_SCOPE):
                close_caption(o)
                o.reprocess(token)
        case "end", name if name in TABLE_PARTS or name in ("body", "html"):
            pass
        case _:
            in_body(o, token)


def close_caption(o: Oracle) -> None:
    """#parsing-main-incaption, what its first two entries have in common."""
    o.generate_implied_end_tags()
    o.pop_until("caption")
    o.clear_formatting_to_marker()
    o.mode = "in table"


def in_column_group(o: Oracle, token: Token) -> None:
    """#parsing-main-incolgroup."""
    match token.kind, token.name:
        case "space", _:
            o.insert_character(token.data)
        case "comment" | "instruction", _:
            o.insert_comment(token)
        case "doctype", _:
            pass
        case "start", "html":
            in_body(o, token)
        case "start", "col":
            o.insert_void(token)
        case "end", "colgroup":
            if o.current.tag == "colgroup":
                o.pop()
                o.mode = "in table"
        case "end", "col":
            pass
        case "start" | "end", "template":
            o.use("in head", token)
        case "eof", _:
            in_body(o, token)
        case _:
            if o.current.tag == "colgroup":
                o.pop()
                o.mode = "in table"
                o.reprocess(token)


def in_table_body(o: Oracle, token: Token) -> None:
    """#parsing-main-intbody."""
    match token.kind, token.name:
        case "start", "tr":
            clear_stack_to_table_body_context(o)
            o.insert_html(token)
            o.mode = "in row"
        case "start", "th" | "td":
            clear_stack_to_table_body_context(o)
            o.insert_implied("tr")
            o.mode = "in row"
            o.reprocess(token)
        case "end", "tbody" | "tfoot" | "thead" as name:
            if o.in_scope(name, scope=TABLE_SCOPE):
                clear_stack_to_table_body_context(o)
                o.pop()
                o.mode = "in table"
        case ("start", "caption" | "col" | "colgroup" | "tbody" | "tfoot" | "thead") | (
            "end",
            "table",
        ):
            if o.in_scope("tbody", "thead", "tfoot", scope=TABLE_SCOPE):
                clear_stack_to_table_body_context(o)
                o.pop()
                o.mode = "in table"
                o.reprocess(token)
        case "end", "body" | "caption" | "col" | "colgroup" | "html" | "td" | "th" | "tr":
            pass
        case _:
            in_table(o, token)


def clear_stack_to_table_body_context(o: Oracle) -> None:
    """#clear-the-stack-back-to-a-table-body-context."""
    while o.current.tag not in ("tbody", "tfoot", "thead", "template", "html"):
        o.pop()


def in_row(o: Oracle, token: Token) -> None:
    """#parsing-main-intr."""
    match token.kind, token.name:
        case "start", "th" | "td":
            clear_stack_to_table_row_context(o)
            o.insert_html(token)
            o.mode = "in cell"
            o.insert_marker()
        case "end", "tr":
            if o.in_scope("tr", scope=TABLE_SCOPE):
                clear_stack_to_table_row_context(o)
                o.pop()
                o.mode = "in table body"
        case ("start", "caption" | "col" | "colgroup" | "tbody" | "tfoot" | "thead" | "tr") | (
            "end",
            "table",
        ):
            if o.in_scope("tr", scope=TABLE_SCOPE):
                clear_stack_to_table_row_context(o)
                o.pop()
                o.mode = "in table body"
                o.reprocess(token)
        case "end", "tbody" | "tfoot" | "thead" as name:
            if not o.in_scope(name, scope=TABLE_SCOPE):
                return
            if not o.in_scope("tr", scope=TABLE_SCOPE):
                return
            clear_stack_to_table_row_context(o)
            o.pop()
            o.mode = "in table body"
            o.reprocess(token)
        case "end", "body" | "caption" | "col" | "colgroup" | "html" | "td" | "th":
            pass
        case _:
            in_table(o, token)


def clear_stack_to_table_row_context(o: Oracle) -> None:
    """#clear-the-stack-back-to-a-table-row-context."""
    while o.current.tag not in ("tr", "template", "html"):
        o.pop()


def in_cell(o: Oracle, token: Token) -> None:
    """#parsing-main-intd."""
    match token.kind, token.name:
        case "end", "td" | "th" as name:
            if o.in_scope(name, scope=TABLE_SCOPE):
                o.generate_implied_end_tags()
                o.pop_until(name)
                o.clear_formatting_to_marker()
                o.mode = "in row"
        case "start", name if name in TABLE_PARTS:
            if o.in_scope("td", "th", scope=TABLE_SCOPE):
                close_cell(o)
                o.reprocess(token)
        case "end", "body" | "caption" | "col" | "colgroup" | "html":
            pass
        case "end", "table" | "tbody" | "tfoot" | "thead" | "tr" as name:
            if o.in_scope(name, scope=TABLE_SCOPE):
                close_cell(o)
                o.reprocess(token)
        case _:
            in_body(o, token)


def close_cell(o: Oracle) -> None:
    """#close-the-cell."""
    o.generate_implied_end_tags()
    o.pop_until("td", "th")
    o.clear_formatting_to_marker()
    o.mode = "in row"


# -- templates, framesets, the end -----------------------------------------------------
