# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What was typed and not saved: of the person who typed it and the row it was typed for, whoever comes between."""

import re

import pytest
from access import check
from app import PASSWORDS, expect_names, expect_status, go, sign_in
from playwright.sync_api import expect
from test_fishing import PASSWORDS as FISHERS
from test_fishing import enter as begin_fishing
from test_fishing import names
from test_fishing_forms import add, begun, ended
from test_fishing_repeats import refusing
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
    assert "grace" not in page.evaluate(DRAFTS)
    fill(page, "ada", PASSWORDS["ada"])
    expect_form(page, "Edit bookmark", "Only ada's")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Configure bookmarks")
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
    # This is another address of the same bookmark.
    go(page, "edit/2")
    expect_form(page, "Edit bookmark", "Half")


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


def leave_by_link(page):
    """Goes from the form to the bookmarks, and on to the list of them."""
    for name, title in (("Bookmarks", "Your bookmarks"), ("Configure", "Configure bookmarks")):
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)


# covers: SB-W26
def test_what_is_typed_stays_when_its_form_is_left_until_it_is_saved(browser, server, service):
    page = sign_in(browser.page(), server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    leave_by_link(page)
    expect(page.get_by_role("link", name="Edit .NET 247")).to_contain_text("Typed, not saved")
    # Also after the page was loaded again.
    page.reload()
    page.get_by_role("link", name="Edit .NET 247").click()
    expect_form(page, "Edit bookmark", "Half")
    expect(page.get_by_text("You typed this before, and it is not saved.")).to_be_visible()
    check(page)
    page.get_by_label("Name").fill("Whole")
    page.reload()
    expect_form(page, "Edit bookmark", "Whole")
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("link", name="Edit Whole")).to_be_visible()
    expect(page.get_by_text("Typed, not saved")).to_have_count(0)
    assert page.evaluate(DRAFTS) is None
    expect_status(page, "In step")
    assert service.slots == [(0, "Google"), (1, "Whole"), (2, "Topaz Filer")]


# covers: SB-W26
def test_what_is_typed_for_an_empty_place_stays_until_it_is_given_up(browser, server, service):
    page = sign_in(browser.page(), server)
    go(page, "edit/4")
    page.get_by_label("Address").fill("half.example")
    page.go_back()
    go(page, "configure")
    page.get_by_role("link", name="Add a bookmark at place 4. Typed, not saved").click()
    expect(page.get_by_label("Address")).to_have_value("half.example")
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="Add a bookmark at place 4", exact=True).click()
    expect_form(page, "New bookmark", "")
    expect(page.get_by_label("Address")).to_have_value("")
    # What says again what it said first is none.
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    page.get_by_label("Name").fill(".NET 247")
    assert page.evaluate(DRAFTS) is None
    assert service.slots == [(0, "Google"), (1, ".NET 247"), (2, "Topaz Filer")]


# covers: SB-W26
def test_what_is_typed_for_a_bookmark_goes_with_its_deletion(browser, server):
    page = sign_in(browser.page(), server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    leave_by_link(page)
    page.get_by_role("button", name="Delete .NET 247").click()
    page.get_by_role("link", name="Add a bookmark at place 2", exact=True).click()
    expect_form(page, "New bookmark", "")


# covers: SB-F133 SB-S08
def test_who_signs_out_elsewhere_than_in_the_form_is_asked_too_and_leaves_nothing_typed(browser, server):
    page = sign_in(browser.page(), server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Only ada's")
    leave_by_link(page)
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="1 change has not been sent")
    dialog.get_by_role("button", name="Sign out and delete it").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    assert page.evaluate(DRAFTS) is None
    for name in ("grace", "ada"):
        fill(page, name, PASSWORDS[name])
        expect_names(page, "Google", ".NET 247", "Topaz Filer")
        go(page, "edit/2")
        expect_form(page, "Edit bookmark", ".NET 247")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_text("You are signed out.")).to_be_visible()


# A store for what is typed that is full, or that the browser does not open.
UNSTORED = {
    "full": """
const setItem = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
    if (key.endsWith(".unsaved")) throw new DOMException("It is full.", "QuotaExceededError");
    setItem.call(this, key, value);
};
""",
    "refused": """
for (const name of ["getItem", "setItem", "removeItem"]) {
    const method = Storage.prototype[name];
    Storage.prototype[name] = function (key, ...rest) {
        if (key.endsWith(".unsaved")) throw new DOMException("It is refused.", "SecurityError");
        return method.call(this, key, ...rest);
    };
}
""",
}


# covers: SB-W26
@pytest.mark.parametrize("why", UNSTORED)
def test_what_is_typed_and_cannot_be_stored_is_there_as_long_as_the_page(browser, server, service, why):
    browser.allow("status of 401")
    page = browser.page()
    page.add_init_script(UNSTORED[why])
    sign_in(page, server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    leave_by_link(page)
    page.get_by_role("link", name="Edit .NET 247").click()
    expect_form(page, "Edit bookmark", "Half")
    leave(page)
    fill(page, "ada", PASSWORDS["ada"])
    expect_form(page, "Edit bookmark", "Half")
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("link", name="Edit Half")).to_be_visible()
    expect_status(page, "In step")
    assert service.slots[1] == (1, "Half")
    # The newer app is loaded nevertheless.
    go(page, "edit/2")
    page.get_by_label("Name").fill("Lost")
    page.evaluate("for (let time = 0; time < 2; time += 1) navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))")
    with page.expect_navigation():
        page.get_by_role("button", name="Load it").click()
    expect_form(page, "Edit bookmark", "Half")


