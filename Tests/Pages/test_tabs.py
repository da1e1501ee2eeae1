# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Two tabs of the app, over one store or over two: nothing is lost, sent twice or anybody else's, with Web Locks and without."""

import json
import re

import urllib.error

import pytest
from app import PASSWORDS, SLEEPY, Service, expect_names, expect_status, go, sign_in, write
from playwright.sync_api import expect

# What browsers have on secure pages only.
PLAIN = """
delete Navigator.prototype.locks;
delete Navigator.prototype.serviceWorker;
delete Crypto.prototype.randomUUID;
"""


# A tab that sleeps is told of nothing that other tabs store.
ASLEEP = "addEventListener('storage', (event) => event.stopImmediatePropagation());"
SESSION = "() => JSON.parse(localStorage.getItem('sixbookmarks.session'))"


@pytest.fixture(params=["with Web Locks", "without Web Locks"])
def context(browser, request):
    """A device whose tabs share a store."""
    return device(browser, request.param == "without Web Locks")


def device(browser, is_plain):
    """A device that keeps what its tabs have sent; a plain one has no Web Locks."""
    made = browser.context()
    if is_plain:
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
            expect(page.locator("#live")).to_have_text(re.compile("is at place|is not moved"))
    for page in pages:
        expect_status(page, "In step")
    shown = pages[0].locator(".row .name").all_inner_texts()
    expect(pages[1].locator(".row .name")).to_have_text(shown)
    assert sorted(name for _, name in service.slots) == [".NET 247", "Google", "Topaz Filer"]
    expect_each_sent_once(context)


def test_a_tab_that_reads_an_earlier_time_takes_no_lease_that_is_held(browser, server, service):
    context = device(browser, is_plain=True)
    one, other = two(browser, context, server)
    one.evaluate("""() => {
        const fetchNow = window.fetch;
        window.fetch = async (path, options) => {
            if (String(path).endsWith("/$batch")) await new Promise((resolve) => { globalThis.letGo = resolve; });
            return fetchNow(path, options);
        };
    }""")
    write(one, 4, "Of one", "https://one.example/")
    one.wait_for_function("() => globalThis.letGo")
    # Each tab reads the time for itself, and may have done so before the other one did. Here long before: the lease is some time old.
    other.evaluate("""() => {
        const now = Date.now;
        Date.now = () => now() - 25_000;
        const get = IDBObjectStore.prototype.get;
        IDBObjectStore.prototype.get = function (key) {
            const request = get.call(this, key);
            if (this.name === "leases") request.addEventListener("success", () => { globalThis.hasAsked = true; });
            return request;
        };
        dispatchEvent(new Event("online"));
    }""")
    other.wait_for_function("() => globalThis.hasAsked")
    one.evaluate("() => letGo()")
    for page in (one, other):
        expect_status(page, "In step")
    assert service.slots[3:] == [(3, "Of one")]
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


def enter(page, name, remember=True):
    """Signs in at the form that is shown; the name may stand there already."""
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORDS[name])
    page.get_by_label("Remember me").set_checked(remember)
    page.get_by_role("button", name="Sign in").click()
    expect_status(page, "In step")


def two_persons(browser, context, server):
    """Two tabs at the form, then ada in the one and grace in the other, each with a bookmark that says whose it is."""
    people = {name: Service(server, name, PASSWORDS[name]) for name in PASSWORDS}
    pages = {name: browser.page(context) for name in PASSWORDS}
    for name, page in pages.items():
        people[name].change("Google", Name=f"{name}'s search")
        page.goto(server.app)
    return people, pages


# covers: SB-W26 SB-W27 SB-S08
@pytest.mark.parametrize("is_asleep", [False, True], ids=["told at once", "asleep"])
def test_who_signs_in_in_one_tab_is_not_who_works_in_the_other(browser, context, server, is_asleep):
    browser.allow("ERR_FAILED")
    if is_asleep:
        context.add_init_script(ASLEEP)
    people, pages = two_persons(browser, context, server)
    ada, grace = pages["ada"], pages["grace"]
    asked = []
    ada.on("request", lambda request: asked.append(request.headers.get("authorization")))
    enter(ada, "ada")
    ada.route("**/$batch", lambda route: route.abort())
    write(ada, 4, "Only ada's", "https://ada.example/")
    expect_status(ada, "Offline, 1 waiting")
    go(ada, "edit/1")
    ada.get_by_label("Name").fill("Half")
    enter(grace, "grace")
    expect_names(grace, "grace's search", ".NET 247", "Topaz Filer")
    foreign = "Bearer " + grace.evaluate(SESSION)["access"]
    if is_asleep:
        ada.evaluate("() => dispatchEvent(new Event('focus'))")
    told = ada.get_by_text("grace has signed in with this browser, so ada is signed out here.")
    expect(told).to_contain_text("1 change is kept on this device and sent then. What you have typed comes back then.")
    expect(ada.get_by_label("Name")).to_have_value("ada")
    write(grace, 1, "Grace's own", "https://grace.example/")
    expect_status(grace, "In step")
    # Nothing is lost, and nothing has crossed over.
    ada.unroute("**/$batch")
    enter(ada, "ada")
    expect(ada.get_by_label("Name")).to_have_value("Half")
    go(ada, "")
    expect_names(ada, "ada's search", ".NET 247", "Topaz Filer", "Only ada's")
    assert people["ada"].slots == [(0, "ada's search"), (1, ".NET 247"), (2, "Topaz Filer"), (3, "Only ada's")]
    assert people["grace"].slots == [(0, "Grace's own"), (1, ".NET 247"), (2, "Topaz Filer")]
    assert foreign not in asked
    if is_asleep:
        grace.evaluate("() => dispatchEvent(new Event('focus'))")
    expect(grace.get_by_text("ada has signed in with this browser, so grace is signed out here.")).to_be_visible()


