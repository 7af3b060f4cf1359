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

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle import Oracle, Token

# -- vocabulary ------------------------------------------------------------------------
#
# Elements are named by their "tag name string" of the conformance data: "p", "svg desc",
# "math mi". No name the tokenizer makes contains a space.

HTML: Final = ""
SVG: Final = "svg"
MATHML: Final = "math"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _lines(text: str) -> tuple[str, ...]:
    return tuple(ascii_lower(line.strip()) for line in text.strip().splitlines())


def ascii_lower(text: str) -> str:
    """`text` in ASCII lowercase: no other letter changes."""
    return "".join(char.lower() if char.isascii() else char for char in text)


# The lists of tag names that several entries share.
HEADINGS: Final = _words("h1 h2 h3 h4 h5 h6")
HEAD_ELEMENTS: Final = _words(
    "base basefont bgsound link meta noframes script style template title"
)
BLOCKS: Final = _words("""
    address article aside blockquote center details dialog dir div dl fieldset figcaption figure
    footer header hgroup main menu nav ol search section summary ul
    """)
FORMATTING: Final = _words("b big code em font i s small strike strong tt u")
TABLE_FRAME: Final = _words("table tbody template tfoot thead tr")
TABLE_PARTS: Final = _words("caption col colgroup tbody td tfoot th thead tr")
BREAKOUT: Final = _words("""
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
    listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
    """)

# #mathml-text-integration-point, #html-integration-point, and both with annotation-xml
MATHML_TEXT_INTEGRATION_POINTS: Final = frozenset(
    {"math mi", "math mo", "math mn", "math ms", "math mtext"}
)
SVG_HTML_INTEGRATION_POINTS: Final = frozenset({"svg foreignObject", "svg desc", "svg title"})
FOREIGN_MARKERS: Final = (
    MATHML_TEXT_INTEGRATION_POINTS | SVG_HTML_INTEGRATION_POINTS | {"math annotation-xml"}
)

# #special
SPECIAL: Final = (
    _words("""
    address applet area article aside base basefont bgsound blockquote body br button caption
    center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form
    frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link
    listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre
    script search section select source style summary table tbody td template textarea tfoot th
    thead title tr track ul wbr xmp
    """)
    | FOREIGN_MARKERS
)

# #has-an-element-in-scope and its kin
SCOPE: Final = (
    _words("applet caption html table td th marquee object select template") | FOREIGN_MARKERS
)
LIST_ITEM_SCOPE: Final = SCOPE | {"ol", "ul"}
BUTTON_SCOPE: Final = SCOPE | {"button"}
TABLE_SCOPE: Final = _words("html table template")

# #generate-implied-end-tags, #generate-all-implied-end-tags-thoroughly
IMPLIED_END: Final = _words("dd dt li optgroup option p rb rp rt rtc")
IMPLIED_END_THOROUGHLY: Final = IMPLIED_END | _words("caption colgroup tbody td tfoot th thead tr")

# #adjust-svg-attributes
SVG_ATTRIBUTES: Final = {
    name.lower(): name
    for name in _words("""
    attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant
    edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength
    keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits
    markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits
    patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio
    primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures
    specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles
    surfaceScale systemLanguage tableValues targetX targetY textLength viewBox viewTarget
    xChannelSelector yChannelSelector zoomAndPan
    """)
}

# #parsing-main-inforeign, "any other start tag"
SVG_ELEMENTS: Final = {
    name.lower(): name
    for name in _words("""
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath
    feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
    feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight
    feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
    radialGradient textPath
    """)
}

# #adjust-foreign-attributes: the name in the token, and as the conformance data writes it
FOREIGN_ATTRIBUTES: Final = {
    "xlink:actuate": "xlink actuate",
    "xlink:arcrole": "xlink arcrole",
    "xlink:href": "xlink href",
    "xlink:role": "xlink role",
    "xlink:show": "xlink show",
    "xlink:title": "xlink title",
    "xlink:type": "xlink type",
    "xml:lang": "xml lang",
    "xml:space": "xml space",
    "xmlns": "xmlns xmlns",
    "xmlns:xlink": "xmlns xlink",
}