def fish(page, name):
    """Signs in to Fishing at the form that is shown."""
    fill(page, name, FISHERS[name])
    expect(page.locator(".spots .row").first).to_be_visible()


def test_spots_that_two_persons_typed_in_one_tab_come_back_to_each(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    page.on("dialog", lambda dialog: dialog.accept())
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
        page.get_by_role("button", name="Discard").click()
        page.get_by_role("button", name="Sign out").click()


SPOTS = "() => sessionStorage.getItem('tideline-fishing.unsaved')"


def expect_spot(page, name, comments):
    expect(page.get_by_label("Name")).to_have_value(name)
    expect(page.get_by_label("Comments")).to_have_value(comments)
    expect(page.get_by_text("At 59.85, 10.75.")).to_be_visible()


def expect_no_spot(page):
    """The form, which is closed, and empty when it is opened."""
    expect(page.locator(".spots .row").first).to_be_visible()
    expect(page.get_by_label("Name")).to_be_hidden()
    page.get_by_text("Add a spot").click()
    expect(page.get_by_label("Name")).to_have_value("")
    expect(page.get_by_role("button", name="Discard")).to_be_hidden()


def test_a_spot_that_is_typed_is_there_after_a_reload_until_it_is_saved(browser, server):
    page = browser.page()
    begin_fishing(page, server, "ann")
    add(page, "Reef", "Deep water")
    page.get_by_label("Show it to all").check()
    page.reload()
    expect_spot(page, "Reef", "Deep water")
    expect(page.get_by_label("Show it to all")).to_be_checked()
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    check(page)
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Reef is saved.")
    page.reload()
    expect_no_spot(page)
    assert names(page).count("Reef") == 1


def test_a_spot_that_is_given_up_is_so_for_good_and_asked_about_first(browser, server):
    page = browser.page()
    begin_fishing(page, server, "ann")
    add(page, "Reef")
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Discard").click()
    assert asked == ["Discard what you have typed?"]
    expect(page.get_by_label("Name")).to_have_value("Reef")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_label("Name")).to_have_value("")
    expect(page.get_by_label("Name")).to_be_focused()
    page.reload()
    expect_no_spot(page)
    assert "Reef" not in names(page)


def test_who_signs_out_of_fishing_is_asked_before_what_is_typed_goes_and_leaves_nothing(browser, server):
    page = browser.page()
    begin_fishing(page, server, "ann")
    add(page, "Only ann's")
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Sign out").click()
    assert asked == ["What you have typed for a spot is not saved. Sign out, and give it up?"]
    expect_spot(page, "Only ann's", "")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password")).to_be_visible()
    assert page.evaluate(SPOTS) is None
    for name in ("bob", "ann"):
        fish(page, name)
        expect_no_spot(page)
        # Nothing is typed, and so nothing is asked.
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Password")).to_be_visible()


def test_a_spot_whose_fate_is_unknown_is_sent_again_as_it_was_after_a_reload(browser, server):
    browser.allow("status of 503")
    page = browser.page()
    begin_fishing(page, server, "ann")
    add(page, "Reef")
    sent = refusing(page, 503)
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert")).to_contain_text("It is not known whether the spot is saved")
    page.reload()
    expect_spot(page, "Reef", "")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Reef is saved.")
    assert len(sent) == 2 and sent[0] == sent[1]
    assert names(page).count("Reef") == 1


def test_what_is_typed_while_a_spot_is_on_its_way_stays(browser, server):
    page = browser.page()
    begin_fishing(page, server, "ann")
    add(page, "Reef")
    held = []
    page.route("**/odata/fishing/FishingSpots", lambda route: held.append(route))
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/FishingSpots")):
        page.get_by_role("button", name="Save spot").click()
    page.get_by_label("Comments").fill("One more thing")
    held[0].continue_()
    expect(page.get_by_role("alert")).to_contain_text("Your first try is saved, as it was before you changed it.")
    expect(page.get_by_label("Comments")).to_have_value("One more thing")


@pytest.mark.parametrize("why", UNSTORED)
def test_a_spot_that_is_typed_and_cannot_be_stored_is_there_as_long_as_the_page(browser, server, why):
    browser.allow("status of 401")
    page = browser.page()
    page.add_init_script(UNSTORED[why])
    begin_fishing(page, server, "ann")
    add(page, "Reef", "Deep water")
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))
    ended(page)
    page.get_by_role("button", name="Save spot").click()
    expect(page.get_by_role("alert").filter(has_text="What you have typed comes back then.")).to_be_visible()
    begun(page)
    fish(page, "ann")
    expect_spot(page, "Reef", "Deep water")
    page.get_by_role("button", name="Save spot").click()
    expect(page.locator("#live")).to_have_text("Reef is saved.")
    page.reload()
    expect(page.locator(".spots .row").first).to_be_visible()
    expect(page.get_by_label("Name")).to_be_hidden()
