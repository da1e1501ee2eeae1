# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Tabs of Fishing that were duplicated: they have one sign-in, and renew it once."""

import json
import re

import pytest
from app import SLEEPY
from playwright.sync_api import expect
from test_fishing import enter
from test_tabs import PLAIN

KEY = "tideline-fishing"
NOTED = "() => Object.keys(localStorage).filter((key) => key.startsWith('tideline-fishing.generation.')).length"
TYPE_AT_ONCE = """(latitude) => setTimeout(() => {
    for (const [id, value] of [["lng", "10.7"], ["lat", latitude]]) {
        const input = document.getElementById(id);
        input.value = value;
        input.dispatchEvent(new Event("input"));
    }
}, 200)"""


def stored(page):
    """The sign-in of a tab, as text."""
    return page.evaluate("key => sessionStorage.getItem(key)", KEY)


def duplicate(browser, context, server, session):
    """A tab with a copy of what another one stores, or stored once."""
    page = browser.page(context)
    page.add_init_script(f"sessionStorage.getItem('{KEY}') ?? sessionStorage.setItem('{KEY}', {json.dumps(session)});")
    page.goto(server.address + "/apps/fishing/")
    expect(page.locator("#live")).to_have_text("10 spots.")
    return page


def device(browser, is_plain=False):
    """A device whose access tokens can be ended, and which refresh tokens it has sent; a plain one has no Web Locks."""
    context = browser.context()
    if is_plain:
        context.add_init_script(PLAIN)
    ended, sent = set(), []
    error = json.dumps({"error": {"code": "InvalidToken", "message": "The token is not valid."}})

    def answer(route):
        if route.request.headers.get("authorization", "").removeprefix("Bearer ") in ended:
            route.fulfill(status=401, body=error, content_type="application/json")
        else:
            route.continue_()

    def note(request):
        if request.url.endswith("/auth/fishing/token") and "refresh_token" in request.post_data_json:
            sent.append(request.post_data_json["refresh_token"])

    context.route("**/odata/fishing/**", answer)
    context.on("request", note)
    return context, ended, sent


@pytest.mark.parametrize("is_plain", [False, True], ids=["with Web Locks", "without Web Locks"])
def test_copies_of_a_tab_renew_their_sign_in_once(browser, server, is_plain):
    browser.allow("status of 401")
    context, ended, sent = device(browser, is_plain)
    one = browser.page(context)
    enter(one, server, "ann")
    pages = [one, duplicate(browser, context, server, stored(one)), duplicate(browser, context, server, stored(one))]
    for turn, (latitude, count) in enumerate([("59.9", 2), ("10", 0), ("59.9", 2)]):
        before = json.loads(stored(one))
        ended.add(before["access_token"])
        for page in pages:
            page.evaluate(TYPE_AT_ONCE, latitude)
        for page in pages:
            expect(page.locator("#live")).to_have_text(f"{count} spots within 3 km.")
        assert len(sent) == turn + 1 and sent[-1] == before["refresh_token"]
        assert stored(one) == stored(pages[1]) == stored(pages[2])


def test_a_tab_that_missed_renewals_asks_its_copies(browser, server):
    browser.allow("status of 401")
    context, ended, sent = device(browser)
    one = browser.page(context)
    enter(one, server, "ann")
    first = stored(one)
    for latitude in ("59.9", "10"):
        ended.add(json.loads(stored(one))["access_token"])
        one.evaluate(TYPE_AT_ONCE, latitude)
        expect(one.locator("#live")).to_have_text(f"{2 if latitude == '59.9' else 0} spots within 3 km.")
    assert len(sent) == 2
    # A browser may have thrown a tab away, and bring it back as it was.
    late = duplicate(browser, context, server, first)
    assert len(sent) == 2
    assert stored(late) == stored(one)


def test_a_copy_renews_where_the_other_could_not(browser, server):
    browser.allow("status of 401")
    browser.allow("ERR_FAILED")
    context, ended, sent = device(browser)
    one = browser.page(context)
    enter(one, server, "ann")
    other = duplicate(browser, context, server, stored(one))
    first = json.loads(stored(one))
    ended.add(first["access_token"])
    one.route("**/auth/fishing/token", lambda route: route.abort())
    for page in (one, other):
        page.evaluate(TYPE_AT_ONCE, "59.9")
    expect(other.locator("#live")).to_have_text("2 spots within 3 km.")
    # The first one may have tried before, and is told at the latest when it asks again.
    again = one.get_by_role("button", name="Try again")
    expect(again.or_(one.get_by_text(re.compile("^2 spots within 3 km"))).first).to_be_visible()
    if again.is_visible():
        again.click()
    expect(one.locator("#live")).to_have_text("2 spots within 3 km.")
    assert set(sent) == {first["refresh_token"]}
    assert stored(one) == stored(other)


