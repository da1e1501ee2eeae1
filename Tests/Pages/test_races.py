# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What comes late: an answer that a tab slept over, a word that was dropped, a store that is not let go of."""

import re

from app import expect_names, expect_status, go, sign_in, until, write
from playwright.sync_api import expect
from test_fishing import PASSWORDS as FISHERS
from test_fishing import enter as enter_fishing
from test_tabs import device, enter, two

# As when the leases of a tab end that the browser lets sleep.
END_LEASES = """() => new Promise((resolve) => {
    indexedDB.open("sixbookmarks-leases").onsuccess = ({ target }) => {
        const transaction = target.result.transaction("leases", "readwrite");
        transaction.objectStore("leases").clear();
        transaction.oncomplete = () => {
            target.result.close();
            resolve();
        };
    };
})"""
# Renews no lease by itself, as a tab that sleeps; the test wakes it.
SLEEPING = """
globalThis.renewals = [];
const every = setInterval;
globalThis.setInterval = (run, time) => (time === 10_000 ? (renewals.push(run), every(() => {}, 1e9)) : every(run, time));
"""
ONLINE = "() => dispatchEvent(new Event('online'))"
# A sign-in that the service knows no more.
END_SIGN_IN = """() => {
    const session = JSON.parse(localStorage.getItem("sixbookmarks.session"));
    localStorage.setItem("sixbookmarks.session", JSON.stringify({ ...session, access: "over", refresh: "over" }));
    dispatchEvent(new Event("online"));
}"""


class Late:
    """Answers to the requests of a page that come when a test lets them; of all requests the one of this number."""

    def __init__(self, page, pattern, number=1):
        self.page = page
        self.number = number
        self.count = 0
        self.held = None
        page.route(pattern, self._answer)

    def _answer(self, route):
        self.count += 1
        if self.count == self.number:
            self.held = (route, route.fetch())
        else:
            route.continue_()

    def wait(self):
        """Until the service has answered, of which the page has not heard."""
        until(self.page, lambda: self.held)
        return self.held[1]

    def come(self):
        """Lets the answer come."""
        self.held[0].fulfill(response=self.held[1])


def test_an_answer_that_a_tab_slept_over_is_of_what_it_sent_alone(browser, server, service):
    browser.allow("ERR_FAILED")
    context = device(browser, is_plain=True)
    context.route("**/$events", lambda route: route.abort())
    context.add_init_script(SLEEPING)
    one, other = two(browser, context, server)
    first = Late(one, "**/$batch")
    # Somebody else has the place, which no tab knows.
    server.sql("INSERT INTO Bookmarks VALUES (7777, 1001, 'Theirs', 'https://theirs.example/', 3)")
    write(one, 4, "Mine", "https://mine.example/")
    assert '"status":409' in first.wait().text()
    # The other one hears the same, and sends what comes of it under the next number.
    second = Late(other, "**/$batch", number=2)
    other.evaluate(END_LEASES)
    other.evaluate(ONLINE)
    assert '"status":201' in second.wait().text()
    other.evaluate(END_LEASES)
    first.come()
    at_rest = re.compile("waiting|conflict|In step")
    expect_status(one, at_rest)
    second.come()
    expect_status(other, at_rest)
    for page in (one, other):
        with page.expect_response(re.compile("deltatoken")):
            page.evaluate(ONLINE)
        expect_status(page, re.compile("conflict|In step"))
    assert sorted(name for _, name in service.slots) == [".NET 247", "Google", "Mine", "Theirs", "Topaz Filer"]


def test_a_tab_that_slept_lets_go_of_its_stream_when_another_one_listens(browser, server):
    context = device(browser, is_plain=True)
    one = browser.page(context)
    one.add_init_script(SLEEPING)
    with one.expect_request("**/$events"):
        sign_in(one, server)
    other = browser.page(context)
    other.goto(server.app)
    with other.expect_request("**/$events"):
        other.evaluate(END_LEASES)
    with one.expect_event("requestfailed", lambda request: request.url.endswith("/$events")):
        one.evaluate("() => { for (const renew of renewals) renew(); }")


# covers: SB-F112
def test_who_asks_for_a_sync_while_one_fails_waits_for_no_timer(browser, server):
    browser.allow("ERR_FAILED")
    page = sign_in(browser.page(), server)

    def cut(route):
        route.abort()

    page.route("**/Bookmarks*", cut)
    for _ in range(6):
        with page.expect_event("requestfailed"):
            page.evaluate(ONLINE)
        expect_status(page, "Offline")
    # The next try by itself comes in half a minute and more.
    page.unroute("**/Bookmarks*", cut)
    held = []
    page.route("**/Bookmarks*", lambda route: route.continue_() if held else held.append(route))
    page.evaluate(ONLINE)
    until(page, lambda: held)
    page.evaluate(ONLINE)
    held[0].abort()
    expect_status(page, "In step")


def test_what_changes_before_the_first_stream_of_events_is_there_comes(browser, server, service):
    page = browser.page()
    held = []
    page.route("**/$events", lambda route: route.continue_() if held else held.append(route))
    sign_in(page, server)
    until(page, lambda: held)
    service.change("Google", Name="Between")
    held[0].continue_()
    expect_names(page, "Between", ".NET 247", "Topaz Filer")


def test_a_sync_leaves_the_keyboard_where_it_is(browser, server, service):
    page = sign_in(browser.page(), server)
    page.locator(".place").nth(1).focus()
    service.change("Topaz Filer", Name="Topaz")
    expect_names(page, "Google", ".NET 247", "Topaz")
    expect_status(page, "In step")
    expect(page.locator(".place").nth(1)).to_be_focused()


def test_what_was_typed_when_a_sign_in_ended_is_there_after_a_newer_app_is_loaded_at_the_door(browser, server):
    browser.allow("status of 401")
    page = sign_in(browser.page(), server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    page.evaluate(END_SIGN_IN)
    expect(page.get_by_text("Your sign-in has ended.")).to_contain_text("What you have typed comes back then.")
    page.evaluate("for (let time = 0; time < 2; time += 1) navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))")
    with page.expect_navigation():
        page.get_by_role("button", name="Load it").click()
    enter(page, "ada")
    expect(page.get_by_label("Name")).to_have_value("Half")


# covers: SB-F133
def test_a_sign_out_waits_for_no_tab_that_hangs(browser, server):
    one, other = two(browser, browser.context(), server)
    # It hangs until the test is over.
    other.evaluate("() => { setTimeout(() => { for (const end = Date.now() + 12_000; Date.now() < end; ) {} }); }")
    with one.expect_response("**/auth/sixbookmarks/revoke") as told:
        one.get_by_role("button", name="Sign out").click()
    assert told.value.ok
    left = "You are signed out. What is stored on this device is deleted when its other tabs are closed."
    expect(one.get_by_text(left)).to_be_visible(timeout=10_000)
    expect(one.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_late_word_of_a_sign_out_leaves_the_next_person_alone(browser, server):
    page = browser.page()
    enter_fishing(page, server, "ann")
    held = []
    page.route("**/auth/fishing/revoke", lambda route: held.append(route))
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Name").fill("bob")
    page.get_by_label("Password").fill(FISHERS["bob"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".spots .row").first).to_be_visible()
    page.get_by_text("Add a spot").click()
    page.get_by_label("Name").fill("Bob's reef")
    until(page, lambda: held)
    with page.expect_response("**/auth/fishing/revoke"):
        held[0].continue_()
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve))")
    expect(page.get_by_label("Name")).to_have_value("Bob's reef")
