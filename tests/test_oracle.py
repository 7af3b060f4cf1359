"""The oracle passes the tree-construction conformance data and the cases that it lacks."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from dat import Case, coerce_document, load, read_cases, shared, xml_dump
from oracle import Oracle, parse
from oracle_dom import dump
from soup import SEEDS, random_soup, seeded_soup, select_soup

FILES = sorted((shared() or Path()).glob("html5lib-tests/tree-construction/*.dat"))

# What the conformance data does not ask, in its own format; read from the standard by hand.
FURTHER_CASES = """\
#data
<table><colgroup><col></col><col>
#errors
#document
| <html>
|   <head>
|   <body>
|     <table>
|       <colgroup>
|         <col>
|         <col>

#data
<head a=1></head><head b=2><title>x</title>
#errors
#document
| <html>
|   <head>
|     a="1"
|     <title>
|       "x"
|   <body>

#data
<p><b><b><b><b></b></b></p>x
#errors
#document
| <html>
|   <head>
|   <body>
|     <p>
|       <b>
|         <b>
|           <b>
|             <b>
|     <b>
|       "x"

#data
<p><i id=1 class=2><i class=2 id=1><i id=1 class=2><i class=2 id=1></p>x
#errors
#document
| <html>
|   <head>
|   <body>
|     <p>
|       <i>
|         class="2"
|         id="1"
|         <i>
|           class="2"
|           id="1"
|           <i>
|             class="2"
|             id="1"
|             <i>
|               class="2"
|               id="1"
|     <i>
|       class="2"
|       id="1"
|       <i>
|         class="2"
|         id="1"
|         <i>
|           class="2"
|           id="1"
|           "x"

#data
<table><caption><b>x<tr><td>y
#errors
#document
| <html>
|   <head>
|   <body>
|     <table>
|       <caption>
|         <b>
|           "x"
|       <tbody>
|         <tr>
|           <td>
|             "y"

#data
<table><tr><td><p><b></p> <pre></pre> x
#errors
#document
| <html>
|   <head>
|   <body>
|     <table>
|       <tbody>
|         <tr>
|           <td>
|             <p>
|               <b>
|             <b>
|               " "
|               <pre>
|               " x"

#data
<table><input type=hidden><input type=Hidden><input>
#errors
#document
| <html>
|   <head>
|   <body>
|     <input>
|     <table>
|       <input>
|         type="hidden"
|       <input>
|         type="Hidden"

#data
x<a><form><div><table><a></a></table></form>y</div>z
#errors
#document
| <html>
|   <head>
|   <body>
|     "x"
|     <a>
|       <form>
|         <div>
|           <a>
|           <table>
|           "y"
|     "z"

#data
</body><!--c--><frameset>
#errors
#document
| <html>
|   <head>
|   <!-- c -->
|   <frameset>

#data
<svg><desc><b><i><p>x</b>y
#errors
#document
| <html>
|   <head>
|   <body>
|     <svg svg>
|       <svg desc>
|         <b>
|           <i>
|         <i>
|           <p>
|             <b>
|               "x"
|             "y"

#data
<table><tr><td><b>x<table>y</b>z
#errors
#document
| <html>
|   <head>
|   <body>
|     <table>
|       <tbody>
|         <tr>
|           <td>
|             <b>
|               "xyz"
|               <table>

#data
<p><b></p>\0<i></i>
#errors
#document
| <html>
|   <head>
|   <body>
|     <p>
|       <b>
|     <b>
|       <i>

#data
<div><b><frameset></frameset></html> <!--c-->
#errors
#document
| <html>
|   <head>
|   <frameset>
|   <b>
|     " "
| <!-- c -->

#data
<select><table><tr><td>x</select>y
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       <table>
|         <tbody>
|           <tr>
|             <td>
|               "xy"

#data
<select><option>x</option><button><selectedcontent></button>
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       <option>
|         "x"
|       <button>
|         <selectedcontent>
|           "x"

#data
<select><button><selectedcontent></button><option disabled>x<option>y
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       <button>
|         <selectedcontent>
|           "y"
|       <option>
|         disabled=""
|         "x"
|       <option>
|         "y"

#data
<select multiple><button><selectedcontent></button><option>x
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       multiple=""
|       <button>
|         <selectedcontent>
|       <option>
|         "x"

#data
<select><selectedcontent>old<option>x</option>y</selectedcontent>z
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       <selectedcontent>
|         "xy"
|       "z"

#data
<select><selectedcontent><div>1<option>x</option>2</div>3
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       <selectedcontent>
|         "x3"

#data
<select><selectedcontent></selectedcontent><option>x<div><option>y</div></option><option selected>z
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       <selectedcontent>
|         "z"
|       <option>
|         "x"
|         <div>
|           <option>
|             "y"
|       <option>
|         selected=""
|         "z"

#data
<select><selectedcontent>a</selectedcontent><selectedcontent>b</selectedcontent><selectedcontent>c
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       <selectedcontent>
|       <selectedcontent>
|       <selectedcontent>
|         "c"

#data
<select><b><selectedcontent><i>1<option>x</option>2<div>3</b>4
#errors
#document
| <html>
|   <head>
|   <body>
|     <select>
|       <b>
|         <selectedcontent>
|           "x"
|       <i>
|         <div>
|           <b>
|             "3"
|           "4"

