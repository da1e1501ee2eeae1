# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The forms and the keys of Fishing, wrong turns too: errors at their fields, nothing sent twice, nothing typed lost."""

import datetime
import email.utils
import json
import re

import pytest
from access import check
from app import until
from playwright.sync_api import expect
from test_fishing import PASSWORDS, enter, names, open_spot


def add(page, name, comments=""):
    """Fills in the form for a spot, at a point, by pasting."""
    page.get_by_label("Latitude").fill("59.85")
    page.get_by_label("Longitude").fill("10.75")
    page.get_by_text("Add a spot").click()
    for label, text in (("Name", name), ("Comments", comments)):
        page.get_by_label(label).focus()
        page.keyboard.insert_text(text)


def ended(page):
    """Ends the sign-in: the service takes neither token any more."""
    error = json.dumps({"error": {"code": "InvalidToken", "message": "The token is not valid."}})
    for path in ("**/odata/fishing/**", "**/auth/fishing/token"):
        page.route(path, lambda route: route.fulfill(status=401, body=error, content_type="application/json"))


def begun(page):
    """Lets the service take sign-ins again."""
    for path in ("**/odata/fishing/**", "**/auth/fishing/token"):
        page.unroute(path)


def test_a_wrong_password_is_told_at_its_field_and_at_the_top(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    page.goto(server.address + "/apps/fishing/")
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    problem = page.get_by_role("alert").get_by_role("link", name="The name or the password is wrong.")
    expect(problem).to_be_visible()
    password = page.get_by_label("Password")
    expect(password).to_be_focused()
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(password).to_have_value("wrong")
    check(page)
    page.get_by_label("Name").focus()
    problem.click()
    expect(password).to_be_focused()


def test_three_clicks_send_one_sign_in(browser, server):
    page = browser.page()
    page.goto(server.address + "/apps/fishing/")
    sent = []
    page.route("**/auth/fishing/token", lambda route: sent.append(route))
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(PASSWORDS["ann"])
    page.get_by_role("button", name="Sign in").evaluate("button => { for (let round = 0; round < 3; round += 1) button.click(); }")
    expect(page.get_by_role("button", name="Signing in…")).to_have_attribute("aria-disabled", "true")
    check(page)
    until(page, lambda: sent)
    assert len(sent) == 1
    sent[0].continue_()
    expect(page.locator(".spots .row").first).to_be_visible()
    assert len(sent) == 1


def test_what_the_service_refuses_is_told_at_its_field_and_stays_whole(browser, server):
    browser.allow("status of 4")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "n" * 81, "c" * 20_001)
    assert page.get_by_label("Name").input_value() == "n" * 81
    page.get_by_role("button", name="Save spot").click()
    for label in ("Name", "Comments"):
        expect(page.get_by_label(label)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_role("alert").get_by_role("link")).to_have_count(2)
    check(page)
    page.get_by_label("Name").fill("Reef")
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_label("Comments")).to_be_focused()
    expect(page.get_by_label("Name")).not_to_have_attribute("aria-invalid", "true")
    assert page.get_by_label("Comments").input_value() == "c" * 20_001
    page.get_by_label("Comments").fill("")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Reef is saved.")


