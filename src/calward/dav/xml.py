"""XML in and out, with the doors shut: no entities, no DTD, no network, no huge trees.

A calendar server is outside. What it sends is read strictly (a cut-off document is an error, never a shorter
list) and within libxml2's own caps on depth (256) and on one text node (10 MB).
"""

from __future__ import annotations

import re
from html import escape

from lxml import etree

PROLOG = '<?xml version="1.0" encoding="utf-8"?>\n'

Element = etree._Element


class NotXml(ValueError):
    """These bytes are no XML document that we read; ``str`` says why and holds nothing of the document."""


def parse(body: bytes) -> Element:
    """The root element of a document; raises ``NotXml``."""
    if not body.strip():
        raise NotXml("it is empty")
    try:
        root = etree.fromstring(body, _parser())
    except (etree.XMLSyntaxError, ValueError) as error:
        raise NotXml(_reason(error)) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise NotXml("it declares a document type")
    return root


def text_of(element: Element | None) -> str:
    """The text directly inside an element, trimmed; empty where there is none."""
    return (element.text or "").strip() if element is not None else ""


def local_name(tag: str) -> str:
    """``{DAV:}href`` → ``href``."""
    return tag.rpartition("}")[2]


def xml_text(text: str) -> str:
    """Text made fit to stand inside an element; characters XML 1.0 cannot hold are dropped."""
    return escape(_FORBIDDEN.sub("", text), quote=True)


def _parser() -> etree.XMLParser:
    """A parser for one document (lxml parsers keep state, so none is shared between threads)."""
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )


def _reason(error: Exception) -> str:
    """Where it broke, without quoting the document (libxml2's messages do)."""
    line, column = getattr(error, "position", None) or (0, 0)
    return f"it breaks off or is malformed at line {line}, column {column}" if line else "it is malformed"


_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
