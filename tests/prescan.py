"""The prescan of the HTML standard, transcribed step by step, to hold the real one against.

Source: WHATWG #prescan-a-byte-stream-to-determine-its-encoding and the algorithms after it.
"""

from __future__ import annotations

import webencodings

SPACES = b"\t\n\f\r "


class Aborted(Exception):
    """The position pointer has gone beyond the end."""


def name_of(label: str) -> str | None:
    """Get an encoding from a label."""
    found = webencodings.lookup(label)
    return None if found is None else found.name


class Prescan:
    """One run of the algorithm."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    @property
    def byte(self) -> int:
        if self.position >= len(self.data):
            raise Aborted
        return self.data[self.position]

    def result(self) -> str | None:
        """The encoding, that of the XML declaration included."""
        try:
            return self.loop()
        except Aborted:
            return xml_encoding(self.data)

    def loop(self) -> str | None:
        if self.data[:6] == b"<\0?\0x\0":
            return "utf-16le"
        if self.data[:6] == b"\0<\0?\0x":
            return "utf-16be"
        while True:
            here = self.data[self.position : self.position + 6]
            if here[:4] == b"<!--":
                self.position += 2
                while self.data[self.position : self.position + 3] != b"-->":
                    self.position += 1
                    self.byte  # noqa: B018  it aborts
                self.position += 2
            elif here[:5].lower() == b"<meta" and here[5:6] and here[5] in SPACES + b"/":
                self.position += 5
                found = self.meta()
                if found is not None:
                    return found
            elif here[:1] == b"<" and here[1:].removeprefix(b"/")[:1].isalpha():
                while self.byte not in SPACES + b">":
                    self.position += 1
                while self.attribute() is not None:
                    pass
            elif here[:2] in (b"<!", b"</", b"<?"):
                while self.byte != ord(">"):
                    self.position += 1
            self.byte  # noqa: B018
            self.position += 1

    def meta(self) -> str | None:
        seen: list[str] = []
        got_pragma = False
        need_pragma: bool | None = None
        charset: str | None = None
        is_failure = False
        while True:
            found = self.attribute()
            if found is None:
                break
            name, value = found
            if name in seen:
                continue
            seen.append(name)
            if name == "http-equiv":
                got_pragma = got_pragma or value == "content-type"
            elif name == "content":
                label = extract(value)
                encoding = None if label is None else name_of(label)
                if encoding is not None and charset is None and not is_failure:
                    charset = encoding
                    need_pragma = True
            elif name == "charset":
                charset = name_of(value)
                is_failure = charset is None
                need_pragma = False
        if need_pragma is None or (need_pragma and not got_pragma) or is_failure:
            return None
        if charset in ("utf-16le", "utf-16be"):
            charset = "utf-8"
        return "windows-1252" if charset == "x-user-defined" else charset

    def attribute(self) -> tuple[str, str] | None:
        while self.byte in SPACES + b"/":
            self.position += 1
        if self.byte == ord(">"):
            return None
        name = value = ""
        while True:
            if self.byte == ord("=") and name:
                self.position += 1
                break
            if self.byte in SPACES:
                while self.byte in SPACES:
                    self.position += 1
                if self.byte != ord("="):
                    return name, ""
                self.position += 1
                break
            if self.byte in b"/>":
                return name, ""
            name += chr(self.byte).lower() if self.byte < 0x80 else chr(self.byte)
            self.position += 1
        while self.byte in SPACES:
            self.position += 1
        if self.byte in b"\"'":
            quote = self.byte
            while True:
                self.position += 1
                if self.byte == quote:
                    self.position += 1
                    return name, value
                value += chr(self.byte).lower() if self.byte < 0x80 else chr(self.byte)
        if self.byte == ord(">"):
            return name, ""
        while self.byte not in SPACES + b">":
            value += chr(self.byte).lower() if self.byte < 0x80 else chr(self.byte)
            self.position += 1
        return name, value


def extract(text: str) -> str | None:
    """Extract a character encoding from a meta element: the label."""
    position = 0
    while True:
        position = text.lower().find("charset", position)
        if position < 0:
            return None
        position += len("charset")
        while text[position : position + 1] in tuple("\t\n\f\r "):
            position += 1
        if text[position : position + 1] == "=":
            break
    position += 1
    while text[position : position + 1] in tuple("\t\n\f\r "):
        position += 1
    quote = text[position : position + 1]
    if quote in ('"', "'"):
        end = text.find(quote, position + 1)
        return None if end < 0 else text[position + 1 : end]
    if not quote:
        return None
    end = position
    while end < len(text) and text[end] not in "\t\n\f\r ;":
        end += 1
    return text[position:end]


def xml_encoding(data: bytes) -> str | None:
    """Get an XML encoding."""
    if data[:5] != b"<?xml" or b">" not in data:
        return None
    position = data.find(b"encoding")
    if position < 0:
        return None
    position += len(b"encoding")
    while position < len(data) and data[position] <= 0x20:
        position += 1
    if data[position : position + 1] != b"=":
        return None
    position += 1
    while position < len(data) and data[position] <= 0x20:
        position += 1
    quote = data[position : position + 1]
    if quote not in (b'"', b"'"):
        return None
    end = data.find(quote, position + 1)
    label = data[position + 1 : end]
    if end < 0 or any(byte <= 0x20 for byte in label):
        return None
    found = name_of(label.decode("latin-1"))
    return "utf-8" if found in ("utf-16le", "utf-16be") else found
