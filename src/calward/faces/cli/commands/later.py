"""What is to happen later: reminders and scheduled prompts."""

from __future__ import annotations

import click

from calward.errors import InvalidInput
from calward.faces.cli.command import command, group
from calward.faces.cli.rendering import later as words
from calward.faces.cli.talk import Talk

MINUTE = 60


@command()
@click.argument("message", required=False)
@click.option("--at", "due", metavar="WHEN", help="A date or words: 'tomorrow', 'friday 3pm', 'in 2 hours'.")
@click.option("--event", "calendar_event", metavar="EVENT", help="An event's id, or a part of its title.")
@click.option("--before", type=int, metavar="MINUTES", help="So long before the event.")
@click.option("--after", type=int, metavar="MINUTES", help="So long after it starts.")
@click.option("--every", "every_occurrence", is_flag=True, help="At every occurrence of a series.")
@click.option("--note", metavar="PATH", help="Write it into this note of your vault, which names it.")
def remind(
    talk: Talk,
    message: str | None,
    due: str | None,
    calendar_event: str | None,
    before: int | None,
    after: int | None,
    every_occurrence: bool,
    note: str | None,
) -> None:
    """Set a reminder, at a moment or at an event, which is followed when it moves."""
    if due is None and calendar_event is None:
        raise InvalidInput("Say when: --at a moment, or --event, an event's id or a part of its title.")
    if before is not None and after is not None:
        raise InvalidInput("Give either --before or --after.")
    asked = {
        "message": message,
        "due": due,
        "calendar_event": calendar_event,
        "offset": MINUTE * ((after or 0) - (before or 0)),
        "every_occurrence": every_occurrence or None,
        "note": note,
    }
    talk.show(talk.ask("reminder_set", asked), words.reminder_written)


@group()
@click.option("--all", "everything", is_flag=True, help="Also those that are over.")
@click.option("--fired", is_flag=True, help="What you were told, newest first.")
@click.option("--from", "start", metavar="WHEN", help="Only what is due from then on.")
@click.option("--to", "end", metavar="WHEN", help="Only what is due until then.")
def reminders(talk: Talk, everything: bool, fired: bool, start: str | None, end: str | None) -> None:
    """The reminders to come; snooze, finish or cancel one."""
    if fired:
        talk.show(talk.ask("inbox"), words.inbox)
        return
    asked = {"state": "all" if everything else "open", "from": start, "to": end}
    talk.show(talk.ask("reminder_list", asked), words.reminders)


@command("list")
def listed(talk: Talk) -> None:
    """The reminders to come."""
    talk.show(talk.ask("reminder_list"), words.reminders)


@command()
@click.argument("id")
def cancel(talk: Talk, id: str) -> None:
    """Cancel a reminder that is still to come."""
    talk.show(talk.ask("reminder_cancel", {"id": id}), words.ended)


@command()
@click.argument("id")
def done(talk: Talk, id: str) -> None:
    """Be done with a reminder that fired."""
    talk.show(talk.ask("reminder_done", {"id": id}), words.ended)


@command()
@click.argument("id")
@click.argument("until", required=False)
def snooze(talk: Talk, id: str, until: str | None) -> None:
    """Have a reminder that fired fire once more, in ten minutes or at UNTIL."""
    talk.show(talk.ask("reminder_snooze", {"id": id, "until": until}), words.reminder_written)


@group()
@click.option("--status", default="pending", metavar="STATUS", help="pending, done, failed, cancelled or all.")
@click.option("--from", "start", metavar="WHEN", help="Only what fires from then on.")
@click.option("--to", "end", metavar="WHEN", help="Only what fires until then.")
def schedule(talk: Talk, status: str, start: str | None, end: str | None) -> None:
    """Prompts that fire later; add, edit or cancel one."""
    talk.show(talk.ask("schedule_list", {"status": status, "from": start, "to": end}), words.tasks)


@command("list")
def scheduled(talk: Talk) -> None:
    """The prompts that are pending."""
    talk.show(talk.ask("schedule_list"), words.tasks)


@command()
@click.argument("at")
@click.argument("prompt")
@click.option("--repeat", metavar="RULE", help="A cron line, as '0 9 * * 1', or an RRULE.")
@click.option("--deliver", type=click.Choice(("notify", "webhook")), help="To you, or to your webhook.")
def add(talk: Talk, at: str, prompt: str, repeat: str | None, deliver: str | None) -> None:
    """Have PROMPT come up AT a moment, and then as --repeat says."""
    asked = {"at": at, "prompt": prompt, "repeat": repeat, "deliver": deliver}
    talk.show(talk.ask("schedule", asked), words.task_written)


@command()
@click.argument("id", type=int)
@click.option("--at", metavar="WHEN", help="Another moment.")
@click.option("--prompt", metavar="TEXT", help="Another text.")
def edit(talk: Talk, id: int, at: str | None, prompt: str | None) -> None:
    """Change the time or the text of a pending prompt."""
    talk.show(talk.ask("schedule_edit", {"id": id, "at": at, "prompt": prompt}), words.task_written)


@command("cancel")
@click.argument("id", type=int)
def cancel_task(talk: Talk, id: int) -> None:
    """Cancel a pending prompt."""
    talk.show(talk.ask("schedule_cancel", {"id": id}), words.task_written)


for one in (listed, cancel, done, snooze):
    reminders.add_command(one)
for one in (scheduled, add, edit, cancel_task):
    schedule.add_command(one)
