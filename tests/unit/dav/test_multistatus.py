"""Reading 207 answers, honest, broken and hostile."""

from __future__ import annotations

import pytest

from calward.dav import names
from calward.dav.errors import BadAnswer, NotCalDav
from calward.dav.messages import Answer, Ask
from calward.dav.multistatus import hrefs_in, read_multistatus
from calward.dav.xml import NotXml, local_name, parse, xml_text

ASK = Ask("PROPFIND", "https://cal.example/c/")


def read(body: str | bytes, status: int = 207, kind: str = "application/xml") -> list[tuple[str, object]]:
    raw = body.encode() if isinstance(body, str) else body
    rows = read_multistatus(ASK, Answer(status, (("Content-Type", kind),), raw)).rows
    return [(row.href, row.status) for row in rows]


def multistatus(inner: str) -> str:
    return f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">{inner}</d:multistatus>'


def test_each_property_has_a_status_of_its_own() -> None:
    body = multistatus(
        "<d:response><d:href>/c/a.ics</d:href>"
        '<d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop>'
        "<d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
        "<d:propstat><d:prop><d:displayname>no</d:displayname></d:prop>"
        "<d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>"
    )
    (row,) = read_multistatus(ASK, Answer(207, body=body.encode())).rows
    assert (row.href, row.status, row.etag, row.text(names.DISPLAYNAME)) == ("/c/a.ics", None, '"1"', "")
    assert not row.gone


def test_a_propstat_without_a_status_line_counts_as_found() -> None:
    body = multistatus(
        '<d:response><d:href>/c/a.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop>'
        "</d:propstat></d:response>"
    )
    (row,) = read_multistatus(ASK, Answer(207, body=body.encode())).rows
    assert row.etag == '"1"'


def test_one_status_for_many_hrefs_is_a_row_for_each() -> None:
    body = multistatus(
        "<d:response><d:href>/c/a.ics</d:href><d:href>/c/b.ics</d:href><d:href/>"
        "<d:status>HTTP/1.1 404 Not Found</d:status><d:error><d:need-privileges/></d:error>"
        "<d:responsedescription>gone</d:responsedescription></d:response>"
    )
    assert read(body) == [("/c/a.ics", 404), ("/c/b.ics", 404)]
    (row, _) = read_multistatus(ASK, Answer(207, body=body.encode())).rows
    assert row.gone
    assert [condition.name for condition in row.conditions] == [names.NEED_PRIVILEGES]


@pytest.mark.parametrize("line", ["", "HTTP/1.1", "HTTP/1.1 OK", "HTTP/1.1 2000 What"])
def test_a_status_line_that_says_nothing_is_no_status(line: str) -> None:
    body = f"<d:response><d:href>/c/</d:href><d:status>{line}</d:status></d:response>"
    assert read(multistatus(body)) == [("/c/", None)]


def test_a_list_cut_off_at_any_byte_is_an_error_and_never_a_shorter_list() -> None:
    rows = "".join(
        f"<d:response><d:href>/c/{n}.ics</d:href><d:status>HTTP/1.1 404 Gone</d:status></d:response>"
        for n in range(3)
    )
    whole = multistatus(rows).encode()
    assert len(read(whole)) == 3
    for cut in range(len(whole)):
        with pytest.raises(BadAnswer):
            read(whole[:cut])


def test_the_error_for_a_broken_list_quotes_nothing_of_it() -> None:
    with pytest.raises(BadAnswer) as caught:
        read(multistatus("<d:response>secret title</d:respons>"))
    assert "secret" not in caught.value.message
    assert "cal.example" in caught.value.message


def test_another_document_is_not_a_list() -> None:
    with pytest.raises(BadAnswer, match="something other"):
        read('<d:prop xmlns:d="DAV:"/>')


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<!DOCTYPE html><html></html>", "application/xml"),
        ("\ufeff  <HTML><body>Sign in", ""),
        ("anything", "text/html; charset=utf-8"),
        ("anything", "application/xhtml+xml"),
    ],
)
def test_a_web_page_is_told_from_a_list(body: str, kind: str) -> None:
    with pytest.raises(NotCalDav, match="web page"):
        read(body, kind=kind)


BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'
FILE = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><x>&f;</x>'
REMOTE_DTD = '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd"><x/>'
PARAMETER = '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/p"> %p;]><x/>'
DEEP = "<x>" * 5000 + "</x>" * 5000


@pytest.mark.parametrize("document", [BOMB, FILE, REMOTE_DTD, PARAMETER, DEEP, "", " \n", "plain text"])
def test_hostile_and_empty_documents_are_refused(document: str) -> None:
    with pytest.raises(NotXml):
        parse(document.encode())


def test_a_document_type_in_another_encoding_is_refused_too() -> None:
    with pytest.raises(NotXml, match="document type"):
        parse(BOMB.encode("utf-16"))


def test_a_billion_laughs_are_refused_without_laughing() -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    with pytest.raises(NotXml):
        parse(f'<!DOCTYPE x [<!ENTITY l0 "ha">{levels}]><x a="&l11;">&l11;</x>'.encode())


def test_more_rows_than_any_calendar_has_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calward.dav.multistatus.ROWS_MAX", 2)
    rows = "".join(f"<d:response><d:href>/c/{n}</d:href></d:response>" for n in range(3))
    with pytest.raises(BadAnswer, match="more than 2"):
        read(multistatus(rows))


def test_text_is_made_fit_for_xml_and_comes_back() -> None:
    odd = "a < b & 'c' \"d\" 🗓 \x00\x1f\ufffe\ud800"
    assert parse(f"<x>{xml_text(odd)}</x>".encode()).text == "a < b & 'c' \"d\" 🗓 "


def test_hrefs_in_a_property() -> None:
    prop = parse(b'<p xmlns:d="DAV:"><d:href> /a/ </d:href><d:href/><d:other>/b/</d:other></p>')
    assert hrefs_in(prop) == ["/a/"]
    assert hrefs_in(None) == []
    assert local_name("{DAV:}href") == local_name("href") == "href"
