"""Random markup made to reach the rare rules of the tree builder.

`random_soup` strings pieces together at random, out of one or a few themes so that what
belongs to one rule meets in one document; `seeded_soup` mutates markup known to be nasty.
Both depend on nothing but the random generator they are given.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

# -- pieces ----------------------------------------------------------------------------

THEMES: Final = {
    theme: tuple(names.split())
    for theme, names in {
        "table": "table table tbody thead tfoot tr tr td td th caption colgroup col",
        "formatting": "a a b b i i u s em strong code font font nobr nobr big small tt strike",
        "block": "p p p div div span section h1 h2 h3 center blockquote article search main pre",
        "list": "ul ol li li li dl dt dd dd menu dir div p address",
        "form": "form form input button button textarea select option fieldset label p div",
        "select": "select select option option optgroup optgroup hr input keygen button datalist",
        "template": "template template template tr td col tbody caption div p b",
        "foreign": "svg svg math math desc title foreignObject mi mo mtext annotation-xml mglyph"
        " malignmark path g script style font p b table",
        "frames": "frameset frameset frame noframes body html head",
        "head": "head title meta link base style script noscript template body html basefont",
        "ruby": "ruby ruby rb rt rt rp rtc p span b",
        "marker": "applet marquee object button td caption template b a p",
        "raw": "textarea title style script xmp iframe noembed noscript noframes listing pre",
        "void": "br hr img image input area embed param source track wbr keygen col meta link",
        "other": "foo bar o:p span sarcasm dialog details summary object video custom-element",
    }.items()
}
RAW: Final = frozenset("title textarea style script xmp iframe noembed noframes".split())
TEXTS: Final = (
    *("x", "y", "z", "xyz", "a b", " ", " ", "\n", "\n\n", "\t ", "\nx", " x ", "\f"),
    *("\0", "x\0y", " \0", "&amp;", "&#0;", "&#13;", "&lt;b>", "&notit;", "&", "]]>", "é", "𝄞"),
)
ODDMENTS: Final = (
    *("<!--c-->", "<!--d-->", "<!---->", "<!-- a--b-->", "<!--e", "<!bogus>", "</ x>", "</>", "<"),
    *("<?target data?>", "<?xml version='1.0'?>", "<![CDATA[x]]>", "<![CDATA[ \0<b>]]>"),
    *("<!DOCTYPE html>", "<!DOCTYPE>", "</br>", "</p>", "</br>", "</p>", "<p/>", "<b/>"),
    *("<br/>", "<svg/>", "<math/>", "<g/>", "<script/>", "</script>", "</svg>", "</math>"),
    *("<svg><script/>", "<svg><title>", "<svg><desc>", "<svg><foreignObject>", "<math><mi>"),
    *("<math><annotation-xml>", "<math><annotation-xml encoding=text/html>"),
    *("<math><annotation-xml encoding='Application/XHTML+xml'>", "<math definitionurl=d>"),
    *("<svg viewbox=v xlink:href=h xml:lang=l>", "<svg><font color=c>", "<svg><font>"),
    *("<input type=hidden>", "<input type=HIDDEN>", "<input type=text>"),
    *("<body class=late>", "<html lang=late>", "<body onload=l id=i>", "<html id=i class=c>"),
    *("</body>", "</html>", "</body></html>", "<body>", "<head></head>", "<table><tr><td>"),
    *("<b class=a>", "<b class=a><b class=a><b class=a><b class=a>", "<a href=1>", "<a href=2>"),
    *("<i id=1 class=2>", "<i class=2 id=1>", "<font size=4>", "<font size=4><font size=5>"),
    *("<select><option selected>", "<option disabled>", "<form id=f>", "<p title='a>b'>"),
    *("<pre>\n", "<textarea>\n", "<listing>\n\n", "<title>t</title>", "<style>s</style>"),
    *("<script>s</script>", "<script><!--<script>--></script>", "<xmp></p></xmp>"),
    *("<noscript><b></noscript>", "<iframe><p></iframe>", "<noframes><p></noframes>"),
)
BEGINNINGS: Final = (
    *("", "", "", "", "<!DOCTYPE html>", "<!DOCTYPE html>", "<!DOCTYPE html>", " <!--c-->\n"),
    *("<!DOCTYPE html SYSTEM 'about:legacy-compat'>", "<html>", "<html lang=en><head>"),
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "loose.dtd">',
    *("<!DOCTYPE html><title>t</title><body>", "<head><title>t</title></head>", "<body>"),
)
ATTRIBUTES: Final = (
    *(" class=a", " class=a", " class=b", " id=1", " id=1 class=a", " class=a id=1", " CLASS='a'"),
    *(" class=a class=b", " type=hidden", " href='#'", " x", " a:b=c", " xmlns=u", " selected"),
    *(" color=red", " encoding=text/html", " xlink:href=h", " title='&amp;&lt;'", " /", "/"),
)


def random_soup(rng: random.Random, size: int) -> str:
    """Markup of about `size` pieces, out of one to three themes."""
    names = [name for theme in rng.sample([*THEMES], rng.randint(1, 3)) for name in THEMES[theme]]
    everything = [name for theme in THEMES.values() for name in theme]
    opened: list[str] = []
    pieces = [rng.choice(BEGINNINGS)]
    for _ in range(size):
        kind = rng.random()
        name = rng.choice(names if rng.random() < 0.9 else everything)
        if kind < 0.48:
            pieces.append(_start_tag(rng, name))
            if name in RAW and rng.random() < 0.8:  # lest it swallow all that follows
                pieces += [rng.choice(TEXTS), _end_tag(rng, name)]
            else:
                opened.append(name)
        elif kind < 0.74:
            pieces.append(_end_tag(rng, rng.choice(opened[-6:]) if opened else name))
        elif kind < 0.78:
            pieces.append(_end_tag(rng, name))
        elif kind < 0.92:
            pieces.append(rng.choice(TEXTS))
        else:
            pieces.append(rng.choice(ODDMENTS))
    if rng.random() < 0.1:
        pieces.append(rng.choice(("<plaintext></plaintext>x", "<!--", "<b", "</b", "<a x='", "<")))
    return "".join(pieces)


SELECT_PIECES: Final = (
    *("<option>", "<option>", "<option selected>", "<option selected>", "<option disabled>"),
    *("</option>", "</option>", "</option>", "<optgroup>", "<optgroup disabled>", "</optgroup>"),
    *("<selectedcontent>", "<selectedcontent>", "</selectedcontent>", "</selectedcontent>"),
    *("<button>", "</button>", "<select>", "</select>", "<hr>", "<datalist>", "</datalist>"),
    *("<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<i>", "</i>", "<a>", "</a>", "<span>"),
    *(
        "<table>",
        "<tr>",
        "<td>",
        "</td>",
        "</table>",
        "<template>",
        "</template>",
        "<li>",
        "</form>",
    ),
    *("<object>", "</object>", "<form>", "<svg>", "<desc>", "</svg>", "<!--c-->", "<br>"),
    *("1", "2", "3", "4", "5", " "),
)
SELECT_BEGINNINGS: Final = (
    *("<select>", "<select><button><selectedcontent></button>", "<select><selectedcontent>"),
    *("<select><button><selectedcontent>", "<select><option>x</option><selectedcontent>"),
    *("<table><td><select>", "<option><select><selectedcontent>", "<b><select><selectedcontent>"),
    *("<select size=2><selectedcontent>", "<select multiple><selectedcontent>", ""),
    *("<select><b><selectedcontent>", "<select><table><selectedcontent>"),
)


def select_soup(rng: random.Random, size: int) -> str:
    """Markup of about `size` pieces in a select with a selectedcontent."""
    few = rng.sample(SELECT_PIECES, rng.randint(6, 30))
    pieces = [rng.choice(few if rng.random() < 0.7 else SELECT_PIECES) for _ in range(size)]
    if rng.random() < 0.4:  # one that the adoption agency has to move something for
        name = rng.choice("abi")
        at = sorted(rng.choices(range(size + 1), k=3))
        pieces = [
            *(f"<{name}>", *pieces[: at[0]], rng.choice(("<div>", "<p>", "<li>", "<form>"))),
            *(*pieces[at[0] : at[1]], f"</{name}>", *pieces[at[1] :]),
        ]
    return rng.choice(SELECT_BEGINNINGS) + "".join(pieces)


def _start_tag(rng: random.Random, name: str) -> str:
    attributes = rng.choice(ATTRIBUTES) if rng.random() < 0.25 else ""
    return f"<{name}{attributes}>"


def _end_tag(rng: random.Random, name: str) -> str:
    return f"</{name}>" if rng.random() < 0.97 else f"</{name} class=a>"


# -- seeds -----------------------------------------------------------------------------

SEEDS: Final = (
    # adoption agency, reconstruction, Noah's Ark
    "x<a><form><div><table><a></a></table></form>y</div>z",
    "<b>1<i>2<p>3</b>4</i>5</p>6",
    "<a>1<p>2</a>3</p>4<a>5<div>6<div>7</a>8",
    "<a href=1>x<table><tr><td><a href=2>y</table>z</a>w",
    "<b><b><b><b><b><p>x</b></b></b></b></b>y",
    "<b class=a><b class=a><b class=a><b class=a><b class=b><p>x</p></b>y<p>z",
    "<font size=4><font size=4><font size=4><font size=4><p>X</font></p>Y",
    "<i id=1 class=2><i class=2 id=1><i id=1 class=2><i class=2 id=1></p><p>x",
    "<b><em><foo><foo><foo><aside></b></em>x",
    "<b><em><u><s><tt><code><big><small><div></b>x</em></div>y",
    "<a><b><i><div><p><span>x</a>y</b>z</i>w",
    "<b>1<div>2<div>3<div>4<div>5<div>6<div>7<div>8<div>9<div>10</b>11",
    "<p><b><i><u></p>x<p>y</u></i></b>z",
    "<nobr>1<nobr>2<div><nobr>3</div><nobr>4</nobr>5",
    "<nobr><table><td><nobr>x</td></table><nobr>y",
    "<b><object>x</b>y</object>z</b>",
    "<b><marquee><i>x</marquee>y</i></b>z",
    "<a><marquee><a>x</marquee></a>y",
    "<p><b>x</p><address>y</b></address><p>z",
    "<em><li><em><li></em>x</em>y",
    "<b><span><svg><desc><p>x</b>y</desc>z</svg></span>w",
    "<a><svg><a><foreignObject><a>x</a></foreignObject></a>y",
    "<cite><b><cite><i><cite><i><cite><i><div>X</b>TEST",
    "<div><a><b><u><i><code><div></a>",
    "<b></b><b><b><b><b></b></b></b></b><p>x<p>y",
    # tables and foster parenting
    "<table><tr><td><b>x<table>y</b>z",
    "<table>a<tr>b<td>c</td>d</tr>e</table>f",
    "<table><b>1<tr><i>2<td>3</td></i>4</b>5</table>6",
    "<table><tr> <td></td> x </tr> </em>y</table>",
    "<p>1<table>2<table>3</table>4</table>5",
    "<table><caption><b>x<tr><td>y</b></table>z",
    "<table><caption>x<p>y</table>z</caption>w",
    "<table><colgroup><col></col><col> x <col></colgroup><col><tr>y",
    "<table><colgroup> <!--c--><b>x</colgroup></table>",
    "<table><thead><tr><th>x<tbody><td>y<tfoot><tr>z</thead></table>",
    "<table><tbody></tr><td></th>x</td></caption></tbody>y</table>",
    "<table><form><tr><form><td><form>x</form></td></form>y</table></form>z",
    "<table><input type=hidden><input type=HIDDEN><tr><input><td><input type=hidden></table>",
    "<table><style>s</style><script>t</script><tr><style>u</style><td></table>",
    "<table><div><table><span>x</div>y</table>z",
    "<table><li>1<li>2<tr><li>3<td><li>4</table>5",
    "<a>1<table><a>2<tr><a>3<td><a>4</a></table>5",
    "<b><table><tr><td>x</b>y</td></tr></b>z</table>w",
    "<table><tr><td></table><td>x<tr>y",
    "<table>\0x<tr>\0 <td>\0</table>",
    "<table><tr><td><p>x<td><p>y<th>z</p></tr></table></p>",
    "<table><select><tr><td>x</select></table>y",
    "<table><svg><tr><td>x</svg>y</table>z",
    "<table><math><mi><tr><td>x</mi>y</table>z",
    "<table><tr><svg><desc><td>x</desc>y</svg>z",
    "<table><button><tr><p></button>x</table>y",
    "<table><h1><h2>x</h1><tr></h2>y</table>",
    "<table><b><p><tr></b>x</p>y</table>z",
    "<table><p>1<b>2<tr>3</p>4</b>5<td>6</table>7",
    "<table><b><p>1</b>2</p>3<tr><i><div>4</i>5</div>6<td>7</table>8",
    "<table><a><div>1<a>2</div>3<tbody><u><nobr><p><nobr>4</u>5</table>6",
    "<table><tr><font><code><div><p></font>x<b>y</code>z</p><td></table>",
    "<div><table></div>x<tr></p>y</table>z</div>",
    "<!DOCTYPE html><p><table></p>x<tr><p><table>y",
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><p>x<table><tr><td>y</p></table>z',
    # blocks, lists, headings, ruby, white space
    "<p>1<div>2</p>3<ul><p>4<li>5</ul>6",
    "<ul><li>1<ul><li>2</ul><li>3<div><li>4<p><li>5</ul>6</li>",
    "<dl><dt>1<dd>2<dl><dd>3<dt>4</dl><dt>5<div><dd>6</dl>7</dd>",
    "<li><address><li><div><p><li><section><li>x",
    "<h1>1<h2>2<b>3<h3>4</b></h1>5</h2>6",
    "<h1><div><h2>x</h1>y</div></h3>z",
    "<p><button><p>x</p>y</button></p><button>z<button>w",
    "<ruby><rb>1<rt>2<rtc>3<rt>4<rp>5<rb>6</ruby>7<rt>8<p><rt>9",
    "<pre>\n\nx</pre><listing>\ny</listing><pre> \nz<pre>\0\nw",
    "<textarea>\n\nx</p></textarea><textarea>&lt;\0</TextArea >y",
    "<p>x<plaintext><p>y</plaintext>",
    "<p><xmp>x</xm></xmp>y<xmp\n>z",
    "</p><p></p></p><br></br></br>x</br>",
    "<image src=x><isindex><keygen><wbr><param><source><track>x",
    "<foo><p></foo>x</p><bar><b></bar>y",
    "<applet><p><applet><b>x</applet>y</p></applet>z",
    # forms and select
    "<form>1<div>2</form>3<form>4</div>5</form>6",
    "<form><p><form>x</form></p>y</form><form>z",
    "<div><form><b><div></form>x</b>y<form>z</div>",
    "<form><select></form><form>x</select></form><form>y",
    "<select><option>1<optgroup>2<option>3<option>4</optgroup>5<hr>6</select>7",
    "<select><div><i></div><option>x</i><option>y</select>z",
    "<select><b><option>x<select><option>y</b></select>z",
    "<select><input>x<select>y<textarea>z</textarea><keygen>w",
    "<option>1<option>2<optgroup>3<option>4</option>5<p><option>6",
    "<select><button><div><select></select>x</button></select>y",
    "<select><table><tr><td><option>x</select>y</table>z",
    "<p><select><p>x</p><table>y</table></body></select>z",
    "<select><svg><option>x<p>y</select>z",
    "<button><a><div></button>x</a>y</div>",
    # foreign content
    "<svg><desc><b><i><p>x</b>y",
    "<svg><g>x<p>y<g/>z</svg><g/>w",
    "<svg><title><svg><b>x</title>y</svg>z",
    "<svg><foreignObject><table><tr><svg><td>x</table>y</foreignObject>z",
    "<svg><script>x</script><script/><style><b>y</style>z",
    "<svg></p>x</br><g><div>y",
    "<svg><font>x<font color=c>y</font>z",
    "<svg viewbox=v><lineargradient pathlength=1 xlink:href=h xml:space=s><altglyph>x",
    "<svg>\0x \0<![CDATA[y<b>]]><desc>\0<![CDATA[z]]></desc></svg><![CDATA[w]]>",
    "<math><mi>x<p>y<mglyph><malignmark>z</mi><mo><svg><b>w",
    "<math><annotation-xml><svg><p>x</svg></annotation-xml><p>y",
    "<math><annotation-xml encoding=TEXT/HTML><p>x<svg>y</annotation-xml>z",
    "<math><mtext><table><tr><mi>x</mtext>y</math>z",
    "<math><mi></math>x<math definitionURL=d><maction><b></maction>y",
    "<p><svg><desc></p>x<p>y</desc></svg>z</p>",
    "<svg><a><b></a>x</svg></b>y",
    "<div><svg><g><desc></div>x</g>y</div></svg>z",
    "<svg><select><option>x</svg>y</select>z",
    "<svg><body class=x><html id=y><desc><body id=z><html class=w>",
    "<svg></svg><g></g><svg><g></body></g></html><g>x",
    # head, body, frameset, the end
    "<title>x</title> <meta><p>y<title>z</title><link><base>",
    "<head></head> <!--c--><title>x</title><link> <style>s</style><body>y",
    "<head><noscript><link><!--c--> <style>s</style></noscript><meta></head>x",
    "<head><noscript><p>x</noscript>y</p><noscript>z</noscript>",
    "<head><noscript><head><noscript></br>x",
    "<head a=1><head b=2></head><head c=3>x<head>",
    "<head><template><title>x</head>y</template></head><template>z",
    "<!--1--><html><!--2--><head><!--3--></head><!--4--><body><!--5--></body><!--6--></html><!--7-->",
    "<html a=1><body b=1>x</body></html><body c=2><html d=2>y<body b=3><html a=4>",
    "</body><!--c--><frameset>",
    "</head></body></html> <!--c--> x</body> <!--d-->y</html> z",
    "<p><b>x</body> </html> \n<!--c-->y</b>z",
    "<div><span>x</body><p>y</html><i>z</div></body></html>\n<!--c-->\n",
    "<frameset> <frame>x<frameset><!--c--><noframes><p></noframes></frameset>y</frameset>z<frame>",
    "<frameset></frameset> <!--d--><noframes>x</noframes></html> <!--e--><noframes>y</noframes>z",
    " <p hidden> <input type=hidden><frameset><frame></frameset>",
    "<br><frameset>x</frameset>",
    "\0<frameset>x",
    "<svg>\0 <frameset>y",
    "<p>&#0;<frameset>",
    "<template></template><frameset>",
    "<meta><title>x</title><div><b><frameset><frame></frameset></html><!--c-->",
    "<!DOCTYPE html><!DOCTYPE html><html><!DOCTYPE html><body><!DOCTYPE html>x",
    "<?target data?><!DOCTYPE html><?a b?><html><?c d?><table><?e f?><tr></table></body><?g h?>",
    # templates
    "<template><tr><td>x</td></tr>y<div>z</template>w",
    "<template><col><p>x<td>y</template>z",
    "<template><caption>x<td>y</template><template><tbody>z<tr>",
    "<table><template><tr><b>x<td>y</template><tr>z</table>",
    "<table><tr><template><b>x<td></template>y<td>z</table>",
    "<template><b>1<template><i>2<p>3</b>4</template>5</p></template>6",
    "<b><template>x</b>y</template>z</b>",
    "<template><form><div></form>x<form>y</template><form>z</form>",
    "<template><select><template><option>x</template>y</select>z",
    "<template><html a=1><body b=2><head>x<frameset></template>y",
    "<template><table>x<tr>y<td>z</template></table>w",
    "<p><template><p>x</template></p></template>y",
    "<svg><template><p>x</template><desc><template>y</desc></template>z",
    "<template><a><table><a>x</template></a>y",
    "<table><colgroup><template><col>x</template><col></table>",
    "<template></p></br></body><!--c--></template></div>x",
    "<head><template><col><!--x--><template><td>y",
)
PIECE: Final = re.compile(r"<!--.*?-->|<[^<>]*>|[^<]+|<", re.DOTALL)


def seeded_soup(rng: random.Random) -> str:
    """One of the seeds after some mutations."""
    pieces = PIECE.findall(rng.choice(SEEDS))
    if rng.random() < 0.2:
        other = PIECE.findall(rng.choice(SEEDS))
        cut = rng.randint(0, len(pieces))
        pieces[cut:cut] = other[rng.randint(0, len(other)) :]
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4, 6))):
        _mutate(rng, pieces)
    return "".join(pieces)


def _mutate(rng: random.Random, pieces: list[str]) -> None:
    """Change one thing, in place."""
    here = rng.randint(0, len(pieces) - 1) if pieces else 0
    there = rng.randint(0, len(pieces) - 1) if pieces else 0
    kind = rng.choice(("insert", "insert", "delete", "duplicate", "swap", "close", "rename"))
    if kind == "insert" or not pieces:
        pieces.insert(here, _random_piece(rng))
    elif kind == "delete":
        del pieces[here]
    elif kind == "duplicate":
        pieces.insert(there, pieces[here])
    elif kind == "swap":
        pieces[here], pieces[there] = pieces[there], pieces[here]
    elif kind == "close":  # a start tag becomes an end tag, or gets one
        name = re.match(r"<(\w[^\s/>]*)", pieces[here])
        if name:
            pieces.insert(max(here + 1, there), f"</{name[1]}>")
    elif kind == "rename":
        pieces[here] = re.sub(
            r"^(</?)\w[^\s/>]*", lambda found: found[1] + _random_name(rng), pieces[here]
        )


def _random_name(rng: random.Random) -> str:
    return rng.choice(THEMES[rng.choice([*THEMES])])


def _random_piece(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.4:
        return _start_tag(rng, _random_name(rng))
    if kind < 0.7:
        return _end_tag(rng, _random_name(rng))
    return rng.choice(TEXTS if kind < 0.85 else ODDMENTS)