# #the-initial-insertion-mode, the conditions for quirks mode
_QUIRKY_PUBLIC_IDS: Final = _lines(
    """
    -//W3O//DTD W3 HTML Strict 3.0//EN//
    -/W3C/DTD HTML 4.0 Transitional/EN
    HTML
    """
)
_QUIRKY_SYSTEM_ID: Final = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_QUIRKY_PREFIXES: Final = _lines(
    """
    +//Silmaril//dtd html Pro v0r11 19970101//
    -//AS//DTD HTML 3.0 asWedit + extensions//
    -//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//
    -//IETF//DTD HTML 2.0 Level 1//
    -//IETF//DTD HTML 2.0 Level 2//
    -//IETF//DTD HTML 2.0 Strict Level 1//
    -//IETF//DTD HTML 2.0 Strict Level 2//
    -//IETF//DTD HTML 2.0 Strict//
    -//IETF//DTD HTML 2.0//
    -//IETF//DTD HTML 2.1E//
    -//IETF//DTD HTML 3.0//
    -//IETF//DTD HTML 3.2 Final//
    -//IETF//DTD HTML 3.2//
    -//IETF//DTD HTML 3//
    -//IETF//DTD HTML Level 0//
    -//IETF//DTD HTML Level 1//
    -//IETF//DTD HTML Level 2//
    -//IETF//DTD HTML Level 3//
    -//IETF//DTD HTML Strict Level 0//
    -//IETF//DTD HTML Strict Level 1//
    -//IETF//DTD HTML Strict Level 2//
    -//IETF//DTD HTML Strict Level 3//
    -//IETF//DTD HTML Strict//
    -//IETF//DTD HTML//
    -//Metrius//DTD Metrius Presentational//
    -//Microsoft//DTD Internet Explorer 2.0 HTML Strict//
    -//Microsoft//DTD Internet Explorer 2.0 HTML//
    -//Microsoft//DTD Internet Explorer 2.0 Tables//
    -//Microsoft//DTD Internet Explorer 3.0 HTML Strict//
    -//Microsoft//DTD Internet Explorer 3.0 HTML//
    -//Microsoft//DTD Internet Explorer 3.0 Tables//
    -//Netscape Comm. Corp.//DTD HTML//
    -//Netscape Comm. Corp.//DTD Strict HTML//
    -//O'Reilly and Associates//DTD HTML 2.0//
    -//O'Reilly and Associates//DTD HTML Extended 1.0//
    -//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//
    -//SQ//DTD HTML 2.0 HoTMetaL + extensions//
    -//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//
    -//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//
    -//Spyglass//DTD HTML 2.0 Extended//
    -//Sun Microsystems Corp.//DTD HotJava HTML//
    -//Sun Microsystems Corp.//DTD HotJava Strict HTML//
    -//W3C//DTD HTML 3 1995-03-24//
    -//W3C//DTD HTML 3.2 Draft//
    -//W3C//DTD HTML 3.2 Final//
    -//W3C//DTD HTML 3.2//
    -//W3C//DTD HTML 3.2S Draft//
    -//W3C//DTD HTML 4.0 Frameset//
    -//W3C//DTD HTML 4.0 Transitional//
    -//W3C//DTD HTML Experimental 19960712//
    -//W3C//DTD HTML Experimental 970421//
    -//W3C//DTD W3 HTML//
    -//W3O//DTD W3 HTML 3.0//
    -//WebTechs//DTD Mozilla HTML 2.0//
    -//WebTechs//DTD Mozilla HTML//
    """
)
_QUIRKY_PREFIXES_WITHOUT_SYSTEM_ID: Final = _lines(
    """
    -//W3C//DTD HTML 4.01 Frameset//
    -//W3C//DTD HTML 4.01 Transitional//
    """
)


def is_quirky(token: Token) -> bool:
    """Whether this doctype sets the document to quirks mode (#the-initial-insertion-mode).

    Limited-quirks mode is left out: no rule of the parser asks for it.
    """
    public_id = None if token.public_id is None else ascii_lower(token.public_id)
    system_id = None if token.system_id is None else ascii_lower(token.system_id)
    if token.force_quirks or token.name != "html" or system_id == _QUIRKY_SYSTEM_ID:
        return True
    if public_id is None:
        return False
    return (
        public_id in _QUIRKY_PUBLIC_IDS
        or public_id.startswith(_QUIRKY_PREFIXES)
        or (system_id is None and public_id.startswith(_QUIRKY_PREFIXES_WITHOUT_SYSTEM_ID))
    )


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
                in_template(o, token)
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
            in_head(o, token)
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
            in_head(o, token)
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
            in_head(o, token)
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
            in_head(o, token)
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
