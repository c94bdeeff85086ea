"""The content lines of iCalendar text, with every byte kept (RFC 5545 §3.1).

A text is seen twice, line for line: ``texts`` is what the lines say (unfolded, decoded, without line ending)
and ``raws`` is how they are written, so that ``b"".join(raws) == data`` for any bytes at all. What real files
do is accepted and kept:

* CRLF, LF, doubled CR, and mixtures of them end a line. A lone CR does so only in a text that has no LF:
  elsewhere other readers take it as part of the value, and we must not see a property that they do not.
* Empty lines belong to the line before them, so a fold after an empty line still continues its line.
* NULs are no part of what a line says: not every store can hold one.
* Each line is UTF-8, and where it is not, Windows-1252 or Latin-1. Folds may cut a UTF-8 sequence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

Params = tuple[tuple[str, tuple[str, ...]], ...]
"""Parameters in their order: upper-cased name and its values, unquoted and RFC 6868-decoded."""

MAX_PARAMS = 100_000
"""Characters of the parameters of one line; more are not looked at."""
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One content line. ``name`` is upper-cased, and empty where the line is no property at all."""

    index: int
    start: int
    end: int
    """``data[start:end]`` is the line as written, with folds, line ending and the empty lines after it."""
    text: str
    name: str
    written: str
    """The name as it stands in the text."""
    params: Params
    value: str
    """Raw: still escaped as its type demands."""

    @property
    def number(self) -> int:
        """1-based, as people count."""
        return self.index + 1

    def param(self, name: str) -> str:
        """The first value of a parameter, or an empty string."""
        return param(self.params, name)


@dataclass(frozen=True)
class Lines:
    """The content lines of one text; ``texts[i]`` and ``raws[i]`` are the same line."""

    data: bytes
    texts: list[str]

    @cached_property
    def raws(self) -> list[bytes]:
        return raw_lines(self.data)

    @cached_property
    def starts(self) -> list[int]:
        """Byte offset of each line, and of the end as one more item."""
        return list(accumulate(map(len, self.raws), initial=0))

    def __len__(self) -> int:
        return len(self.texts)

    def line(self, index: int) -> Line:
        text = self.texts[index]
        name, params, value = split_line(text)
        written = _written_name(text) if name else ""
        return Line(index, self.starts[index], self.starts[index + 1], text, name, written, params, value)

    def slice(self, first: int, end: int) -> bytes:
        """Lines ``first`` up to but without ``end``, as written."""
        return self.data[self.starts[first] : self.starts[end]]


def scan(data: bytes) -> Lines:
    """See any bytes as content lines. Never fails; caps are for the caller (``calward.ical.tree``)."""
    return Lines(data, text_lines(data))


def text_lines(data: bytes) -> list[str]:
    """What the content lines say: unfolded, decoded, without line endings.

    Whole-buffer operations only, since this runs over every byte a server sends.
    """
    if not data:
        return []
    work = _with_newlines(data).replace(b"\r\n", b"\n")
    if b"\n\n" in work or b"\r\n" in work:
        work = _BREAKS.sub(b"\n", work)
    # No two breaks are left side by side, so dropping one fold can never make another.
    if b"\n " in work or b"\n\t" in work:
        work = work.replace(b"\n ", b"").replace(b"\n\t", b"")
    if work.endswith(b"\n"):
        work = work[:-1]
    elif work.endswith(b"\r"):
        work = work.rstrip(b"\r")
    if b"\0" in work:
        work = work.replace(b"\0", b"")
    try:
        return work.decode().split("\n")
    except UnicodeDecodeError:
        return [decode(line) for line in work.split(b"\n")]


def raw_lines(data: bytes) -> list[bytes]:
    """How the content lines are written; joined they are ``data`` again."""
    work = _with_newlines(data)
    if work is data:
        lines: list[bytes] = _LINE.findall(data)
    else:
        lines = [data[found.start() : found.end()] for found in _LINE.finditer(work)]
    lines.pop()  # the empty match at the end
    return lines


def split_line(text: str) -> tuple[str, Params, str]:
    """Take an unfolded line apart: upper-cased name, parameters, raw value.

    A line with no possible name, or with neither a colon nor a parameter, gives an empty name and the whole
    text as value; one with parameters and no colon has an empty value.
    """
    head, colon, value = text.partition(":")
    if '"' in head and (outside := _QUOTED_HEAD.match(text)):
        head, colon, value = outside[1], ":", text[outside.end() :]
    if not colon and ";" not in head:
        return "", (), text
    name, params = _cached_head(head) if len(head) <= _CACHED_HEAD else _head(head)
    return (name, params, value) if name else ("", (), text)