#data
<nobr>x<param>y<p>z
#errors
#document-fragment
svg desc
#document
| <nobr>
|   "x"
|   <param>
|   "y"
|   <p>
|     "z"
"""


# How many of a thousand random documents have to reach a rule, at the least.
REACH = {
    "a-in-a": 15,
    "adoption": 50,
    "adoption-inner-limit": 5,
    "adoption-limit": 1,
    "adoption-out-of-scope": 15,
    "after-body": 30,
    "after-head": 3,
    "breakout": 60,
    "comment-after-body": 5,
    "comment-after-html": 5,
    "foreign": 150,
    "form-in-table": 4,
    "form-removed": 6,
    "foster-adopted": 5,
    "foster-element": 80,
    "foster-in-root": 2,
    "foster-in-template": 5,
    "foster-text": 60,
    "frameset": 5,
    "hidden-input": 2,
    "implied-p-closed": 70,
    "late-body": 30,
    "late-html": 40,
    "newline-skipped": 20,
    "noah": 15,
    "nobr": 5,
    "noscript-left": 5,
    "quirks-table": 5,
    "reconstruct": 70,
    "select": 30,
    "selectedcontent": 80,
    "selectedcontent-cleared": 1,
    "selectedcontent-detached": 20,
    "table-in-table": 15,
    "template": 90,
}
CONTEXTS = (*[None] * 12, "table", "tr", "colgroup", "template", "select", "svg path")


def failures(cases: list[Case]) -> str:
    """The cases that fail, with the trees that were expected and found."""
    return "\n".join(
        f"{case.file} {case.number} {scripting=}: {case.data!r} in {case.fragment}\n"
        f"expected:\n{case.document}\nfound:\n{found}\n"
        for case in cases
        for scripting in case.scripting
        if (found := dump(parse(case.data, fragment=case.fragment, scripting=scripting)))
        != case.document
    )


@pytest.mark.skipif(not FILES, reason="no conformance data here")
def test_all_cases_are_read() -> None:
    assert len(FILES) == 57
    assert sum(len(load(path)) for path in FILES) == 1792


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_conformance(path: Path) -> None:
    assert not failures(load(path))


def test_further_cases() -> None:
    cases = read_cases(FURTHER_CASES, "further cases")
    assert len(cases) == FURTHER_CASES.count("#errors")
    assert not failures(cases)


def test_processing_instructions() -> None:
    source = "<?a b?><table><?c?>x<?d e></table></body><?f g?></html><?h i?>"
    assert dump(parse(source, pi="keep")) == (
        '| <?a b>\n| <html>\n|   <head>\n|   <body>\n|     "x"\n|     <table>\n'
        "|       <?c >\n|       <?d e>\n|   <?f g>\n| <?h i>"
    )


def test_soup_reaches_the_rare_rules() -> None:
    reached: Counter[str] = Counter()
    for seed in range(3600):
        rng = random.Random(seed)
        oracle = Oracle(fragment=rng.choice(CONTEXTS), scripting=rng.random() < 0.2)
        if seed >= 3000:
            oracle.run(select_soup(rng, rng.randint(1, 20)))
        else:
            oracle.run(seeded_soup(rng) if seed % 2 else random_soup(rng, rng.randint(1, 40)))
        reached.update(oracle.counts.keys())
    assert {rule: reached[rule] for rule in REACH if reached[rule] < 3 * REACH[rule]} == {}
    assert reached.keys() == REACH.keys()


def test_seeds_differ() -> None:
    assert len(set(SEEDS)) == len(SEEDS) > 60


# -- dumps -----------------------------------------------------------------------------

XHTML = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:o="urn:o"'
SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def test_xml_dump_of_a_document() -> None:
    source = (
        "<!--a--b---><!DOCTYPE html PUBLIC 'p' 's'><body @x=1 b='\f\1\n'><o:p>\f\1"
        "<svg xlink:href=h viewbox=v xmlns=n><g:h></g:h></svg><template>x<p>y</template></o:p>"
        "</body></html><!--c-->"
    )
    xml = (
        f"<!DOCTYPE html PUBLIC 'p' 's'><!--a- -b- --><html {XHTML}><head/>"
        "<body U000040x='1' b=' \ufffd&#10;'><o:p> \ufffd"
        f"<svg {SVG} viewBox='v' xlink:href='h'><g:h xmlns:g='urn:g'/></svg>"
        "<template>x<p>y</p></template></o:p></body></html><!--c-->"
    )
    assert xml_dump(xml) == coerce_document(dump(parse(source)))


def test_xml_dump_without_namespaces() -> None:
    source = "<p>x<svg><desc xml:lang=l><template>y<p>z</template>w</svg>v"
    xml = "<p>x<svg><desc xml:lang='l'><template>y<p>z</p></template>w</desc></svg>v</p>"
    expected = coerce_document(dump(parse(source, fragment="div")), xhtml=False)
    assert xml_dump(xml, fragment=True) == expected


def test_adjacent_texts_are_one_in_xml() -> None:
    expected = '| <p>\n|   "a"\n|   "b\nc"\n| "d"'
    assert coerce_document(expected) == '| <p>\n|   "ab\nc"\n| "d"'
