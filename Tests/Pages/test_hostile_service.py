# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What somebody with a connection may send to Six Bookmarks to do harm, at each of its doors: nothing of it is stored."""

import json
import select
import socket
import sqlite3
import urllib.error
import urllib.parse
import urllib.request

import pytest
from app import Service

MARK = {"UserId": 1001, "Name": "Mark", "Url": "https://mark.example/", "Ordinal": 3}
ADA = {"grant_type": "password", "username": "ada", "password": "tide-and-time-1"}
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE entry [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + ']><entry xmlns="http://www.w3.org/2005/Atom"><title>&a9;</title></entry>'
)


@pytest.fixture
def unchanged(server):
    """Fails the test when a row of the domain is another one after it."""
    before = rows(server)
    yield
    assert rows(server) == before


def rows(server):
    """All rows of accounts, users and bookmarks, past the service."""
    connection = sqlite3.connect(server.folder / "data" / "demo" / "sixbookmarks.sqlite", timeout=20)
    found = [connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in ("ApiAccounts", "Users", "Bookmarks")]
    connection.close()
    return found


def refused(status, code, action):
    """The error that the action is answered with."""
    with pytest.raises(urllib.error.HTTPError) as answer:
        action()
    text = answer.value.read()
    assert answer.value.code == status, text
    error = json.loads(text)["error"]
    assert error["code"] == code, text
    assert 20 < len(error["message"]) < 300, text
    return error


def legacy(server, path, **headers):
    """An answer of the services of 2010."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    with urllib.request.urlopen(urllib.request.Request(f"{server.address}/services/{path}", headers=fields), timeout=30) as answer:
        return answer.read().decode()


def logged_on(server):
    """A token of the service of 2010 that is nobody's yet."""
    text = legacy(server, "apirest.aspx?operation=logon&password=tide-and-time-0", x_amx_apiusername="tideline")
    return text.split("<Token>")[1].split("</Token>")[0]