def param(params: Params, name: str) -> str:
    """The first value of the parameter ``name`` (upper case), or an empty string."""
    for key, values in params:
        if key == name:
            return values[0]
    return ""


def decode(raw: bytes) -> str:
    """UTF-8, else Windows-1252, else Latin-1 (which takes any byte)."""
    for charset in ("utf-8", "cp1252"):
        try:
            return raw.decode(charset)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def line_ending(raw: bytes) -> bytes:
    """The ending of a line as written, without the empty lines after it; empty where the text just stops."""
    found = _ENDING.match(line_tail(raw))
    return found[0] if found else b""


def line_tail(raw: bytes) -> bytes:
    """The ending of a line as written together with the empty lines after it."""
    return raw[len(raw.rstrip(b"\r\n")) :]


def fold(text: str, ending: bytes = b"\r\n", width: int = 75) -> bytes:
    """Write one content line, cut after ``width`` octets but never inside a UTF-8 sequence (RFC 5545 §3.1)."""
    raw = text.encode(errors="replace")
    if len(raw) <= width:
        return raw + ending
    return (ending + b" ").join(_chunks(raw, width)) + ending


def join_params(params: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Write parameters, quoted where they must be and RFC 6868-encoded."""
    return "".join(f";{name}={','.join(_param_value(value) for value in values)}" for name, values in params)


_LINE = re.compile(rb"[^\n]*+(?:\n(?:\r*\n)*+[ \t][^\n]*+)*+(?:\n(?:\r*\n)*+)?+")
# Not after a CR: or a long run of them would be looked at once from each of its bytes.
_BREAKS = re.compile(rb"(?<!\r)\r*+\n(?:\r*\n)*+")
_ENDING = re.compile(rb"\r*\n|\r")
_QUOTED_HEAD = re.compile(r'([^":]*+(?:"[^"]*+"[^":]*+)*+):')
_PARAM = re.compile(r';([^=;"]*+)(?:=((?:"[^"]*+"|[^;"]|")*+))?')
_PARAM_VALUE = re.compile(r'(?:\A|,)((?:"[^"]*+"|[^,"]|")*+)')
_NAME = re.compile(r"[A-Za-z0-9_.\-]+")
_CARET = re.compile(r"\^[n'^]")
_CARETS = {"^n": "\n", "^'": '"', "^^": "^"}
_CACHED_HEAD = 160


def _with_newlines(data: bytes) -> bytes:
    """The same length, with LF as line ending where lone CRs are all there is."""
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _head(head: str) -> tuple[str, Params]:
    written, semicolon, rest = head.partition(";")
    # Spaces are dropped, as other readers do; a name cannot have any.
    name = "".join(written.split()).lstrip("\ufeff")
    if not _NAME.fullmatch(name):
        return "", ()
    if not semicolon or len(rest) > MAX_PARAMS:
        return name.upper(), ()
    if '"' not in rest and "^" not in rest:
        pairs = (part.partition("=") for part in rest.split(";") if part)
        return name.upper(), tuple((key.strip().upper(), tuple(value.split(","))) for key, _, value in pairs)
    found = _PARAM.finditer(";" + rest)
    quoted = ((one[1].strip().upper(), one[2] or "") for one in found if one[0] != ";")
    return name.upper(), tuple((key, _param_values(values)) for key, values in quoted)


# The same few heads ("DTSTART;TZID=Europe/Berlin") make up most of any calendar.
_cached_head = lru_cache(maxsize=4096)(_head)


def _param_values(text: str) -> tuple[str, ...]:
    found = (_unquoted(one[1]) for one in _PARAM_VALUE.finditer(text))
    return tuple(_CARET.sub(lambda caret: _CARETS[caret[0]], value) for value in found)


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def _param_value(value: str) -> str:
    encoded = value.replace("^", "^^").replace("\r\n", "\n").replace("\n", "^n").replace('"', "^'")
    safe = "".join(char for char in encoded if (char >= " " and char != "\x7f") or char == "\t")
    return f'"{safe}"' if any(char in safe for char in ":;,") else safe


def _written_name(text: str) -> str:
    return re.split("[;:]", text, maxsplit=1)[0].strip().lstrip("\ufeff")


def _chunks(raw: bytes, width: int) -> list[bytes]:
    chunks = []
    at = 0
    room = width
    while len(raw) - at > room:
        cut = at + room
        while cut > at and raw[cut] & 0xC0 == 0x80:
            cut -= 1
        chunks.append(raw[at:cut])
        at = cut
        room = width - 1  # the space that marks a fold counts
    chunks.append(raw[at:])
    return chunks
