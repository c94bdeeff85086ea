"""Every operation there is, in the order assistants see them: a tuple to read, no effect of importing."""

from __future__ import annotations

from calward.operations.operation import Operation
from calward.operations.usecases.accounts import (
    account_connect,
    account_list,
    account_remove,
    calendar_choose,
)
from calward.operations.usecases.calendars import calendar_add, calendar_alarms, calendars
from calward.operations.usecases.channels import (
    channel_list,
    channel_log,
    channel_remove,
    channel_set,
    channel_test,
)
from calward.operations.usecases.conflicts import conflict_list, conflict_resolve
from calward.operations.usecases.creating import calendar_create
from calward.operations.usecases.feeds import feed_connect
from calward.operations.usecases.files import export_file, import_file
from calward.operations.usecases.grants import assistant_limit, grant_list, grant_set
from calward.operations.usecases.inbox import inbox
from calward.operations.usecases.listing import calendar_availability, calendar_details, calendar_list
from calward.operations.usecases.members import (
    calendar_share,
    member_add,
    member_edit,
    member_invite,
    member_list,
    member_remove,
    share_list,
)
from calward.operations.usecases.people import (
    assistant_add,
    assistant_confirm,
    assistant_list,
    assistant_revoke,
    token_add,
    token_list,
    token_revoke,
)
from calward.operations.usecases.reminders import (
    reminder_cancel,
    reminder_done,
    reminder_list,
    reminder_set,
    reminder_snooze,
)
from calward.operations.usecases.responding import calendar_respond
from calward.operations.usecases.safety import forget, journal_verify, lockdown_set, lockdown_status
from calward.operations.usecases.schedule import schedule, schedule_cancel, schedule_edit, schedule_list
from calward.operations.usecases.searching import calendar_search
from calward.operations.usecases.sessions import session_end, session_list
from calward.operations.usecases.status import (
    approval_decide,
    approval_list,
    approval_status,
    calendar_status,
    history,
)
from calward.operations.usecases.syncing import calendar_sync, held_decide, held_list
from calward.operations.usecases.undoing import calendar_undo
from calward.operations.usecases.updating import calendar_delete, calendar_restore, calendar_update
from calward.operations.usecases.vault import vault_grant, vault_set, vault_show

CATALOG: tuple[Operation, ...] = (
    calendars,
    calendar_list,
    calendar_search,
    calendar_availability,
    calendar_details,
    calendar_create,
    calendar_update,
    calendar_delete,
    calendar_restore,
    calendar_respond,
    calendar_undo,
    calendar_sync,
    calendar_status,
    reminder_set,
    reminder_list,
    reminder_cancel,
    schedule,
    schedule_list,
    schedule_edit,
    schedule_cancel,
    approval_status,
    reminder_snooze,
    reminder_done,
    inbox,
    channel_set,
    channel_list,
    channel_remove,
    channel_test,
    channel_log,
    vault_set,
    vault_grant,
    vault_show,
    calendar_add,
    calendar_alarms,
    account_connect,
    feed_connect,
    account_list,
    account_remove,
    calendar_choose,
    held_list,
    held_decide,
    conflict_list,
    conflict_resolve,
    member_add,
    member_edit,
    member_remove,
    member_invite,
    member_list,
    calendar_share,
    share_list,
    session_list,
    session_end,
    assistant_add,
    assistant_list,
    assistant_confirm,
    assistant_revoke,
    token_add,
    token_list,
    token_revoke,
    grant_list,
    grant_set,
    assistant_limit,
    approval_list,
    approval_decide,
    history,
    journal_verify,
    forget,
    lockdown_status,
    lockdown_set,
    import_file,
    export_file,
)