# covers: SB-S10 SB-F152
@pytest.mark.parametrize("url", ["javascript:alert(1)", " javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "//evil.example", ""])
def test_an_address_that_is_none_of_the_web_is_not_stored(server, service, unchanged, url):
    error = refused(400, "BrokenRule", lambda: service.send("POST", "/odata/sixbookmarks/Bookmarks", {**MARK, "Url": url}))
    assert "begins with http:// or https://" in error["message"]
    refused(400, "BrokenRule", lambda: service.send("PATCH", "/odata/sixbookmarks/Bookmarks(1001)", {"Url": url}))


# covers: SB-F065
@pytest.mark.parametrize("name, value", [("Name", "n" * 10_240), ("Url", "https://x.example/" + "u" * 10_240)])
def test_ten_kilobytes_of_a_value_are_refused_by_name_and_not_repeated(server, service, unchanged, name, value):
    with pytest.raises(urllib.error.HTTPError) as answer:
        service.send("POST", "/odata/sixbookmarks/Bookmarks", {**MARK, name: value})
    text = answer.value.read().decode()
    assert answer.value.code == 400 and name in text and len(text) < 1000


# covers: SB-S10
def test_a_script_in_a_name_is_text_and_no_browser_takes_an_answer_for_a_page(server, service):
    script = "<script>alert(1)</script>"
    key = service.send("POST", "/odata/sixbookmarks/Bookmarks", {**MARK, "Name": script})["BookmarkId"]
    request = urllib.request.Request(f"{server.address}/odata/sixbookmarks/Bookmarks({key})/Name/$value", headers={"Authorization": f"Bearer {service.token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.read().decode() == script
        assert answer.headers["Content-Type"].startswith("text/plain")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


# covers: SB-F037
def test_a_forged_owner_is_refused(server, service, unchanged):
    # A user whom one may not see is told from none by nothing.
    for owner in (1002, 0, -1, 99):
        refused(409, "MissingReference", lambda: service.send("POST", "/odata/sixbookmarks/Bookmarks", {**MARK, "UserId": owner}))
    refused(409, "MissingReference", lambda: service.send("PATCH", "/odata/sixbookmarks/Bookmarks(1001)", {"UserId": 1002, "Ordinal": 5}))
    for path in ("Bookmarks(1004)", "Bookmarks(1006)"):
        refused(404, "NotFound", lambda: service.send("PATCH", f"/odata/sixbookmarks/{path}", {"Name": "mine"}))
        refused(404, "NotFound", lambda: service.send("DELETE", f"/odata/sixbookmarks/{path}"))


# covers: SB-S09 SB-F092
def test_no_token_of_a_sign_in_that_has_ended_is_good_for_anything(server, service, unchanged):
    def renew(token):
        return service.send("POST", "/auth/sixbookmarks/token", {"grant_type": "refresh_token", "refresh_token": token})

    first = service.send("POST", "/auth/sixbookmarks/token", ADA)
    second = renew(first["refresh_token"])
    service.send("POST", "/auth/sixbookmarks/revoke", {"refresh_token": second["refresh_token"]})
    for token in (first["refresh_token"], second["refresh_token"], second["access_token"], "", "x" * 10_240):
        refused(401, "InvalidToken", lambda: renew(token))
    thief = Service(server, "ada", "tide-and-time-1")
    for pair in (first, second):
        thief.token = pair["access_token"]
        refused(401, "InvalidToken", lambda: thief.bookmarks)
    # Another sign-in of the same person is not hurt.
    assert len(service.bookmarks) == 3


# covers: SB-S09 SB-F133
def test_a_token_is_of_no_use_after_the_sign_out(server, service, unchanged):
    pair = service.send("POST", "/auth/sixbookmarks/token", ADA)
    service.send("POST", "/auth/sixbookmarks/revoke", {"refresh_token": pair["refresh_token"]})
    service.token = pair["access_token"]
    refused(401, "InvalidToken", lambda: service.bookmarks)
    service.token = pair["access_token"][:-1] + ("a" if pair["access_token"][-1] != "a" else "b")
    refused(401, "InvalidToken", lambda: service.send("POST", "/odata/sixbookmarks/Bookmarks", MARK))


# covers: SB-F015 SB-F016 SB-S09
def test_a_token_of_2010_is_one_users_and_ends_with_the_logoff(server, unchanged):
    fields = {"x_amx_apiusername": "tideline", "x_amx_token": logged_on(server)}
    assert "LogonOk" in legacy(server, "usersrest.aspx?operation=logon&username=ada&password=tide-and-time-1", **fields)
    second = legacy(server, "usersrest.aspx?operation=logon&username=grace&password=tide-and-time-2", **fields)
    assert "LogonOk" not in second and "Error" in second
    assert "Google" in legacy(server, "Bookmarks.svc/Bookmark", **fields)
    legacy(server, "apirest.aspx?operation=logoff", **fields)
    with pytest.raises(urllib.error.HTTPError) as answer:
        legacy(server, "Bookmarks.svc/Bookmark", **fields)
    assert answer.value.code in (401, 403)


DOORS = [
    ("POST", "/odata/sixbookmarks/Bookmarks", "application/json"),
    ("POST", "/odata/sixbookmarks/$batch", "application/json"),
    ("PATCH", "/odata/sixbookmarks/Bookmarks(1001)", "application/json"),
    ("POST", "/auth/sixbookmarks/token", "application/json"),
    ("POST", "/auth/sixbookmarks/register", "application/json"),
    ("POST", "/service/sixbookmarks/register", "application/x-www-form-urlencoded"),
    ("POST", "/services/Bookmarks.svc/Bookmark", "application/atom+xml"),
    ("POST", "/services/apirest.aspx", "application/x-www-form-urlencoded"),
]


# covers: SB-S11
@pytest.mark.parametrize("is_chunked", [False, True], ids=["length", "chunked"])
@pytest.mark.parametrize("method, path, type", DOORS, ids=[path for _, path, _ in DOORS])
def test_a_body_of_a_hundred_megabytes_is_refused_before_it_has_come(server, service, unchanged, method, path, type, is_chunked):
    size, block = 100_000_000, b"x" * 65_536
    framing = "Transfer-Encoding: chunked" if is_chunked else f"Content-Length: {size}"
    fields = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Content-Type: {type}", framing]
    fields += [f"Authorization: Bearer {service.token}"] if path.startswith("/odata") else []
    fields += ["x-amx-apiusername: tideline", f"x-amx-token: {logged_on(server)}"] if path.startswith("/services") else []
    if path.startswith("/services"):
        user = {"x_amx_apiusername": "tideline", "x_amx_token": fields[-1].split(": ")[1]}
        legacy(server, "usersrest.aspx?operation=logon&username=ada&password=tide-and-time-1", **user)
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    connection.sendall(("\r\n".join(fields) + "\r\n\r\n").encode())
    piece = b"10000\r\n" + block + b"\r\n" if is_chunked else block
    sent = 0
    try:
        # Until the server answers, or takes no more.
        while sent < size and not select.select([connection], [], [], 0)[0]:
            connection.sendall(piece)
            sent += len(block)
    except (BrokenPipeError, ConnectionResetError):
        pass
    # The head may come alone.
    answer = connection.recv(65_536).decode()
    while "arge" not in answer and (more := connection.recv(65_536)):
        answer += more.decode()
    connection.close()
    assert answer.startswith("HTTP/1.1 413 "), answer[:300]
    assert "larger than" in answer or "too large" in answer.lower(), answer
    # A batch may hold 64 MiB; elsewhere nothing that large is taken. What lies in the sockets' buffers counts as sent.
    assert sent < (80_000_000 if path.endswith("$batch") else 20_000_000)
    assert len(service.bookmarks) == 3


# covers: SB-S11
@pytest.mark.parametrize("type", ["application/atom+xml", "application/xml", "text/xml", "application/json"])
@pytest.mark.parametrize("path", ["/odata/sixbookmarks/Bookmarks", "/services/Bookmarks.svc/Bookmark"])
def test_a_bomb_of_entities_is_refused_unread(server, service, unchanged, path, type):
    fields = {"Content-Type": type, "Authorization": f"Bearer {service.token}"}
    if path.startswith("/services"):
        fields = {"Content-Type": type, "x-amx-apiusername": "tideline", "x-amx-token": logged_on(server)}
        user = {"x_amx_apiusername": "tideline", "x_amx_token": fields["x-amx-token"]}
        legacy(server, "usersrest.aspx?operation=logon&username=ada&password=tide-and-time-1", **user)
    request = urllib.request.Request(server.address + path, data=BOMB.encode(), headers=fields, method="POST")
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.urlopen(request, timeout=30)
    text = answer.value.read().decode()
    assert answer.value.code in (400, 415), text
    assert "haha" not in text and len(text) < 1000
