"""Inputs that make careless parsers slow: each family grows with n.

The sizes are chosen so that n = 1000 gives some ten to hundred kilobytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

FORMATTING: Final = "a b big code em font i nobr s small strike strong tt u".split()


def distinct(n: int, name: str = "font") -> str:
    """n distinct formatting elements."""
    return "".join(f"<{name} size={number}>" for number in range(n))


FAMILIES: Final[dict[str, Callable[[int], str]]] = {
    # the reader
    "less-than": lambda n: "<" * 30 * n,
    "less-than-slash": lambda n: "</" * 20 * n,
    "less-than-bang": lambda n: "<!" * 20 * n,
    "less-than-question": lambda n: "<?" * 20 * n,
    "less-than-letter": lambda n: "<a" * 20 * n,
    "end-without-name": lambda n: "</>" * 10 * n,
    "nul": lambda n: "\0" * 20 * n,
    "nul-in-tags": lambda n: "<a\0 b\0=c\0>" * 3 * n,
    "long-name": lambda n: "<" + "a" * 30 * n + ">",
    "long-value": lambda n: "<p title='" + "a\n" * 20 * n + "'>",
    "open-value": lambda n: '<p title="' + "x>" * 20 * n,
    "open-values": lambda n: "<p title='" * 10 * n,
    "plaintext": lambda n: "<plaintext>" + "</plaintext>" * 5 * n,
    "script-open": lambda n: "<script>" + "</scrip" * 5 * n,
    "script-escaped": lambda n: "<script>" + "<!--<script>" * 5 * n,
    "script-dashes": lambda n: "<script><!--" + "-" * 30 * n,
    "scripts": lambda n: "<script><!--</script>" * 3 * n,
    "textarea-open": lambda n: "<textarea>" + "</textare" * 5 * n,
    "titles": lambda n: "<title>x</title>" * 3 * n,
    "style-open": lambda n: "<style>" + "<" * 20 * n,
    # references
    "ampersands": lambda n: "&" * 30 * n,
    "named": lambda n: "&amp;" * 10 * n,
    "named-long": lambda n: "&" + "CounterClockwise" * 3 * n,
    "named-unknown": lambda n: "&xyzzy;" * 6 * n,
    "named-prefix": lambda n: "&notit;" * 6 * n,
    "numeric-long": lambda n: "&#" + "1" * 30 * n + ";",
    "numeric-zeros": lambda n: "&#x" + "0" * 30 * n + "41;",
    "numeric": lambda n: "&#65;" * 8 * n,
    "in-value": lambda n: "<p title='" + "&copy=&amp" * 5 * n + "'>",
    # comments and their kin
    "comment-open": lambda n: "<!--" * 10 * n,
    "comment-dashes": lambda n: "<!--" + "-" * 30 * n,
    "comment-bangs": lambda n: "<!--" + "--!" * 15 * n,
    "comment-nested": lambda n: "<!--" + "<!--!" * 10 * n + "-->",
    "comments-with-bangs": lambda n: "x" + "<!--a--!>" * 5 * n,
    "comments": lambda n: "<!-- x -->" * 5 * n,
    "bogus": lambda n: "<!x>" * 10 * n,
    "instructions": lambda n: "<?a b?>" * 6 * n,
    "instruction-open": lambda n: "<?a " + "?" * 30 * n,
    "doctypes": lambda n: "<!DOCTYPE html>" * 4 * n,
    "doctype-open": lambda n: "<!DOCTYPE html PUBLIC '" + "x" * 30 * n,
    "cdata": lambda n: "<svg>" + "<![CDATA[x]]>" * 4 * n,
    "cdata-open": lambda n: "<svg><![CDATA[" + "]]" * 15 * n,
    # attributes
    "attributes": lambda n: "<p " + " ".join(f"a{i}=1" for i in range(4 * n)) + ">",
    "attributes-same": lambda n: "<p " + "a=1 " * 8 * n + ">",
    "attributes-odd": lambda n: "<p " + " ".join(f"@{i}:x" for i in range(3 * n)) + ">",
    "attributes-late": lambda n: "".join(f"<body a{i}>" for i in range(3 * n)),
    "attributes-late-html": lambda n: "<p>" + "<html a=1 b=2>" * 3 * n,
    "prefixes": lambda n: "".join(f"<p{i}:x a{i}:y=1>" for i in range(2 * n)),
    "prefixes-alike": lambda n: "".join(f"<i xmlns:p{i}=u:1 p{i}:x a:x>" for i in range(n)),
    "xmlns": lambda n: "".join(f"<p xmlns:p{i}=urn:{i}>" for i in range(2 * n)),
    "xml-ids": lambda n: "".join(f"<br xml:id=i{i}>" for i in range(2 * n)),
    # depth
    "divs": lambda n: "<div>" * 8 * n,
    "spans": lambda n: "<span>" * 8 * n,
    "spans-unmatched": lambda n: "<span>" * 4 * n + "</b></x>" * 4 * n,
    "hidden-unmatched": lambda n: "<x><p>" + "<y>" * 4 * n + "</x>" * 4 * n,
    "divs-unmatched": lambda n: "<object><div>" + "<span>" * 4 * n + "</object></p>" * 3 * n,
    "items": lambda n: "<li>" * 8 * n,
    "items-deep": lambda n: "<li>" + "<span>" * 4 * n + "<li>" * 4 * n,
    "lists": lambda n: "<ul><li>" * 4 * n,
    "definitions": lambda n: "<dd><span>" * 4 * n,
    "paragraph-blocks": lambda n: "<p><div>" * 4 * n,
    "headings": lambda n: "<h1>" * 8 * n + "</h2>" * 4 * n,
    "buttons": lambda n: "<button>" * 4 * n,
    "forms": lambda n: "<form><div></form>" * 3 * n,
    "objects": lambda n: "<object><b>" * 3 * n,
    "rubies": lambda n: "<ruby><rt>" * 3 * n,
    "ends-p": lambda n: "</p>" * 8 * n,
    "ends-br": lambda n: "</br>" * 8 * n,
    # formatting
    "bold": lambda n: "<b>" * 8 * n,
    "bold-blocks": lambda n: "<b><p>" * 4 * n,
    "bold-crossed": lambda n: "<b><p>" * 3 * n + "</b>" * 3 * n,
    "crossed": lambda n: "<p><b><i><u></p>" * 2 * n,
    "links": lambda n: "<a href=x><p>" * 3 * n,
    "nobrs": lambda n: "<nobr><div>" * 3 * n,
    "all-formatting": lambda n: "".join(f"<{name}>" for name in FORMATTING) * n,
    "distinct": lambda n: distinct(n),
    "distinct-blocks": lambda n: distinct(n // 2) + "<p>x" * 2 * n,
    "distinct-ends": lambda n: distinct(n) + "<p>" + "</font>" * n,
    "distinct-attributes": lambda n: "".join(f"<b a{i}=1>" for i in range(2 * n)) + "<p>x</p>" * n,
    "distinct-deep": lambda n: "".join(f"<b a={i}>" for i in range(4 * n)) + "x",
    "distinct-and-equal": lambda n: "".join(f"<b a={i}><b>" for i in range(3 * n)),
    "distinct-marked": lambda n: (
        "<b>" + distinct(200, "i") + "".join(f"<object></object><i a={i}>" for i in range(n))
    ),
    "formatting-in-deep": lambda n: "<b>" + "<div>" * 3 * n + "</b>" * 3 * n,
    "markers": lambda n: "<table><td><b>" * 2 * n,
    # tables
    "tables": lambda n: "<table>" * 5 * n,
    "tables-text": lambda n: "<table>x" * 4 * n,
    "tables-nested": lambda n: "<table><tr><td>" * 2 * n,
    "tables-nested-text": lambda n: "<table>x<tr>y<td>z" * 2 * n,
    "tables-links": lambda n: "<table><a href=x>" * 3 * n,
    "tables-links-text": lambda n: "<a>1<table>" * 3 * n,
    "tables-ends": lambda n: "<table><td><div>" * n + "</tr></x></tbody>" * 2 * n,
    "cells": lambda n: "<table>" + "<td>" * 8 * n,
    "rows-text": lambda n: "<table>" + "<tr>x" * 6 * n,
    "captions": lambda n: "<table>" + "<caption><b>x" * 3 * n,
    "columns": lambda n: "<table>" + "<col>" * 6 * n,
    "foster-space": lambda n: "<table>" + " x" * 15 * n,
    "foster-pieces": lambda n: "<table>" + "x<!-- -->" * 4 * n,
    "foster-formatting": lambda n: "<table>" + "<b>x" * 4 * n,
    # select, templates, foreign content, frames
    "selects": lambda n: "<select>" * 6 * n,
    "options": lambda n: "<select>" + "<option>x" * 5 * n,
    "options-groups": lambda n: "<select>" + "<optgroup><option>x" * 2 * n,
    "selects-deep": lambda n: "<div><select><option>" * 2 * n,
    "selectedcontent": lambda n: "<select><button><selectedcontent></button><option>x" * n,
    "selectedcontents": lambda n: (
        "<select>" + "<button><selectedcontent></button><option selected>x" * n
    ),
    "selectedcontent-options": lambda n: (
        "<select><button><selectedcontent></button>" + "<option selected>x" * 3 * n
    ),
    "selectedcontent-inside": lambda n: (
        "<select><selectedcontent>" + "<div><option selected>x</option>y</div>" * n
    ),
    "selectedcontent-removed": lambda n: (
        "<select><selectedcontent>" + "<div><option selected>x</option>" * 2 * n
    ),
    "selectedcontent-in-option": lambda n: (
        "<select><selectedcontent></selectedcontent><option selected>" + "<selectedcontent>x" * n
    ),
    "selectedcontent-adopted": lambda n: (
        "<select><selectedcontent>" + "<b><option selected><div>x</b></div>" * n
    ),
    "selectedcontent-left": lambda n: (
        "<select>" + "<option>y" * n + "<b><selectedcontent>x<div></b></div>" * n
    ),
    "selectedcontent-brought-back": lambda n: (
        "<select><selectedcontent>" + "<b><span>x<option selected></option><p>y</b></p>" * n
    ),
    "selectedcontent-fostered": lambda n: (
        "<select><selectedcontent></selectedcontent><table>"
        + "<option selected>x<tr><td><option selected>y</td></tr>" * n
    ),
    "selectedcontent-options-first": lambda n: (
        "<select>" + "<option>x" * 2 * n + "<button><selectedcontent></button>" * n
    ),
    "selectedcontent-groups": lambda n: (
        "<select><selectedcontent>" + "<b><optgroup><span><optgroup><option><div></b></div>" * n
    ),
    "selects-in-options": lambda n: (
        "<select><button><selectedcontent></button><option>x<table><td>" * (n // 8)
    ),
    "templates": lambda n: "<template>" * 4 * n,
    "templates-rows": lambda n: "<template><tr><td>" * 2 * n,
    "templates-ends": lambda n: "<template><div>" * 2 * n + "</div></template>" * 2 * n,
    "svg": lambda n: "<svg>" * 6 * n,
    "svg-deep": lambda n: "<svg>" + "<g>" * 6 * n + "</x>" * 4 * n,
    "svg-points": lambda n: "<svg><desc><b>" * 2 * n,
    "svg-breakout": lambda n: "<svg><g><p>" * 3 * n,
    "math": lambda n: "<math><mi><mglyph>" * 2 * n,
    "foreign-object": lambda n: "<svg><foreignobject><div></svg>" * n,
    "framesets": lambda n: "<frameset>" * 4 * n,
    "frameset-text": lambda n: "<frameset>" + "x" * 20 * n,
    "late-head": lambda n: "<head></head>" + "<meta>" * 5 * n,
    "after-html": lambda n: "</html><!--x-->" * 3 * n,
    "after-body": lambda n: "</body> x" * 4 * n,
}