def test_a_tab_that_missed_what_a_sleeping_copy_renewed_ends_its_own_sign_in_alone(browser, server):
    browser.allow("status of 401")
    context, ended, sent = device(browser)
    one = browser.page(context)
    one.add_init_script(SLEEPY)
    enter(one, server, "ann")
    first = stored(one)

    def renew(latitude, count):
        ended.add(json.loads(stored(one))["access_token"])
        one.evaluate(TYPE_AT_ONCE, latitude)
        expect(one.locator("#live")).to_have_text(f"{count} spots within 3 km.")

    renew("59.9", 2)
    one.evaluate("() => { globalThis.isAsleep = true; }")
    late = browser.page(context)
    late.add_init_script(f"sessionStorage.getItem('{KEY}') ?? sessionStorage.setItem('{KEY}', {json.dumps(first)});")
    late.goto(server.address + "/apps/fishing/")
    expect(late.get_by_role("alert").filter(has_text="Your sign-in has ended. Sign in again to go on.")).to_be_visible()
    # The token that has served is not sent again, and so the copy goes on.
    assert sent == [json.loads(first)["refresh_token"]]
    renew("10", 0)
    assert len(sent) == 2
    # Signing out leaves nothing of it.
    assert one.evaluate(NOTED) == 1
    one.get_by_role("button", name="Sign out").click()
    expect(one.get_by_label("Password")).to_be_visible()
    assert one.evaluate(NOTED) == 0


def test_a_sign_in_that_the_service_ends_is_noted_no_longer(browser, server):
    browser.allow("status of 401")
    context, ended, sent = device(browser)
    page = browser.page(context)
    enter(page, server, "ann")
    ended.add(json.loads(stored(page))["access_token"])
    page.evaluate(TYPE_AT_ONCE, "59.9")
    expect(page.locator("#live")).to_have_text("2 spots within 3 km.")
    assert page.evaluate(NOTED) == 1
    # A server that was restored from a backup knows an older token, of a tab that would else be late for ever.
    error = json.dumps({"error": {"code": "InvalidToken", "message": "The token is not valid."}})
    context.route("**/auth/fishing/token", lambda route: route.fulfill(status=401, body=error, content_type="application/json"))
    ended.add(json.loads(stored(page))["access_token"])
    page.evaluate(TYPE_AT_ONCE, "10")
    expect(page.get_by_role("alert").filter(has_text="Your sign-in has ended. Sign in again to go on.")).to_be_visible()
    assert page.evaluate(NOTED) == 0


def test_a_page_that_the_browser_had_kept_takes_what_another_page_of_its_tab_renewed(browser, server):
    browser.allow("status of 401")
    context, ended, sent = device(browser)
    one = browser.page(context)
    enter(one, server, "ann")
    first = stored(one)
    ended.add(json.loads(first)["access_token"])
    other = duplicate(browser, context, server, first)
    newer = stored(other)
    # Nobody is there whom it could ask.
    one.close()
    other.close()
    assert len(sent) == 1
    # As when the page is shown again: it has heard nothing, and what it remembers is older than what its tab has stored.
    kept = browser.page(context)
    kept.add_init_script(f"sessionStorage.getItem('{KEY}') ?? sessionStorage.setItem('{KEY}', {json.dumps(first)});")
    kept.add_init_script("globalThis.fetchNow = fetch; globalThis.fetch = () => new Promise((resolve) => { globalThis.go = resolve; });")
    kept.goto(server.address + "/apps/fishing/")
    kept.wait_for_function("() => globalThis.go")
    kept.evaluate("([key, newer]) => sessionStorage.setItem(key, newer)", [KEY, newer])
    kept.evaluate("() => { globalThis.fetch = fetchNow; go(new Response('{}', { status: 401 })); }")
    expect(kept.locator("#live")).to_have_text("10 spots.")
    assert stored(kept) == newer
    assert len(sent) == 1
