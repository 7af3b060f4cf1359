"""The output in bytes."""

from __future__ import annotations

import codecs

from xmlfix.errors import OptionError

# Python's name for what XML calls otherwise.
XML_NAMES = {"utf-16": "UTF-16", "utf-32": "UTF-32", "utf-8": "UTF-8"}


def encode(chunks: list[str], encoding: str, declaration: bool) -> bytes:
    """The document in `encoding`, with an XML declaration that says so.

    Args:
        chunks: the document, a tag, comment or run of characters each.
        encoding: any of Python's text codecs; what it lacks becomes a numeric reference
            in text and values, an escape in names, "?" in comments.
        declaration: whether to write the XML declaration.

    Returns:
        The bytes.

    Raises:
        OptionError: Python has no such text codec.
    """
    try:
        info = codecs.lookup(encoding)
        if not info._is_text_encoding:
            raise LookupError
    except LookupError:
        raise OptionError(f"output_encoding: unknown encoding {encoding!r}") from None
    name = XML_NAMES.get(info.name, info.name)
    head = f'<?xml version="1.0" encoding="{name}" standalone="yes"?>\n' if declaration else ""
    try:
        return (head + "".join(chunks)).encode(info.name)
    except UnicodeEncodeError:
        return (head + "".join([restrict(chunk, info.name) for chunk in chunks])).encode(info.name)


def restrict(chunk: str, encoding: str) -> str:
    """`chunk` with only those characters that `encoding` has."""
    try:
        chunk.encode(encoding)
    except UnicodeEncodeError:
        if chunk.startswith(("<!", "<?")):
            return chunk.encode(encoding, "replace").decode(encoding)
        if chunk[0] != "<":
            return references(chunk, encoding)
        parts = chunk.split('"')  # names stand in the even ones, values in the odd ones
        parts[0::2] = [escapes(part, encoding) for part in parts[0::2]]
        parts[1::2] = [references(part, encoding) for part in parts[1::2]]
        return '"'.join(parts)
    return chunk


def references(text: str, encoding: str) -> str:
    """`text` with a numeric reference for each character that `encoding` lacks."""
    return text.encode(encoding, "xmlcharrefreplace").decode(encoding)


def escapes(names: str, encoding: str) -> str:
    """`names` with `Uhhhhhh` for each character that `encoding` lacks."""
    out = []
    for char in names:
        try:
            char.encode(encoding)
        except UnicodeEncodeError:
            char = f"U{ord(char):06X}"
        out.append(char)
    return "".join(out)
