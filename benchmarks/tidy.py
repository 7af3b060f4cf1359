"""libtidy through ctypes: just what turning a page into XHTML needs."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Mapping

from benchmarks.ways import Absent


class Buffer(ctypes.Structure):
    """TidyBuffer of tidybuffio.h."""

    _fields_ = (
        ("allocator", ctypes.c_void_p),
        ("bytes", ctypes.c_void_p),
        ("size", ctypes.c_uint),
        ("allocated", ctypes.c_uint),
        ("next", ctypes.c_uint),
    )


class Tidy:
    """Turns bytes of UTF-8 into XHTML.

    Args:
        options: by tidy's names, with the words of its configuration files.

    Raises:
        Absent: the library is not here.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        path = ctypes.util.find_library("tidy")
        if path is None:
            raise Absent("library not found")
        self._library = library = ctypes.CDLL(path)
        self._options = options
        library.tidyCreate.restype = ctypes.c_void_p
        library.tidyLibraryVersion.restype = ctypes.c_char_p
        self.version = library.tidyLibraryVersion().decode("ascii")

    def fix(self, data: bytes) -> bytes:
        """The page as XHTML."""
        library = self._library
        document = ctypes.c_void_p(library.tidyCreate())
        source, output, errors = Buffer(), Buffer(), Buffer()
        for buffer in (source, output, errors):
            library.tidyBufInit(ctypes.byref(buffer))
        try:
            for name, value in self._options.items():
                if not library.tidyOptParseValue(document, name.encode(), value.encode()):
                    raise ValueError(f"tidy does not take {name}: {value}")
            library.tidySetErrorBuffer(document, ctypes.byref(errors))
            library.tidyBufAttach(ctypes.byref(source), data, ctypes.c_uint(len(data)))
            library.tidyParseBuffer(document, ctypes.byref(source))
            library.tidyCleanAndRepair(document)
            library.tidySaveBuffer(document, ctypes.byref(output))
            return ctypes.string_at(output.bytes, output.size) if output.bytes else b""
        finally:
            library.tidyBufDetach(ctypes.byref(source))
            library.tidyBufFree(ctypes.byref(output))
            library.tidyBufFree(ctypes.byref(errors))
            library.tidyRelease(document)
