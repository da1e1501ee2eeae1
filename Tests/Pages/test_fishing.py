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


PICTURE = re.compile(r"/Pictures\(\d+\)/\$value$")


def open_spot(page, name):
    """Opens a spot of the list."""
    page.locator(".spots .row", has_text=name).click()
    expect(page.locator(".detail")).to_be_visible()


# covers: PS-06
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_catch_is_shown_with_its_picture(browser, server, pictures, width, scheme):
    page = browser.page(viewport=WIDTHS[width], color_scheme=scheme)
    enter(page, server, "ann")
    open_spot(page, "Old pier")
    picture = page.get_by_role("img", name="Cod of 2.35 kg, caught at Old pier")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [320, 240]
    # The pollack has none.
    expect(page.locator(".detail .picture")).to_have_count(1)
    page.screenshot(path=pictures / f"fishing-2-picture-{width}-{scheme}.png", full_page=True)
    check(page)
    open_spot(page, "Grandmother's stone")
    expect(page.get_by_role("img", name="Trout of 1.76 kg, caught at Grandmother's stone")).to_be_visible()


# covers: PS-06
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_when_a_picture_comes(browser, server, width):
    page = browser.page(viewport=WIDTHS[width])
    enter(page, server, "ann")
    held = []
    page.route(PICTURE, lambda route: held.append(route))
    open_spot(page, "Old pier")
    expect(page.locator(".picture")).to_have_count(1)

    def places():
        return page.eval_on_selector_all(".picture, .detail .actions, .spots .row, footer", "all => all.map((each) => { const box = each.getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; })")

    before = places()
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    expect(page.get_by_role("img", name="Cod of 2.35 kg")).to_be_visible()
    assert places() == before


# covers: PS-06
def test_a_picture_is_read_once_and_asked_again_when_it_could_not_be(browser, server):
    browser.allow("ERR_FAILED")
    page = browser.page()
    enter(page, server, "ann")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if PICTURE.search(request.url) else None)
    page.route(PICTURE, lambda route: route.abort())
    open_spot(page, "Old pier")
    expect(page.locator(".picture")).to_have_text("The picture could not be read.")
    check(page)
    page.unroute(PICTURE)
    for _ in range(2):
        open_spot(page, "Long sand")
        open_spot(page, "Old pier")
        expect(page.get_by_role("img", name="Cod of 2.35 kg")).to_be_visible()
    assert len(asked) == 2


# covers: PS-04 PS-06
def test_a_picture_of_a_private_catch_is_refused_to_others(browser, server):
    request = browser.context().request
    address = server.address + "/odata/fishing/"

    def fields(name):
        body = {"grant_type": "password", "username": name, "password": PASSWORDS[name]}
        answer = request.post(server.address + "/auth/fishing/token", data=body).json()
        return {"Authorization": "Bearer " + answer["access_token"]}

    ann, bob = fields("ann"), fields("bob")
    found = request.get(address + "Pictures?$filter=Catch/Spot/Name eq 'Grandmother''s stone'", headers=ann).json()["value"]
    assert len(found) == 1
    paths = [f"Pictures({found[0]['PictureId']}){rest}" for rest in ("", "/$value", "/Content")]
    for path in paths:
        assert request.get(address + path, headers=ann).status == 200, path
        assert request.get(address + path, headers=bob).status == 404, path
        assert request.get(address + path).status == 401, path
    assert request.get(address + paths[1], headers=ann).headers["content-type"] == "image/png"
    assert request.get(address + "Catches(7)/Pictures", headers=bob).status == 404
    # Each sees those of public spots, and the own.
    assert len(request.get(address + "Pictures", headers=ann).json()["value"]) == 5
    assert len(request.get(address + "Pictures", headers=bob).json()["value"]) == 5
