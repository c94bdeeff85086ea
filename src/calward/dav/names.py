"""The XML names the protocol uses, in Clark notation (``{namespace}local``)."""

DAV = "DAV:"
CALDAV = "urn:ietf:params:xml:ns:caldav"
CALENDARSERVER = "http://calendarserver.org/ns/"
APPLE = "http://apple.com/ns/ical/"

NAMESPACES = f'xmlns:D="{DAV}" xmlns:C="{CALDAV}" xmlns:CS="{CALENDARSERVER}" xmlns:A="{APPLE}"'
"""Declared on the root of every document that is sent; the prefixes below follow it."""

MULTISTATUS = f"{{{DAV}}}multistatus"
RESPONSE = f"{{{DAV}}}response"
HREF = f"{{{DAV}}}href"
STATUS = f"{{{DAV}}}status"
PROPSTAT = f"{{{DAV}}}propstat"
PROP = f"{{{DAV}}}prop"
ERROR = f"{{{DAV}}}error"
SYNC_TOKEN = f"{{{DAV}}}sync-token"

GETETAG = f"{{{DAV}}}getetag"
RESOURCETYPE = f"{{{DAV}}}resourcetype"
COLLECTION = f"{{{DAV}}}collection"
DISPLAYNAME = f"{{{DAV}}}displayname"
CURRENT_USER_PRINCIPAL = f"{{{DAV}}}current-user-principal"
PRINCIPAL_URL = f"{{{DAV}}}principal-URL"
PRIVILEGES = f"{{{DAV}}}current-user-privilege-set"
PRIVILEGE = f"{{{DAV}}}privilege"
SUPPORTED_REPORTS = f"{{{DAV}}}supported-report-set"
SUPPORTED_REPORT = f"{{{DAV}}}supported-report"
REPORT = f"{{{DAV}}}report"

CALENDAR = f"{{{CALDAV}}}calendar"
CALENDAR_DATA = f"{{{CALDAV}}}calendar-data"
CALENDAR_HOME_SET = f"{{{CALDAV}}}calendar-home-set"
USER_ADDRESSES = f"{{{CALDAV}}}calendar-user-address-set"
COMPONENT_SET = f"{{{CALDAV}}}supported-calendar-component-set"
COMP = f"{{{CALDAV}}}comp"
MAX_RESOURCE_SIZE = f"{{{CALDAV}}}max-resource-size"

CTAG = f"{{{CALENDARSERVER}}}getctag"
SHARED = f"{{{CALENDARSERVER}}}shared"
SHARED_OWNER = f"{{{CALENDARSERVER}}}shared-owner"
COLOR = f"{{{APPLE}}}calendar-color"

VALID_SYNC_TOKEN = f"{{{DAV}}}valid-sync-token"
"""RFC 6578 §3.2: the precondition behind a refused token."""
SUPPORTED_REPORT_NEEDED = SUPPORTED_REPORT
"""RFC 3253 §3.6: the precondition behind a REPORT the server does not know."""
RESOURCE_MUST_BE_NULL = f"{{{DAV}}}resource-must-be-null"
NEED_PRIVILEGES = f"{{{DAV}}}need-privileges"
NUMBER_OF_MATCHES = f"{{{DAV}}}number-of-matches-within-limits"
QUOTA = f"{{{DAV}}}quota-not-exceeded"
DISK = f"{{{DAV}}}sufficient-disk-space"
NO_UID_CONFLICT = f"{{{CALDAV}}}no-uid-conflict"
UNIQUE_SCHEDULING = f"{{{CALDAV}}}unique-scheduling-object-resource"
"""RFC 6638 §3.2.4.1; Cyrus answers it where others say no-uid-conflict."""
OBJECT_REFUSALS = {
    f"{{{CALDAV}}}supported-calendar-data": "it does not take this kind of calendar file",
    f"{{{CALDAV}}}valid-calendar-data": "it finds the calendar data invalid",
    f"{{{CALDAV}}}valid-calendar-object-resource": "it finds the calendar object invalid",
    f"{{{CALDAV}}}supported-calendar-component": "this calendar does not take that kind of entry",
    f"{{{CALDAV}}}max-resource-size": "the entry is larger than it allows",
    f"{{{CALDAV}}}min-date-time": "a date is earlier than it allows",
    f"{{{CALDAV}}}max-date-time": "a date is later than it allows",
    f"{{{CALDAV}}}max-instances": "the series has more occurrences than it allows",
    f"{{{CALDAV}}}max-attendees-per-instance": "there are more attendees than it allows",
    f"{{{CALDAV}}}calendar-collection-location-ok": "a calendar cannot be made there",
    f"{{{CALDAV}}}initialize-calendar-collection": "it does not set properties on a new calendar",
    f"{{{CALDAV}}}same-organizer-in-all-components": "the organizer differs inside the series",
    f"{{{CALDAV}}}allowed-organizer-scheduling-object-change": "it does not let the organizer change this",
    f"{{{CALDAV}}}allowed-attendee-scheduling-object-change": "only the organizer may change this",
}
"""RFC 4791 §5.3.1.1, §5.3.2.1 and RFC 6638 §3.2.4: why an object was not taken, in plain words."""
