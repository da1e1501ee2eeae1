# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Two tabs of the app over one store: nothing is lost, nothing is sent twice, with Web Locks and without."""

import json
import re

import pytest
from app import expect_names, expect_status, go, sign_in, write
from playwright.sync_api import expect

# What browsers have on secure pages only.
PLAIN = """
delete Navigator.prototype.locks;
delete Navigator.prototype.serviceWorker;
delete Crypto.prototype.randomUUID;
"""


@pytest.fixture(params=["with Web Locks", "without Web Locks"])
def context(browser, request):
    """A device whose tabs share a store."""
    made = browser.context()
    if request.param == "without Web Locks":
        made.add_init_script(PLAIN)
    made.sent = []
    made.renewed = []
    made.on("requestfinished", lambda each: note(made, each))
    return made


def note(context, request):
    """Keeps what has reached the service: the identifiers of a batch, and the renewals of a sign-in."""
    if request.url.endswith("/$batch"):
        requests = json.loads(request.post_data)["requests"]
        context.sent.append({each["headers"].get("repeatability-request-id") for each in requests} - {None})
    if request.url.endswith("/token") and "refresh_token" in (request.post_data or ""):
        context.renewed.append(request.post_data)


def expect_each_sent_once(context):
    """Every identifier was in one batch."""
    all_sent = [each for batch in context.sent for each in batch]
    assert len(all_sent) == len(set(all_sent)), context.sent


def two(browser, context, server):
    """Two tabs; the second one is signed in by the first."""
    one = sign_in(browser.page(context), server)
    other = browser.page(context)
    other.goto(server.app)
    expect_status(other, "In step")
    return one, other


def both(pages):
    """Tells both tabs in the same moment that there is a connection."""
    for page in pages:
        page.evaluate("() => { setTimeout(() => dispatchEvent(new Event('online')), 50); }")


def test_what_both_tabs_write_while_the_server_is_gone_arrives_once(browser, context, server, service):
    pages = two(browser, context, server)
    server.stop()
    for page in pages:
        page.evaluate("() => dispatchEvent(new Event('online'))")
        expect_status(page, "Offline")
    write(pages[0], 4, "Of one", "https://one.example/")
    write(pages[1], 5, "Of two", "https://two.example/")
    write(pages[0], 1, "Renamed", "http://www.google.co.uk")
    write(pages[1], 1, "Renamed", "https://moved.example/")
    server.start()
    both(pages)
    for page in pages:
        expect_status(page, "In step")
        go(page, "")
        expect_names(page, "Renamed", ".NET 247", "Topaz Filer", "Of one", "Of two")
    assert service.slots == [(0, "Renamed"), (1, ".NET 247"), (2, "Topaz Filer"), (3, "Of one"), (4, "Of two")]
    assert service.row("Renamed")["Url"] == "https://moved.example/"
    expect_each_sent_once(context)


def test_both_tabs_write_at_once_while_the_service_is_slow(browser, context, server, service):
    pages = two(browser, context, server)
    # The answer to each batch comes late, so that a second one could go beside it.
    slow = """() => {
        const fetchNow = window.fetch;
        window.fetch = async (path, options) => {
            if (String(path).endsWith("/$batch")) await new Promise((resolve) => setTimeout(resolve, 300));
            return fetchNow(path, options);
        };
    }"""
    for page in pages:
        page.evaluate(slow)
        go(page, "configure")
    for turn in range(3):
        for page in pages:
            page.locator(".grip").nth(turn % 2).focus()
            page.keyboard.press("Enter")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
    for page in pages:
        expect_status(page, "In step")
    shown = pages[0].locator(".row .name").all_inner_texts()
    assert pages[1].locator(".row .name").all_inner_texts() == shown
    assert sorted(name for _, name in service.slots) == [".NET 247", "Google", "Topaz Filer"]
    expect_each_sent_once(context)


def test_a_sign_in_that_both_tabs_renew_is_renewed_once(browser, context, server, service):
    pages = two(browser, context, server)
    # A refresh token that is used twice ends the sign-in of both.
    for _ in range(3):
        pages[0].evaluate("""() => {
            const session = JSON.parse(localStorage.getItem("sixbookmarks.session"));
            localStorage.setItem("sixbookmarks.session", JSON.stringify({ ...session, expires: 0 }));
        }""")
        before = len(context.renewed)
        both(pages)
        pages[0].wait_for_function("() => JSON.parse(localStorage.getItem('sixbookmarks.session')).expires > 0")
        for page in pages:
            go(page, "sync")
            page.get_by_role("button", name="Sync now").click()
            expect(page.locator("#live")).to_have_text(re.compile("^Synced"))
            expect_status(page, "In step")
            go(page, "")
        assert len(context.renewed) == before + 1
    assert len(set(context.renewed)) == 3


def test_a_tab_that_is_closed_while_it_sends_holds_up_no_other(browser, context, server, service):
    one, other = two(browser, context, server)
    # It never has an answer: the tab is in the middle of a synchronisation when it is closed.
    one.evaluate("""() => {
        const fetchNow = window.fetch;
        window.fetch = (path, options) => (String(path).endsWith("/$batch") ? new Promise(() => {}) : fetchNow(path, options));
    }""")
    write(one, 4, "Of one", "https://one.example/")
    expect(one.locator("#status")).to_have_attribute("aria-busy", "true")
    go(other, "")
    expect_names(other, "Google", ".NET 247", "Topaz Filer", "Of one")
    write(other, 5, "Of two", "https://two.example/")
    one.close()
    expect_status(other, "In step")
    assert service.slots[3:] == [(3, "Of one"), (4, "Of two")]
    expect_each_sent_once(context)


def test_who_signs_out_in_one_tab_is_signed_out_in_the_other(browser, context, server):
    one, other = two(browser, context, server)
    one.get_by_role("button", name="Sign out").click()
    expect(one.get_by_role("button", name="Sign in")).to_be_visible()
    expect(other.get_by_role("button", name="Sign in")).to_be_visible()
    sign_in(other, server)
