"""What a message says: all of it in one sentence, and what of it a channel may show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TITLE, HINT = "title", "hint"
"""What a channel shows: titles and messages, or only that there is something."""
APPROVAL, TEST = "approval", "test"
_HINTS = {
    "reminder": "You have a reminder.",
    "missed": "You missed reminders.",
    "void": "A reminder is void.",
    "prompt": "A scheduled prompt is due.",
    "prompt_made": "An assistant left a prompt for later.",
    APPROVAL: "An assistant asks for your approval.",
    TEST: "This is a test.",
}
_FACTS = ("number", "due", "late")
"""What programs are told of a message whose words are not shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as a channel may say it; ``facts`` are for programs."""

    title: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


def shown(kind: str, body: Mapping[str, Any], shows: str, *, late: bool, link: str = "") -> Shown:
    """Cut a message to what a channel shows; ``late``: it comes later than it was to be told."""
    hint = _HINTS[kind]
    words = text_of(kind, body) if shows == TITLE else ""
    facts = dict(body) if shows == TITLE else {name: body[name] for name in _FACTS if name in body}
    facts |= {"late": late, **({"link": link} if link else {})}
    parts = (words, "(late)" if late else "", link)
    return Shown(hint, "\n".join(filter(None, parts)), facts)


def text_of(kind: str, body: Mapping[str, Any]) -> str:
    """The parts of a message in one sentence."""
    match kind:
        case "reminder":
            return _reminder(body)
        case "missed":
            return f"Missed while nothing ran: {'; '.join(map(_reminder, body['missed']))}"
        case "void":
            return f"No reminder any more: {body['message'] or 'an event'}. {body['reason']}"
        case "prompt_made":
            return f"{body['made_by']} left a prompt for later, task #{body['number']}: {body['prompt']}"
        case "approval":
            return f"{body['asked_by']} asks: {body['summary']}"
        case "test":
            return f"The channel {body['channel']} works."
        case "prompt":
            return f"Task #{body['number']}, by {body['made_by']}: {body['prompt']}"
        case _:
            raise ValueError(f"no message is of the kind {kind!r}")


def _reminder(body: Mapping[str, Any]) -> str:
    words = ": ".join(filter(None, (body.get("event"), body["message"])))
    return words or "You have a reminder."