def test_a_deletion_after_the_sign_in_has_ended_leads_to_the_form(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    enter(page, server, "ann")
    open_spot(page, "The hole")
    ended(page)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete “The hole”").click()
    expect(page.get_by_role("alert").filter(has_text="Your sign-in has ended. Sign in again to go on.")).to_be_visible()
    begun(page)
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(PASSWORDS["ann"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".spots .row").first).to_be_visible()
    assert "The hole" in names(page)


def test_what_was_typed_when_the_sign_in_ended_comes_back_to_who_typed_it(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "Reef", "Deep water")
    # What is near the point is asked for before the sign-in ends.
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    ended(page)
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert").filter(has_text="What you have typed comes back then.")).to_be_visible()
    begun(page)
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(PASSWORDS["ann"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Name")).to_have_value("Reef")
    expect(page.get_by_label("Comments")).to_have_value("Deep water")
    expect(page.get_by_text("At 59.85, 10.75.")).to_be_visible()
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Reef is saved.")


def test_a_service_that_is_busy_when_the_sign_in_is_renewed_does_not_end_it(browser, server):
    browser.allow("status of 401")
    browser.allow("status of 503")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "Busy reef")
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    ended(page)
    page.unroute("**/auth/fishing/token")
    page.route("**/auth/fishing/token", lambda route: route.fulfill(status=503, body="{}", content_type="application/json"))
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert").filter(has_text="The service answered 503.")).to_be_visible()
    begun(page)
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Busy reef is saved.")


def test_who_signs_out_while_the_sign_in_is_renewed_stays_signed_out(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "Left reef")
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    ended(page)
    page.unroute("**/auth/fishing/token")
    held = []
    page.route("**/auth/fishing/token", lambda route: held.append(route))
    with page.expect_request("**/auth/fishing/token"):
        page.get_by_role("button", name="Save spot").click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password")).to_be_visible()
    with page.expect_request("**/auth/fishing/revoke") as revoked:
        answer = {"access_token": "late", "refresh_token": "late-too", "expires_in": 900}
        held[0].fulfill(status=200, body=json.dumps(answer), content_type="application/json")
    assert revoked.value.post_data_json == {"refresh_token": "late-too"}
    assert page.evaluate("sessionStorage.getItem('tideline-fishing')") is None


def test_a_spot_that_is_saved_as_soon_as_its_point_is_typed_is_told_last(browser, server):
    page = browser.page()
    page.clock.install()
    enter(page, server, "ann")
    add(page, "Swift reef")
    page.clock.run_for(1000)
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    # The clock stands: the question that waits with this point is still to come.
    page.get_by_label("Latitude").fill("59.86")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Swift reef is saved.")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(1000)
    assert [url for url in asked if "/FishingSpots" in url] == []
    expect(page.locator("#live")).to_have_text("Swift reef is saved.")


def test_comments_are_shown_line_by_line(browser, server):
    page = browser.page()
    enter(page, server, "ann")
    add(page, "Reef", "First line\nSecond line")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Reef is saved.")
    shown = page.locator(".detail p").first
    assert shown.inner_text() == "First line\nSecond line"


def test_a_question_mark_lists_the_keys_and_can_be_switched_off(browser, server, pictures):
    page = browser.page()
    page.goto(server.address + "/apps/fishing/")
    # Before the sign-in there are none, and in a field it is a letter.
    page.locator("body").press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    enter(page, server, "ann")
    page.get_by_text("Add a spot").click()
    page.get_by_label("Comments").press("?")
    expect(page.get_by_label("Comments")).to_have_value("?")
    page.locator("h1").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog.get_by_role("term")).to_have_text(["Arrows", "+", "-", "?"])
    page.screenshot(path=pictures / "fishing-3-keys-1280-light.png")
    check(page)
    dialog.get_by_label("Let ? open this list").uncheck()
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator("h1")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(dialog).to_be_visible()


def lose_first(page):
    """Lets the service make the first spot that is sent, and loses its answer."""
    sent = []

    def answer(route):
        if route.request.method == "POST":
            sent.append(route.request.headers.get("repeatability-request-id"))
            if len(sent) == 1:
                route.fetch()
                route.abort()
                return
        route.continue_()

    page.route("**/odata/fishing/FishingSpots*", answer)
    return sent


def test_a_spot_whose_answer_is_lost_is_made_once(browser, server):
    browser.allow("ERR_FAILED")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "Once only")
    sent = lose_first(page)
    page.get_by_role("button", name="Save spot").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("It is not known whether the spot is saved")
    expect(alert).to_contain_text("The service does not answer. What you typed is still here; save it again, and it is made once.")
    check(page)
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Once only is saved.")
    assert names(page).count("Once only") == 1
    # The next spot is another one.
    page.get_by_text("Add a spot").click()
    page.get_by_label("Name").fill("Another")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Another is saved.")
    assert sent[0] == sent[1] != sent[2]


def test_a_spot_that_is_changed_after_its_answer_was_lost_is_told_of_the_first_try(browser, server):
    browser.allow("ERR_FAILED")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "First try")
    sent = lose_first(page)
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert")).to_contain_text("It is not known whether the spot is saved")
    page.get_by_label("Name").fill("Second thought")
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert")).to_contain_text("Your first try is saved, as it was before you changed it.")
    expect(page.get_by_label("Name")).to_have_value("Second thought")
    assert "First try" in names(page) and "Second thought" not in names(page)
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Second thought is saved.")
    assert sent[0] == sent[1] != sent[2]


