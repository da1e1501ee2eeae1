# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A new person in the app: a name of their own, wrong turns too."""

import json
import urllib.error

import pytest
from access import check, walk
from app import DESK, NARROW, PHONE, PASSWORDS, Service, expect_names, expect_status, go, write
from playwright.sync_api import expect

WIDTHS = {"390": PHONE, "1280": DESK}


def fill(page, name, password, again=None):
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_label("The same password again").fill(password if again is None else again)
    page.get_by_role("button", name="Register").click()


def open_form(page, server):
    page.goto(server.app)
    page.get_by_role("link", name="Register").click()
    expect(page.get_by_role("heading", name="Register")).to_be_focused()


# covers: SB-F125
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_new_person_registers_in_the_app_and_has_six_empty_places(browser, server, pictures, width, scheme):
    page = browser.page(viewport=WIDTHS[width], color_scheme=scheme)
    open_form(page, server)
    page.screenshot(path=pictures / f"sixbookmarks-13-register-{width}-{scheme}.png")
    check(page)
    fill(page, "a/b", "short", "other")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_text(
        ["The name has a slash. Leave it out.", "The password is too short. Choose at least 8 characters.", "This is not the same password."]
    )
    expect(page.get_by_label("Name")).to_be_focused()
    page.screenshot(path=pictures / f"sixbookmarks-14-register-problems-{width}-{scheme}.png", full_page=True)
    check(page)
    fill(page, "  Mary ", "rising tide")
    expect_status(page, "In step")
    expect_names(page)
    assert "rising tide" not in page.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    write(page, 2, "First of mine", "https://first.example/")
    expect_status(page, "In step")
    # The name is good on the next device, in whatever letter case.
    assert Service(server, "mary", "rising tide").slots == [(1, "First of mine")]
    assert (1, "First of mine") not in Service(server, "ada", PASSWORDS["ada"]).slots


def test_the_field_that_is_wrong_is_not_below_the_bar(browser, server):
    page = browser.page(viewport=NARROW)
    open_form(page, server)
    fill(page, "a/b", "short", "other")
    expect(page.get_by_label("Name")).to_be_focused()
    bar = page.locator(".bar").bounding_box()
    assert page.get_by_text("Name", exact=True).bounding_box()["y"] >= bar["y"] + bar["height"]


# covers: SB-F125
def test_a_name_that_is_taken_is_told_and_nothing_typed_is_lost(browser, server):
    browser.allow("status of 409")
    page = browser.page()
    open_form(page, server)
    fill(page, "ADA", "rising-tide")
    expect(page.get_by_role("alert").get_by_role("link")).to_have_text("This name is taken. Choose another one.")
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    check(page)
    expect(page.get_by_label("Name")).to_have_value("ADA")
    expect(page.get_by_label("Password", exact=True)).to_have_value("rising-tide")
    page.get_by_label("Name").fill("mary")
    page.get_by_role("button", name="Register").click()
    expect_status(page, "In step")
    assert Service(server, "ada", PASSWORDS["ada"]).user == 1001


# covers: SB-F125
def test_a_password_that_is_too_long_is_told_at_its_field(browser, server):
    browser.allow("status of 400")
    page = browser.page()
    open_form(page, server)
    fill(page, "mary", "p" * 1025)
    expect(page.get_by_role("alert").get_by_role("link")).to_have_text("The password is too long. Choose a shorter one.")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    assert page.get_by_label("Password", exact=True).input_value() == "p" * 1025


# covers: SB-F125
def test_registering_needs_the_server_and_says_so(browser, server):
    page = browser.page()
    open_form(page, server)
    server.stop()
    fill(page, "mary", "rising-tide")
    expect(page.get_by_role("alert")).to_contain_text("Registering needs a connection")
    server.start()
    page.get_by_role("button", name="Register").click()
    expect_status(page, "In step")


# covers: SB-F125
def test_the_two_forms_lead_to_each_other_and_back(browser, server):
    page = browser.page()
    open_form(page, server)
    reached = walk(page)
    assert len(reached) == page.locator("a[href]:visible, button:visible, input:visible").count(), reached
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Register")).to_be_visible()
    fill(page, "mary", "rising-tide")
    expect_status(page, "In step")
    # Who is inside is not asked again, and who has gone out can come in again.
    go(page, "register")
    expect_names(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.get_by_role("link", name="Register").click()
    expect(page.get_by_role("button", name="Register")).to_be_visible()


REFUSED = [
    ({"username": "mary"}, 400),
    ({"username": "", "password": "rising-tide"}, 400),
    ({"username": "a\u0007b", "password": "rising-tide"}, 400),
    ({"username": "a\u202eda", "password": "rising-tide"}, 400),
    ({"username": "a\u200bda", "password": "rising-tide"}, 400),
    ({"username": "a/b/c", "password": "rising-tide"}, 400),
    ({"username": "mary", "password": "short"}, 400),
    ({"username": "n" * 65, "password": "rising-tide"}, 400),
    ({"username": "n" * 10_240, "password": "rising-tide"}, 400),
    ({"username": "nobody/mary", "password": "rising-tide"}, 403),
]


# covers: SB-F125 SB-F007
@pytest.mark.parametrize("body, status", REFUSED, ids=range(len(REFUSED)))
def test_who_registers_gets_into_no_other_account_and_stores_nothing_that_is_no_name(server, service, body, status):
    with pytest.raises(urllib.error.HTTPError) as refused:
        Anybody(server).send("POST", "/auth/sixbookmarks/register", body)
    assert refused.value.code == status
    error = json.loads(refused.value.read())["error"]
    assert error["message"].endswith(".") and len(error["message"]) < 200
    owner = Anybody(server)
    answer = owner.send("POST", "/auth/sixbookmarks/token", {"grant_type": "password", "username": "tideline", "password": "tide-and-time-0", "directory": "accounts"})
    owner.token = answer["access_token"]
    assert [row["Username"] for row in owner.send("GET", "/odata/sixbookmarks/Users?$orderby=UserId")["value"]] == ["ada", "grace"]


# covers: SB-F125 SB-S09
def test_ten_register_at_once_from_one_address_and_then_one_waits(server):
    anybody = Anybody(server)
    for number in range(10):
        anybody.send("POST", "/auth/sixbookmarks/register", {"username": f"n{number}", "password": "rising-tide"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        anybody.send("POST", "/auth/sixbookmarks/register", {"username": "n10", "password": "rising-tide"})
    assert refused.value.code == 429
    assert refused.value.headers["Retry-After"] == "60"


class Anybody(Service):
    """Somebody who has not signed in."""

    def __init__(self, server):
        self.server = server
