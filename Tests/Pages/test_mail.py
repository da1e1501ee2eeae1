# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Mails that are handed in at a mail server: aiosmtpd, which is not ours and keeps to RFC 5321."""

import email
import email.policy
import http.cookiejar
import queue
import re
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from aiosmtpd.controller import Controller
from server import Server


class Mailbox:
    """Keeps what is handed in, or refuses it."""

    def __init__(self):
        self.mails = queue.Queue()
        self.refused = queue.Queue()
        self.is_full = False

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.is_full:
            self.refused.put(address)
            return "550 5.7.1 nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server, session, envelope):
        self.mails.put(envelope)
        return "250 2.0.0 Ok"


class AnyPort(Controller):
    """Takes the port that the system chooses, before it asks itself there whether it answers."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@pytest.fixture
def mailbox():
    """A mail server on a free port of this machine."""
    box = Mailbox()
    controller = AnyPort(box, hostname="127.0.0.1", port=0, server_hostname="mail.example.org")
    controller.start()
    box.port = controller.port
    yield box
    controller.stop()


@pytest.fixture
def server(tmp_path, mailbox):
    """The demo, which hands its mails in there."""
    running = Server(tmp_path, "--smtp", f"smtp://127.0.0.1:{mailbox.port}", "--mail-from", "six@example.org")
    yield running
    running.stop()


class Person:
    """Somebody with the service's forms and no browser."""

    def __init__(self, server):
        self.base = server.address + "/service/sixbookmarks/"
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def send(self, path, **fields):
        """Opens a page, and sends its form."""
        page = self.opener.open(self.base + path, timeout=60).read().decode()
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
        body = urllib.parse.urlencode({**hidden, **fields}).encode()
        try:
            return self.opener.open(self.base + path.split("?")[0], data=body, timeout=60).read().decode()
        except urllib.error.HTTPError as answer:
            return answer.read().decode()


# covers: SB-F003
def test_a_link_arrives_at_a_mail_server_as_a_whole_mail_and_opens_the_form(server, mailbox):
    person = Person(server)
    assert "on its way to its e-mail address" in person.send("reset", Username="tideline")
    envelope = mailbox.mails.get(timeout=60)
    assert envelope.mail_from == "six@example.org"
    assert envelope.rcpt_tos == ["demo@example.com"]
    mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
    assert mail.defects == []
    assert mail["From"].addresses[0].addr_spec == "six@example.org"
    assert mail["To"].addresses[0].addr_spec == "demo@example.com"
    assert mail["Subject"] == "A new password for Six Bookmarks"
    assert mail["Date"].datetime.tzinfo is not None and mail["Message-ID"].endswith("@example.org>")
    text = mail.get_content()
    # No line is longer than a mail server must take.
    assert all(len(line) < 998 for line in envelope.content.splitlines())
    link = re.search(r"http://127\.0\.0\.1:\d+/service/sixbookmarks/(reset\?token=\S+)", text)
    assert link, text
    changed = person.send(link.group(1), Password="spring-tide-9", Confirmation="spring-tide-9")
    assert "The password is changed." in changed
    assert "2 users of the account tideline" in person.send("sign-in", Username="tideline", Password="spring-tide-9")


# covers: SB-F003 SB-S03
def test_a_mail_server_that_says_no_or_is_gone_is_told_in_the_log_alone(server, mailbox):
    mailbox.is_full = True
    person = Person(server)
    assert "on its way to its e-mail address" in person.send("reset", Username="tideline")
    assert mailbox.refused.get(timeout=60) == "demo@example.com"
    line = logged(server, "A mail was not sent")
    assert "550 5.7.1 nobody of that name" in line
    assert "token" not in line and "demo@example.com" not in line
    assert mailbox.mails.empty()


def logged(server, text):
    """The line of the server's log with this text, which is written while the answer goes out."""
    for _ in range(600):
        for line in (server.folder / "server.log").read_text(encoding="utf-8").splitlines():
            if text in line:
                return line
        time.sleep(0.1)
    raise AssertionError(f"no line says: {text}")