def days_ago(count):
    """A date in the past, as HTTP writes it."""
    moment = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=count)
    return email.utils.format_datetime(moment, usegmt=True)


def late(page, is_made):
    """The answer to the first spot that is sent is lost; what comes a second time was first sent eight days ago."""
    sent = []

    def answer(route):
        if route.request.method == "POST":
            sent.append(route.request.headers["repeatability-request-id"])
            if len(sent) == 1:
                if is_made:
                    route.fetch()
                route.abort()
                return
            if sent[-1] == sent[0]:
                route.continue_(headers={**route.request.headers, "repeatability-first-sent": days_ago(8)})
                return
        route.continue_()

    page.route("**/odata/fishing/FishingSpots*", answer)
    return sent


@pytest.mark.parametrize("is_made", [True, False])
def test_a_spot_that_is_saved_again_after_a_week_is_looked_for_and_made_once(browser, server, is_made):
    browser.allow("ERR_FAILED")
    browser.allow("status of 412")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "Bob's reef & <rock>", "First line\nSecond line")
    sent = late(page, is_made)
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert")).to_contain_text("It is not known whether the spot is saved")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Bob's reef & <rock> is saved.")
    expect(page.get_by_label("Name")).to_be_hidden()
    assert names(page).count("Bob's reef & <rock>") == 1
    # What was there is not sent a third time; what was not is sent as another request.
    assert len(sent) == (2 if is_made else 3) and len(set(sent)) == len(sent) - 1


def test_a_spot_that_was_changed_since_it_was_sent_a_week_ago_is_told_of_the_first_try(browser, server):
    browser.allow("ERR_FAILED")
    browser.allow("status of 412")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "First try")
    late(page, True)
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert")).to_contain_text("It is not known whether the spot is saved")
    page.get_by_label("Name").fill("Second thought")
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert")).to_contain_text("Your first try is saved, as it was before you changed it.")
    assert "First try" in names(page) and "Second thought" not in names(page)
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Second thought is saved.")


@pytest.mark.parametrize("is_made", [True, False])
def test_a_spot_whose_sign_in_ended_eight_days_ago_is_saved_once_and_blames_no_clock(browser, server, is_made):
    browser.allow("status of 401")
    browser.allow("status of 412")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "Old reef")
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    ended(page)
    if is_made:
        # The sign-in ends between the spot and the question for the list.
        page.route("**/odata/fishing/FishingSpots", lambda route: route.continue_() if route.request.method == "POST" else route.fallback())
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/FishingSpots")) as tried:
        page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert").filter(has_text="What you have typed comes back then.")).to_be_visible()
    if is_made:
        page.unroute("**/odata/fishing/FishingSpots")
    begun(page)
    old = tried.value.headers["repeatability-request-id"]
    sent = []

    def answer(route):
        headers = route.request.headers
        if route.request.method == "POST":
            sent.append(headers["repeatability-request-id"])
        if headers.get("repeatability-request-id") == old:
            route.continue_(headers={**headers, "repeatability-first-sent": days_ago(8)})
        else:
            route.continue_()

    page.route("**/odata/fishing/FishingSpots*", answer)
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(PASSWORDS["ann"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    expect(page.get_by_label("Name")).to_have_value("Old reef")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Old reef is saved.")
    expect(page.get_by_label("Name")).to_be_hidden()
    assert names(page).count("Old reef") == 1
    # What was there is not sent anew; what was not is sent as another request.
    assert sent[0] == old and len(set(sent)) == len(sent) == (1 if is_made else 2)


def test_a_clock_that_is_wrong_is_told(browser, server):
    browser.allow("status of 412")
    page = browser.page()
    enter(page, server, "ann")
    add(page, "Late reef")
    page.clock.set_fixed_time(datetime.datetime.now() - datetime.timedelta(days=8))
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert")).to_contain_text("The spot is not saved")
    expect(page.get_by_role("alert")).to_contain_text("the clock of this device is wrong by a day or more")
    assert "Late reef" not in names(page)
