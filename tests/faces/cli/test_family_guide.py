"""The guide for families shows what happens: its transcripts are run, one after the other, in one household."""

import re

from .conftest import Calward
from .transcripts import Session, check_transcripts

CODE = re.compile(r"\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b")
"""A one-time code, which the page shows as one that cannot be mistaken for its own."""


def test_the_transcripts_of_the_family_are_what_happens(calward: Calward) -> None:
    session = Session(calward)
    check_transcripts("family.md", lambda command: CODE.sub("abcd-efgh-ijkl-mnop", session.told(command)))
