# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What was typed and not saved: of the person who typed it and the row it was typed for, whoever comes between."""

import re

from app import PASSWORDS, expect_names, go, sign_in
from playwright.sync_api import expect
from test_fishing import PASSWORDS as FISHERS
from test_fishing_forms import add, begun, ended
from test_races import END_SIGN_IN
from test_sign_in import fill
from test_tabs import enter

DRAFTS = "() => sessionStorage.getItem('sixbookmarks.unsaved')"


def leave(page):
    """Ends the sign-in, over what is typed."""
    page.evaluate(END_SIGN_IN)
    expect(page.get_by_text("Your sign-in has ended.")).to_contain_text("What you have typed comes back then.")


def expect_form(page, title, name):
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_label("Name")).to_have_value(name)


# covers: SB-W26 SB-S08
def test_drafts_of_two_persons_in_one_tab_come_back_to_each(browser, server):
    browser.allow("status of 401")
    page = sign_in(browser.page(), server, "ada")
    go(page, "edit/2")
    page.get_by_label("Name").fill("Only ada's")
    leave(page)
    fill(page, "grace", PASSWORDS["grace"])
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    go(page, "edit/2")
    expect_form(page, "Edit bookmark", ".NET 247")
    page.get_by_label("Name").fill("Only grace's")
    leave(page)
    # Also after the page was loaded again.
    page.reload()
    fill(page, "ada", PASSWORDS["ada"])
    expect_form(page, "Edit bookmark", "Only ada's")
    leave(page)
    fill(page, "grace", PASSWORDS["grace"])
    expect_form(page, "Edit bookmark", "Only grace's")
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    fill(page, "ada", PASSWORDS["ada"])
    expect_form(page, "Edit bookmark", "Only ada's")
    assert page.evaluate(DRAFTS) is None


# covers: SB-W26
def test_a_draft_follows_its_bookmark_to_another_place(browser, server, service):
    browser.allow("status of 401")
    context = browser.context()
    page = sign_in(browser.page(context), server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    leave(page)
    # Another tab of the same store brings what another device has moved.
    service.change(".NET 247", Ordinal=4)
    service.add("Newcomer", "https://new.example/", 1)
    other = browser.page(context)
    other.goto(server.app)
    enter(other, "ada")
    expect_names(other, "Google", "Newcomer", "Topaz Filer", "…", ".NET 247")
    enter(page, "ada")
    expect_form(page, "Edit bookmark", "Half")
    expect(page.get_by_text("Place 5 of six")).to_be_visible()
    go(page, "edit/2")
    expect_form(page, "Edit bookmark", "Newcomer")


# covers: SB-W26
def test_a_draft_that_is_not_opened_waits_for_its_own_bookmark(browser, server):
    browser.allow("status of 401")
    context = browser.context()
    page = sign_in(browser.page(context), server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    leave(page)
    other = browser.page(context)
    other.goto(server.app)
    enter(other, "ada")
    # The other tab's sign-in is this one's too, and the app starts with another form here.
    page.goto("about:blank")
    page.goto(server.app + "#/edit/3")
    expect_form(page, "Edit bookmark", "Topaz Filer")
    go(page, "edit/b1002")
    expect_form(page, "Edit bookmark", "Half")
    go(page, "edit/2")
    expect_form(page, "Edit bookmark", ".NET 247")


# covers: SB-F133
def test_who_signs_out_is_asked_before_what_is_typed_goes(browser, server):
    page = sign_in(browser.page(), server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="1 change has not been sent")
    dialog.get_by_role("button", name="Stay signed in").click()
    expect_form(page, "Edit bookmark", "Half")
    page.get_by_role("button", name="Sign out").click()
    dialog.get_by_role("button", name="Sync first").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sync")
    go(page, "edit/2")
    expect_form(page, "Edit bookmark", "Half")
    page.get_by_role("button", name="Sign out").click()
    dialog.get_by_role("button", name="Sign out and delete it").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    assert page.evaluate(DRAFTS) is None
    fill(page, "ada", PASSWORDS["ada"])
    expect_names(page, "Google", ".NET 247", "Topaz Filer")


def fish(page, name):
    """Signs in to Fishing at the form that is shown."""
    fill(page, name, FISHERS[name])
    expect(page.locator(".spots .row").first).to_be_visible()


def test_spots_that_two_persons_typed_in_one_tab_come_back_to_each(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    page.goto(server.address + "/apps/fishing/")
    for name in ("ann", "bob"):
        fish(page, name)
        expect(page.get_by_label("Name")).to_have_value("")
        add(page, f"Only {name}'s")
        expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
        ended(page)
        page.get_by_role("button", name="Save spot").click()
        expect(page.get_by_role("alert").filter(has_text="What you have typed comes back then.")).to_be_visible()
        begun(page)
    for name in ("ann", "bob"):
        fish(page, name)
        expect(page.get_by_label("Name")).to_have_value(f"Only {name}'s")
        page.get_by_role("button", name="Sign out").click()
