# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Fishing with more spots than fit on a screen: a hundred rows at once, and a number on the map for those that lie together."""

import pytest
from access import check
from playwright.sync_api import expect
from test_fishing import WIDTHS, enter, names, open_spot

# Of ann, at one place that is in a cell of the map without any other spot: "Rock 001" to "Rock 400".
ROCKS = """
WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < 400)
INSERT INTO FishingSpots (Name, Lat, Lng, IsPublicSpot, Comments, OwnerId)
SELECT printf('Rock %03d', value), 59.9, 10.7, 1, '', 42 FROM number
"""


def test_the_list_has_a_hundred_rows_and_the_way_to_the_others(browser, server):
    server.sql(ROCKS, domain="fishing")
    page = browser.page()
    enter(page, server, "ann")
    expect(page.locator("#live")).to_have_text("410 spots.")
    # Eight names come before "Rock 001".
    found = names(page)
    assert (len(found), found[7], found[8], found[-1]) == (100, "Old pier", "Rock 001", "Rock 092")
    earlier = page.get_by_role("button", name="Earlier spots")
    later = page.get_by_role("button", name="Later spots")
    expect(earlier).to_be_disabled()
    later.click()
    expect(page.get_by_text("101 to 200 of 410")).to_be_visible()
    expect(page.locator(".spots .row").first).to_be_focused()
    assert names(page)[0] == "Rock 093"
    # Opening one leaves the others where they are.
    page.locator(".spots .row", has_text="Rock 100").click()
    expect(page.locator(".detail")).to_be_visible()
    assert names(page)[0] == "Rock 093"
    # What is selected on the map is shown, wherever it stands.
    page.locator(".map .spot", has_text="Tar quay").locator(".mark").click()
    expect(page.locator(".spots .row", has_text="Tar quay")).to_be_focused()
    assert names(page) == [f"Rock {number}" for number in range(393, 401)] + ["Tar quay", "The hole"]
    expect(later).to_be_disabled()
    earlier.click()
    assert names(page)[0] == "Rock 293"


def remove(page, name):
    """Deletes a spot of the list."""
    open_spot(page, name)
    page.get_by_role("button", name=f"Delete “{name}”").click()
    expect(page.locator("#live")).to_have_text(f"{name} is deleted.")


def test_the_list_stays_where_it_is_after_a_deletion(browser, server):
    server.sql(ROCKS, domain="fishing")
    page = browser.page()
    page.on("dialog", lambda dialog: dialog.accept())
    enter(page, server, "ann")
    page.get_by_role("button", name="Later spots").click()
    expect(page.get_by_text("101 to 200 of 410")).to_be_visible()
    remove(page, "Rock 100")
    expect(page.get_by_text("101 to 200 of 409")).to_be_visible()
    found = names(page)
    assert (found[0], found[6], found[7], found[-1]) == ("Rock 093", "Rock 099", "Rock 101", "Rock 193")
    # What is near a point is another question, and begins with the first.
    page.get_by_label("Latitude").fill("59.9")
    page.get_by_label("Longitude").fill("10.7")
    expect(page.get_by_text("1 to 100 of 401")).to_be_visible()


def test_the_list_of_all_spots_begins_with_the_first_after_a_point_with_none(browser, server):
    server.sql(ROCKS, domain="fishing")
    page = browser.page()
    enter(page, server, "ann")
    page.get_by_role("button", name="Later spots").click()
    expect(page.get_by_text("101 to 200 of 410")).to_be_visible()
    page.get_by_label("Latitude").fill("10")
    page.get_by_label("Longitude").fill("10.7")
    expect(page.get_by_text("No spot is so near to the point.")).to_be_visible()
    page.get_by_role("button", name="Show all spots").click()
    expect(page.locator("#live")).to_have_text("410 spots.")
    expect(page.get_by_text("1 to 100 of 410")).to_be_visible()
    assert names(page)[8] == "Rock 001"


def test_the_list_goes_a_page_back_when_the_last_row_of_a_page_is_deleted(browser, server):
    server.sql(ROCKS.replace("400", "190"), domain="fishing")
    # 8 before the rocks, 190 rocks, 2 after them, and this one.
    server.sql("INSERT INTO FishingSpots (Name, Lat, Lng, IsPublicSpot, Comments, OwnerId) VALUES ('Zone', 59.9, 10.7, 1, '', 42)", domain="fishing")
    page = browser.page()
    page.on("dialog", lambda dialog: dialog.accept())
    enter(page, server, "ann")
    later = page.get_by_role("button", name="Later spots")
    later.click()
    later.click()
    expect(page.get_by_text("201 to 201 of 201")).to_be_visible()
    assert names(page) == ["Zone"]
    remove(page, "Zone")
    expect(page.get_by_text("101 to 200 of 200")).to_be_visible()
    found = names(page)
    assert (len(found), found[0], found[-1]) == (100, "Rock 093", "The hole")
    expect(later).to_be_disabled()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_map_has_a_number_for_spots_that_lie_together(browser, server, pictures, width):
    server.sql(ROCKS, domain="fishing")
    page = browser.page(viewport=WIDTHS[width])
    enter(page, server, "ann")
    several = page.locator(".map .several")
    expect(several.filter(has_text="400")).to_have_count(1)
    expect(page.get_by_text("A number: so many spots.")).to_be_visible()
    page.screenshot(path=pictures / f"fishing-4-many-{width}-light.png")
    check(page)
    several.filter(has_text="400").locator("text").click()
    # "Lamp rock" and "Ferry slip" are near it too.
    expect(page.locator("#live")).to_have_text("402 spots within 3 km.")


def test_few_spots_have_marks_of_their_own(browser, server):
    page = browser.page()
    enter(page, server, "ann")
    expect(page.locator(".map .spot")).to_have_count(10)
    expect(page.locator(".map .several")).to_have_count(0)
    expect(page.get_by_text("A number: so many spots.")).to_be_hidden()
    expect(page.get_by_role("button", name="Later spots")).to_have_count(0)
