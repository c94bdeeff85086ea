"""Notes with odd front matter, put together from parts: every part with every other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

BOM = b"\xef\xbb\xbf"

FRONTS: dict[str, str | None] = {
    "none": None,
    "empty": "",
    "blank lines": "\n\n",
    "comments alone": "# nothing here\n#   but this\n",
    "one line": "title: A plan\n",
    "comments everywhere": "# first\ntitle: A plan   # of mine\n# between\ntags: [a, b]  # two\n# last\n",
    "anchors and aliases": "base: &base\n  kind: &k plan\nother:\n  <<: *base\n  again: *k\n",
    "block scalars": "summary: |+\n  two\n  lines\n\nfolded: >-\n  more\n  of it\n",
    "quotes": "a: \"x # no comment: \\n\"\nb: 'it''s'\n\"c d\": 1\n",
    "lists": "tags:\n- one\n-   two\naliases:\n  - three\n",
    "flow over lines": "tags: [a,\n  b,\n  {c: d}]\nend: 1\n",
    "a complex key": "? [a, b]\n: pair\n",
    "tags": "when: !!str 2026-03-02\nmine: !own x\n",
    "indented": "  title: A plan\n  kind: x\n",
    "trailing blanks": "title: A plan  \nkind: x  \n\n  \n",
    "other scripts": "titel: Größe 會議 😀\nrtl: \u05d0\u05d1\n",
    "says it elsewhere": "title: reminder\nnested:\n  reminder: no\n# reminder:\n",
    "many": "".join(f"key{number}: value {number}\n" for number in range(300)),
}
ENDINGS = {"dashes": "---\n", "dots": "...\n", "dashes and blanks": "---  \n", "at the end": "---"}
BODIES = {
    "no": "",
    "short": "# A plan\n\nSome text\n",
    "odd": "\n---\nreminder: no\n---\n\n   \n\ttabs\n\nlast line without end",
    "large": "A line of a large note.\n" * 20_000,
}


def odd_notes() -> Iterator[tuple[str, bytes]]:
    """Notes by a name that says what is odd; more than two hundred."""
    for (front, text), (ending, closing), newline, bom in product(
        FRONTS.items(), ENDINGS.items(), ("\n", "\r\n"), (b"", BOM)
    ):
        for body in (
            ("no",) if ending == "at the end" else (("short", "large") if front == "one line" else ("odd",))
        ):
            if text is None and ending != "dashes":
                continue
            whole = BODIES[body] if text is None else f"---\n{text}{closing}{BODIES[body]}"
            name = f"{front}, {ending}, {body}, {newline!r}, {'marked' if bom else 'plain'}"
            yield name, bom + whole.replace("\n", newline).encode()
