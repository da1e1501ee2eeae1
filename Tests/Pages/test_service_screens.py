# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The service's own pages on a phone and on a desk, light and dark, with a picture of each and a check of its making."""

import pytest
from access import check, walk
from app import DESK, NARROW, PHONE
from playwright.sync_api import expect
from service_pages import ACCOUNT, FORM_STATUS, REACHED, add_user, fill, link_of_mail, open_page, press, sign_in

WIDTHS = {"390": PHONE, "1280": DESK}
PATHS = ["", "register", "sign-in", "reset", "users", "users/new", "users/1001", "users/1001/bookmarks", "test"]


# covers: SB-F001 SB-F003 SB-F004 SB-F005 SB-F006 SB-F008
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_of_the_service(browser, server, pictures, width, scheme):
    page = browser.page(viewport=WIDTHS[width], color_scheme=scheme)
    browser.allow(FORM_STATUS)

    def look(name):
        page.mouse.move(0, 0)
        page.screenshot(path=pictures / f"service-{name}-{width}-{scheme}.png", full_page=True)
        check(page)

    open_page(page, server)
    look("01-welcome")
    page.get_by_role("main").get_by_role("link", name="Register an account").click()
    look("02-register")
    fill(page, Username="har/bour", Password="short", Email="nowhere")
    press(page, "Register")
    look("03-register-problems")
    fill(page, **ACCOUNT)
    press(page, "Register")
    look("04-users-empty")
    page.get_by_role("link", name="Add a new user").click()
    look("05-user-new")
    fill(page, Username="kit", Email="kit")
    press(page, "Add user")
    look("06-user-problems")
    fill(page, Username="kit", Password="rising-tide", FirstName="Kit", LastName="Reed", Email="kit@harbour.example")
    press(page, "Add user")
    add_user(page, "a-user-with-a-very-long-name-of-sixty-four-letters-which-is-most", FirstName="Wilhelmina", LastName="Featherstonehaugh")
    page.get_by_role("link", name="kit", exact=True).click()
    look("07-user")
    page.get_by_label("Active").uncheck()
    press(page, "Save user")
    look("08-users")
    page.get_by_role("link", name="Bookmarks of kit").click()
    look("09-bookmarks-empty")
    fill(page, name0="Tides", url0="javascript:alert(1)", name2="Nothing here")
    press(page, "Save changes")
    look("10-bookmarks-problems")
    fill(page, url0="tides.example/today", url2="https://nothing.example/")
    press(page, "Save changes")
    look("11-bookmarks-saved")
    page.get_by_role("navigation").get_by_role("link", name="Test client").click()
    look("12-test-client")
    fill(page, url="/services/Bookmarks.svc/$metadata")
    press(page, "Send request")
    look("13-test-client-answer")
    fill(page, url="http://elsewhere.example/")
    press(page, "Send request")
    look("14-test-client-problem")
    press(page, "Sign out")
    look("15-signed-out")
    open_page(page, server, "users")
    look("16-sign-in")
    fill(page, Username="harbour", Password="high-water-mark")
    press(page, "Sign in")
    look("17-sign-in-problems")
    page.get_by_role("link", name="Forgot your password?").click()
    look("18-reset")
    fill(page, Username="harbour")
    press(page, "Send the link")
    look("19-reset-sent")
    link = link_of_mail(page, server)
    page.goto(link)
    look("20-reset-choose")
    fill(page, Password="short", Confirmation="other")
    press(page, "Set the password")
    look("21-reset-problems")
    fill(page, Password="spring-tide-9", Confirmation="spring-tide-9")
    press(page, "Set the password")
    look("22-reset-done")
    page.goto(link)
    look("23-link-is-used")
    open_page(page, server, "nothing-here")
    look("24-not-found")


# covers: SB-F001 SB-F004 SB-F006 SB-F008
@pytest.mark.parametrize("path", PATHS)
def test_tab_reaches_everything_of_the_services_pages(browser, server, path):
    page = browser.page(viewport=PHONE)
    sign_in(page, server)
    open_page(page, server, path)
    reached = walk(page)
    assert len(reached) == page.locator(REACHED).count(), reached
    assert "Skip" in reached[0]


def test_the_services_pages_fit_320_pixels(browser, server, pictures):
    page = browser.page(viewport=NARROW)
    sign_in(page, server)
    for path in PATHS:
        open_page(page, server, path)
        page.screenshot(path=pictures / f"service-{path.replace('/', '-') or 'welcome'}-320-light.png", full_page=True)
        check(page)
        # The table of users could be scrolled, but need not be.
        assert page.locator(".scroll").evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)")


def test_name_and_address_of_a_bookmark_stand_beside_each_other_where_there_is_room(browser, server):
    page = browser.page()
    sign_in(page, server)
    open_page(page, server, "users/1001/bookmarks")

    def tops():
        return [page.locator(f"#field-{name}").bounding_box()["y"] for name in ("name0", "url0", "name1")]

    name, address, next_name = tops()
    assert name == address < next_name
    page.set_viewport_size(PHONE)
    name, address, next_name = tops()
    assert name < address < next_name


# covers: SB-F001
def test_the_first_field_that_is_wrong_has_the_focus_and_links_at_the_top_lead_to_theirs(browser, server):
    browser.allow(FORM_STATUS)
    page = browser.page()
    open_page(page, server, "register")
    expect(page.locator("#field-Username")).to_be_focused()
    fill(page, **{**ACCOUNT, "Password": "short", "Confirmation": "short", "City": " "})
    press(page, "Register")
    expect(page.locator("#field-Password")).to_be_focused()
    expect(page.locator("#field-Password")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("link", name="City or town is missing.").click()
    expect(page.locator("#field-City")).to_be_focused()
    # What was typed is still there, but for passwords.
    expect(page.locator("#field-Email")).to_have_value(ACCOUNT["Email"])
    expect(page.locator("#field-Password")).to_have_value("")
    expect(page.locator("#field-Password-help")).to_have_text("At least 8 characters. Type it again: passwords are not sent back.")
