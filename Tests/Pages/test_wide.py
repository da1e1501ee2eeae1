# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Names that are one long word of the widest letter: no page gets wider than its window."""

import json

import pytest
from app import DESK, PHONE, go, write
from app import sign_in as sign_in_to_app
from playwright.sync_api import expect
from service_pages import FORM_STATUS, add_user, fill, open_page, press, problems, sign_in
from test_fishing import enter

WIDTHS = {"390": PHONE, "1280": DESK}
SIZES = "() => [document.documentElement.scrollWidth, innerWidth]"


def expect_to_fit(page):
    """Fails when there is something to the right of the window, once the page has its style sheet."""
    page.wait_for_load_state("load")
    wanted, there = page.evaluate(SIZES)
    assert wanted <= there, f"{page.url} is {wanted} pixels wide"


# covers: SB-F005 SB-F160
@pytest.mark.parametrize("width", WIDTHS)
def test_the_services_pages_break_a_long_word(browser, server, service, width):
    browser.allow(FORM_STATUS)
    page = browser.page(viewport=WIDTHS[width])
    name = "W" * 64
    sign_in(page, server)
    add_user(page, name, FirstName="W" * 128)
    expect_to_fit(page)
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", name=f"User {name}")).to_be_visible()
    expect_to_fit(page)
    page.get_by_role("link", name="Manage this user's bookmarks").click()
    expect(page.get_by_role("heading", name=f"Bookmarks of {name}")).to_be_visible()
    expect_to_fit(page)
    # What another wrote meanwhile stands in the list of problems.
    open_page(page, server, "users/1001/bookmarks")
    service.change("Google", Name="W" * 128)
    fill(page, name0="Mine")
    press(page, "Save changes")
    expect(problems(page)).to_contain_text(["W" * 128])
    expect_to_fit(page)


# covers: SB-F160 SB-F130
@pytest.mark.parametrize("width", WIDTHS)
def test_the_app_breaks_a_long_word_and_has_it_whole(browser, server, service, width):
    name, address = "W" * 128, "https://" + "w" * 60 + ".example/" + "w" * 170
    service.change("Google", Name=name, Url=address)
    page = sign_in_to_app(browser.page(viewport=WIDTHS[width]), server)
    expect(page.locator(".place .name").first).to_have_attribute("title", name)
    expect(page.locator(".place .host").first).to_have_attribute("title", address)
    expect_to_fit(page)
    for view in ("edit/1", "sync", "configure"):
        go(page, view)
        expect_to_fit(page)
    page.get_by_role("button", name=f"Delete {name}").click()
    toast = page.locator("#toast")
    expect(toast).to_contain_text(name)
    assert toast.evaluate("node => node.scrollWidth <= node.clientWidth")
    expect_to_fit(page)


# covers: PS-08
@pytest.mark.parametrize("width", WIDTHS)
def test_a_spot_of_one_long_word_fits(browser, server, width):
    page = browser.page(viewport=WIDTHS[width])
    enter(page, server, "ann")
    page.get_by_label("Latitude").fill("59.85")
    page.get_by_label("Longitude").fill("10.75")
    page.get_by_text("Add a spot").click()
    page.get_by_label("Name").fill("W" * 80)
    page.get_by_label("Comments").fill("W" * 200)
    page.get_by_role("button", name="Save spot").click()
    button = page.get_by_role("button", name="Delete “WWW")
    expect(button).to_be_visible()
    assert button.evaluate("node => node.scrollWidth <= node.clientWidth")
    expect_to_fit(page)


# covers: SB-F160
@pytest.mark.parametrize("width", [721, 768, 839, 900, 960])
@pytest.mark.parametrize("text", ["In step", "Sync failed, 12 waiting"])
def test_the_bar_holds_the_whole_mark_between_a_phone_and_a_desk(browser, server, width, text):
    page = sign_in_to_app(browser.page(viewport={"width": width, "height": 800}), server)
    mark = page.locator("#status")
    mark.locator("span").evaluate("(node, text) => { node.textContent = text; }", text)
    expect_to_fit(page)
    edges = mark.evaluate("node => [node.getBoundingClientRect().right, innerWidth]")
    assert edges[0] <= edges[1]
    # One line: nothing in it is broken.
    assert page.locator("#bar").evaluate("node => node.getBoundingClientRect().height") < 70


# covers: SB-F160
@pytest.mark.parametrize("width", WIDTHS)
def test_a_sentence_keeps_its_direction_around_a_name_that_turns_it(browser, server, service, width):
    page = sign_in_to_app(browser.page(viewport=WIDTHS[width]), server)
    write(page, 1, "\u202eevil", "http://www.google.co.uk")
    page.get_by_role("button", name="Delete \u202eevil").click()
    words = page.locator("#toast p")
    # The word after the name is to its right.
    place = """(node, word) => {
        const text = node.firstChild;
        const range = document.createRange();
        range.setStart(text, text.data.indexOf(word));
        range.setEnd(text, text.data.indexOf(word) + word.length);
        return range.getBoundingClientRect().left;
    }"""
    assert words.evaluate(place, "is deleted") > words.evaluate(place, "evil")


@pytest.mark.parametrize("width", [375, 768, 1280])
def test_the_first_page_cuts_no_command_and_no_name_of_a_set(browser, server, width):
    page = browser.page(viewport={"width": width, "height": 800})
    page.goto(server.address + "/")
    page.locator(".sets a").first.evaluate("node => { node.textContent = 'W'.repeat(80); }")
    expect_to_fit(page)
    cut = page.locator("pre").evaluate_all("found => found.filter((each) => each.scrollWidth > each.clientWidth).length")
    assert cut == 0


# covers: PS-08
@pytest.mark.parametrize("width", WIDTHS)
def test_a_fish_of_one_long_word_fits(browser, server, width):
    page = browser.page(viewport=WIDTHS[width])
    body = json.dumps({"value": [{"Fish": "W" * 120, "WeightInGrams": 900, "CaughtAt": "2024-02-29T23:59:59Z", "Pictures": []}]})
    page.route("**/odata/fishing/Catches*", lambda route: route.fulfill(body=body, content_type="application/json"))
    enter(page, server, "ann")
    page.locator(".spots .row").first.click()
    expect(page.locator(".detail li")).to_contain_text("W" * 120)
    expect_to_fit(page)
