# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Fishing: the spots of two persons on a map and in a list, near a point, and a spot that is made and deleted."""

import re

import pytest
from access import check
from app import DESK, NARROW, PHONE
from playwright.sync_api import expect

WIDTHS = {"320": NARROW, "390": PHONE, "1280": DESK}
PASSWORDS = {"ann": "tide-and-time-3", "bob": "tide-and-time-4"}


def enter(page, server, name):
    """Signs in, and waits for the spots."""
    page.goto(server.address + "/apps/fishing/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORDS[name])
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".spots .row").first).to_be_visible()


def names(page):
    """The names in the list, in its order."""
    return page.locator(".spots .title").all_inner_texts()


# covers: PS-08
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_each_sees_the_own_spots_and_the_public_ones(browser, server, pictures, width, scheme):
    page = browser.page(viewport=WIDTHS[width], color_scheme=scheme)
    page.goto(server.address + "/apps/fishing/")
    page.get_by_role("button", name="Sign in").click()
    problems = page.get_by_role("alert").get_by_role("listitem")
    expect(problems).to_have_text(["Enter your name.", "Enter your password."])
    expect(page.get_by_label("Name")).to_be_focused()
    problems.last.get_by_role("link").click()
    expect(page.get_by_label("Password")).to_be_focused()
    check(page)
    enter(page, server, "ann")
    assert len(names(page)) == 10
    assert "The hole" in names(page) and "Seven firs" not in names(page)
    expect(page.locator(".map .spot")).to_have_count(10)
    page.screenshot(path=pictures / f"fishing-1-all-{width}-{scheme}.png", full_page=True)
    check(page)
    page.locator(".spots .row", has_text="Old pier").click()
    expect(page.get_by_text("Cod, 2.35 kg")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Sign out").click()
    enter(page, server, "bob")
    assert "Seven firs" in names(page) and "The hole" not in names(page)


# covers: PS-09
def test_what_is_near_a_point_is_asked_of_the_service(browser, server):
    page = browser.page()
    enter(page, server, "ann")
    with page.expect_request(re.compile("geo.distance")) as asked:
        page.get_by_label("Latitude").fill("59.9")
        page.get_by_label("Longitude").fill("10.7")
    assert "Point(10.7%2059.9)" in asked.value.url and "le%203000" in asked.value.url
    expect(page.locator("#live")).to_have_text("2 spots within 3 km.")
    assert names(page) == ["Lamp rock", "Ferry slip"]
    # By the keyboard alone: wider, and to the west.
    page.locator(".map").focus()
    for key in ["+", "+", "ArrowLeft"]:
        page.keyboard.press(key)
    expect(page.locator("#live")).to_have_text(re.compile("within 4 km"))
    assert "Tar quay" in names(page)
    page.get_by_role("button", name="Show all spots").click()
    expect(page.locator("#live")).to_have_text("10 spots.")
    page.get_by_label("Latitude").fill("99")
    expect(page.get_by_role("alert")).to_contain_text("A latitude is from -90 to 90")


def test_a_spot_is_made_at_the_point_and_deleted(browser, server):
    page = browser.page()
    enter(page, server, "ann")
    page.get_by_label("Latitude").fill("59.85")
    page.get_by_label("Longitude").fill("10.75")
    page.get_by_text("Add a spot").click()
    page.get_by_label("Name").fill("<b>Reef</b> & 'rock'")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("<b>Reef</b> & 'rock' is saved.")
    assert names(page)[0] == "<b>Reef</b> & 'rock'"
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#live")).to_have_text("<b>Reef</b> & 'rock' is deleted.")
    assert "<b>Reef</b> & 'rock'" not in names(page)


def test_a_double_click_makes_one_spot(browser, server):
    page = browser.page()
    enter(page, server, "ann")
    page.get_by_label("Latitude").fill("59.85")
    page.get_by_label("Longitude").fill("10.75")
    page.get_by_text("Add a spot").click()
    page.get_by_label("Name").fill("Once")
    page.get_by_role("button", name="Save spot").evaluate("button => { button.click(); button.click(); }")
    expect(page.locator("#live")).to_have_text("Once is saved.")
    page.reload()
    expect(page.locator(".spots .row").first).to_be_visible()
    assert names(page).count("Once") == 1


def test_a_service_that_is_gone_is_told_and_asked_again(browser, server):
    page = browser.page()
    enter(page, server, "ann")
    server.stop()
    page.get_by_label("Latitude").fill("59.9")
    page.get_by_label("Longitude").fill("10.7")
    expect(page.get_by_role("alert").filter(has_text="does not answer")).to_be_visible()
    server.start()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#live")).to_have_text("2 spots within 3 km.")