# covers: SB-S07 SB-W27
def test_a_sign_in_that_another_takes_the_place_of_is_ended_on_the_service(browser, context, server, service):
    people, pages = two_persons(browser, context, server)
    enter(pages["ada"], "ada")
    refresh = pages["ada"].evaluate(SESSION)["refresh"]
    with pages["grace"].expect_response("**/auth/sixbookmarks/revoke"):
        enter(pages["grace"], "grace")
    with pytest.raises(urllib.error.HTTPError) as refused:
        service.send("POST", "/auth/sixbookmarks/token", {"grant_type": "refresh_token", "refresh_token": refresh})
    assert refused.value.code == 401


# covers: SB-F133 SB-W27
def test_a_late_word_of_a_sign_out_ends_nobody_elses_sign_in(browser, context, server):
    context.add_init_script(ASLEEP)
    people, pages = two_persons(browser, context, server)
    enter(pages["ada"], "ada")
    store = pages["ada"].evaluate(SESSION)["database"]
    enter(pages["grace"], "grace")
    pages["grace"].evaluate("store => { new BroadcastChannel(store).postMessage('gone'); }", store)
    expect(pages["ada"].get_by_text("You have signed out in another tab.")).to_be_visible()
    assert pages["grace"].evaluate(SESSION)["name"] == "grace"
    pages["grace"].reload()
    expect_names(pages["grace"], "grace's search", ".NET 247", "Topaz Filer")


# covers: SB-F133 SB-S07
@pytest.mark.parametrize("leaver", ["alone", "remembered"])
def test_a_sign_out_ends_every_sign_in_of_its_user_in_the_browser(browser, context, server, service, leaver):
    pages = {"alone": browser.page(context), "remembered": browser.page(context)}
    for page in pages.values():
        page.goto(server.app)
    enter(pages["alone"], "ada", remember=False)
    own = pages["alone"].evaluate("() => JSON.parse(sessionStorage.getItem('sixbookmarks.session')).refresh")
    enter(pages["remembered"], "ada")

    def is_revoked(response):
        return response.url.endswith("/auth/sixbookmarks/revoke") and own in (response.request.post_data or "")

    with pages["alone"].expect_response(is_revoked):
        pages[leaver].get_by_role("button", name="Sign out").click()
    for page in pages.values():
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    for page in pages.values():
        page.reload()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    with pytest.raises(urllib.error.HTTPError) as refused:
        service.send("POST", "/auth/sixbookmarks/token", {"grant_type": "refresh_token", "refresh_token": own})
    assert refused.value.code == 401


# covers: SB-F121 SB-S08 SB-W33
def test_two_persons_each_in_a_tab_of_their_own_hear_of_their_changes_and_leave_alone(browser, context, server):
    people, pages = two_persons(browser, context, server)
    for name, page in pages.items():
        enter(page, name, remember=False)
    for name, page in pages.items():
        # Nothing but the service's events says so before the next minute.
        people[name].change(f"{name}'s search", Name=f"New of {name}")
        expect_names(page, f"New of {name}", ".NET 247", "Topaz Filer")
    pages["ada"].get_by_role("button", name="Sign out").click()
    expect(pages["ada"].get_by_text("You are signed out.")).to_be_visible()
    write(pages["grace"], 4, "Still here", "https://still.example/")
    expect_status(pages["grace"], "In step")
    assert people["grace"].slots[3] == (3, "Still here")


OWN = "() => sessionStorage.getItem('sixbookmarks.session')"


