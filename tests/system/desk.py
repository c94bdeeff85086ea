"""The household's own side: what its owner does through the pipeline, and a sync to its end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from calward.bootstrap.app import App
from calward.bootstrap.workers import sync_now
from calward.model.ids import CalendarId
from calward.model.principal import Principal
from calward.operations.pipeline import Call
from tests.system.phone import WINDOW, Shown


@dataclass(frozen=True)
class Desk:
    """``calendar`` is the name of the one that is mirrored."""

    app: App
    calendar: str

    def do(self, operation: str, /, **arguments: Any) -> Any:
        return self.ask(self.app.pipeline.owner(), operation, **arguments)

    def ask(self, principal: Principal, operation: str, /, **arguments: Any) -> Any:
        return self.app.pipeline.execute(principal, Call(operation, arguments)).answer

    def sync(self) -> None:
        """Nothing is left to send or to decide afterwards."""
        (run,) = self.do("calendar_sync", calendar=self.calendar).runs
        (place,) = [one.id for one in self.do("calendars").calendars if one.name == self.calendar]
        sync_now(self.app, [CalendarId(place)], lambda: None)
        status = self.do("calendar_status", run=run.run)
        (state,) = [one for one in status.calendars if one.name == self.calendar]
        assert (status.run.state, status.run.error) == ("done", None), status
        assert not any((state.unpushed, state.conflicts, status.held)), status

    def events(self) -> list[Any]:
        window = dict(zip(("from", "to"), WINDOW, strict=True))
        return list(self.do("calendar_list", calendar=self.calendar, **window).events)

    def shows(self) -> list[Shown]:
        return sorted(Shown(_plain(one.start), _plain(one.end), one.title) for one in self.events())

    def event_at(self, start: str) -> str:
        """The id of what starts then, as ``Shown`` says it."""
        (found,) = [one.id for one in self.events() if _plain(one.start) == start]
        return str(found)


def _plain(moment: str) -> str:
    """In UTC, or the day."""
    return moment if "T" not in moment else datetime.fromisoformat(moment).astimezone(UTC).isoformat()