def test_a_duplicated_tab_and_the_one_it_was_made_of_renew_their_sign_in_once(browser, context, server):
    one = sign_in(browser.page(context), server, remember=False)
    first = one.evaluate(OWN)

    def duplicate():
        """A tab with a copy of what the first one stored when it was signed in."""
        page = browser.page(context)
        page.add_init_script(f"sessionStorage.length || sessionStorage.setItem('sixbookmarks.session', {json.dumps(first)});")
        page.goto(server.app)
        expect_status(page, "In step")
        return page

    pages = [one, duplicate()]
    for turn in range(2):
        for page in pages:
            page.evaluate("""() => {
                const session = JSON.parse(sessionStorage.getItem("sixbookmarks.session"));
                sessionStorage.setItem("sixbookmarks.session", JSON.stringify({ ...session, expires: 0 }));
            }""")
        both(pages)
        for page in pages:
            page.wait_for_function("() => JSON.parse(sessionStorage.getItem('sixbookmarks.session')).expires > 0")
        assert len(context.renewed) == turn + 1
        assert one.evaluate(OWN) == pages[1].evaluate(OWN)
        for page in pages:
            expect_status(page, "In step")
    assert len(set(context.renewed)) == 2
    # Brought back as it was at first, with tokens that have ended, it asks its copies.
    first = json.dumps({**json.loads(first), "expires": 0})
    late = duplicate()
    assert len(context.renewed) == 2
    assert late.evaluate(OWN) == one.evaluate(OWN)


RENEW = """() => {
    const session = JSON.parse(sessionStorage.getItem("sixbookmarks.session"));
    sessionStorage.setItem("sixbookmarks.session", JSON.stringify({ ...session, expires: 0 }));
    dispatchEvent(new Event("online"));
}"""


def renew(page):
    """Lets the tokens of a tab end, so that it renews them."""
    page.evaluate(RENEW)
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem('sixbookmarks.session')).expires > 0")
    expect_status(page, "In step")


def late_copy(browser, context, one, server):
    """A tab as the browser brings it back: with tokens that have ended, which a copy has renewed that sleeps since."""
    one.add_init_script(SLEEPY)
    sign_in(one, server, remember=False)
    first = json.loads(one.evaluate(OWN))
    renew(one)
    one.evaluate("() => { globalThis.isAsleep = true; }")
    late = browser.page(context)
    text = json.dumps({**first, "expires": 0})
    late.add_init_script(f"sessionStorage.length || sessionStorage.setItem('sixbookmarks.session', {json.dumps(text)});")
    return late, first


def test_a_tab_that_missed_what_a_sleeping_copy_renewed_ends_its_own_sign_in_alone(browser, context, server):
    browser.allow("status of 401")
    one = browser.page(context)
    late, first = late_copy(browser, context, one, server)
    error = json.dumps({"error": {"code": "InvalidToken", "message": "The token is not valid."}})

    def answer(route):
        if route.request.headers.get("authorization") == f"Bearer {first['access']}":
            route.fulfill(status=401, body=error, content_type="application/json")
        else:
            route.continue_()

    context.route("**/odata/sixbookmarks/**", answer)
    late.goto(server.app)
    expect(late.get_by_text("Your sign-in has ended. Sign in again to go on.")).to_be_visible()
    # The tokens that have served are not sent again, and so the copy goes on.
    assert len(context.renewed) == 1
    renew(one)
    assert len(context.renewed) == 2


def test_a_tab_that_missed_a_renewal_and_has_no_connection_shows_the_bookmarks(browser, context, server):
    browser.allow("ERR_INTERNET_DISCONNECTED")
    one = browser.page(context)
    late, first = late_copy(browser, context, one, server)
    # Its own access token still serves: only the clock says that it is over.
    late.goto(server.app)
    expect_status(late, "In step")
    assert json.loads(late.evaluate(OWN))["refresh"] == first["refresh"]
    context.set_offline(True)
    with late.expect_event("requestfailed", lambda request: "$events" not in request.url):
        late.evaluate("() => dispatchEvent(new Event('online'))")
    expect_status(late, "Offline")
    expect_names(late, "Google", ".NET 247", "Topaz Filer")
    context.set_offline(False)
    assert len(context.renewed) == 1


def test_a_sign_in_that_the_service_ends_is_noted_no_longer(browser, context, server):
    browser.allow("status of 401")
    page = sign_in(browser.page(context), server, remember=False)
    noted = "() => Object.keys(localStorage).filter((key) => key.startsWith('sixbookmarks.generation.')).length"
    renew(page)
    assert page.evaluate(noted) == 1
    # A server that was restored from a backup knows an older token, of a tab that would else be late for ever.
    error = json.dumps({"error": {"code": "InvalidToken", "message": "The token is not valid."}})
    context.route("**/auth/sixbookmarks/token", lambda route: route.fulfill(status=401, body=error, content_type="application/json"))
    page.evaluate(RENEW)
    expect(page.get_by_text("Your sign-in has ended. Sign in again to go on.")).to_be_visible()
    assert page.evaluate(noted) == 0
