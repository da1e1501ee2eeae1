# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Signing in, being remembered, and leaving."""

import re
import urllib.error

import pytest
from access import check
from app import PASSWORDS, back, expect_names, expect_status, go, sign_in, until, write
from playwright.sync_api import expect

OVER = """() => {
    const session = JSON.parse(localStorage.getItem("sixbookmarks.session"));
    localStorage.setItem("sixbookmarks.session", JSON.stringify({ ...session, access: "over", refresh: "over" }));
}"""
STORED = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"


def fill(page, name, password):
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


# covers: SB-F120
def test_both_missing_fields_are_told_at_once_and_the_first_has_the_focus(browser, server):
    page = browser.page()
    page.goto(server.app)
    page.get_by_role("button", name="Sign in").click()
    problems = page.get_by_role("alert").get_by_role("listitem")
    expect(problems).to_have_text(["Enter your name.", "Enter your password."])
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    fill(page, "  ", "x")
    expect(problems).to_have_text(["Enter your name."])
    fill(page, "ada", "")
    expect(problems).to_have_text(["Enter your password."])
    expect(page.get_by_label("Password")).to_be_focused()


# covers: SB-F122 SB-F124
def test_a_wrong_password_is_told_and_nothing_typed_is_lost(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    page.goto(server.app)
    fill(page, "ada", "wrong")
    expect(page.get_by_role("alert").get_by_role("link")).to_have_text("The name or the password is wrong. Check both and try again.")
    expect(page.get_by_label("Password")).to_be_focused()
    expect(page.get_by_label("Password")).to_have_attribute("aria-invalid", "true")
    check(page)
    expect(page.get_by_label("Name")).to_have_value("ada")
    expect(page.get_by_label("Password")).to_have_value("wrong")
    expect(page.get_by_role("button", name="Sign in")).to_have_attribute("aria-disabled", "false")
    assert page.evaluate("() => localStorage.length + sessionStorage.length") == 0


# covers: SB-S14
def test_a_blank_at_the_end_of_a_password_is_part_of_it(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    page.goto(server.app)
    fill(page, " ada ", PASSWORDS["ada"] + " ")
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    fill(page, " ada ", PASSWORDS["ada"])
    expect_names(page, "Google", ".NET 247", "Topaz Filer")


# covers: SB-F124
def test_the_button_says_that_it_is_busy_and_ends(browser, server):
    page = browser.page()
    page.goto(server.app)
    held = []
    page.route("**/auth/**", lambda route: held.append(route))
    fill(page, "ada", PASSWORDS["ada"])
    busy = page.get_by_role("button", name="Signing in…")
    expect(busy).to_have_attribute("aria-disabled", "true")
    page.get_by_label("Password").press("Enter")
    until(page, lambda: held)
    assert len(held) == 1
    held[0].continue_()
    expect_status(page, "In step")


# covers: SB-F120
def test_without_a_connection_the_form_says_so(browser, server):
    page = browser.page()
    page.goto(server.app)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    server.stop()
    fill(page, "ada", PASSWORDS["ada"])
    expect(page.get_by_role("alert")).to_contain_text("Signing in needs a connection")


# covers: SB-F121 SB-F122 SB-F123 SB-S06 SB-W17
def test_who_is_remembered_is_signed_in_again_and_no_password_is_stored(browser, server):
    context = browser.context()
    page = browser.page(context)
    page.goto(server.app)
    expect(page.get_by_label("Remember me")).to_be_checked()
    sign_in(page, server)
    stored = page.evaluate(STORED)
    assert PASSWORDS["ada"] not in stored
    assert "refresh" in page.evaluate("() => JSON.stringify({ ...localStorage })")
    page.close()
    again = browser.page(context)
    again.goto(server.app)
    expect_names(again, "Google", ".NET 247", "Topaz Filer")


# covers: SB-F121
def test_who_is_not_remembered_signs_in_again_in_the_next_tab(browser, server):
    context = browser.context()
    page = sign_in(browser.page(context), server, remember=False)
    assert "refresh" not in page.evaluate("() => JSON.stringify({ ...localStorage })")
    page.reload()
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    other = browser.page(context)
    other.goto(server.app)
    expect(other.get_by_role("button", name="Sign in")).to_be_visible()


# covers: SB-F133 SB-S07 SB-W27
def test_signing_out_ends_the_session_on_the_service_and_leaves_nothing(browser, server, service):
    page = sign_in(browser.page(), server)
    refresh = page.evaluate("() => JSON.parse(localStorage.getItem('sixbookmarks.session')).refresh")
    # The person is told first, and the service then.
    with page.expect_response("**/auth/sixbookmarks/revoke"):
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_text("You are signed out.")).to_be_visible()
    assert "refresh" not in page.evaluate(STORED)
    assert page.evaluate("async () => await indexedDB.databases()") == []
    with pytest.raises(urllib.error.HTTPError) as refused:
        service.send("POST", "/auth/sixbookmarks/token", {"grant_type": "refresh_token", "refresh_token": refresh})
    assert refused.value.code == 401


# covers: SB-F133
def test_signing_out_asks_first_when_changes_wait(browser, server, service):
    page = sign_in(browser.page(), server)
    server.stop()
    write(page, 4, "Kept", "https://kept.example/")
    expect_status(page, "Offline, 1 waiting")
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="1 change has not been sent")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Stay signed in").click()
    expect_status(page, "Offline, 1 waiting")
    with back(page, server):
        page.get_by_role("button", name="Sign out").click()
        expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Sync first").click()
    expect_status(page, "In step")
    assert (3, "Kept") in service.slots


# covers: SB-F084 SB-S08 SB-F083
def test_two_users_of_a_browser_have_stores_of_their_own_under_names_that_say_nothing(browser, server):
    context = browser.context()
    page = sign_in(browser.page(context), server, "ada")
    server.stop()
    write(page, 6, "Only ada's", "https://ada.example/")
    expect_status(page, "Offline, 1 waiting")
    # The session ends here, as when a token has run out: the data stays.
    page.evaluate("() => localStorage.removeItem('sixbookmarks.session')")
    server.start()
    page.goto("about:blank")
    sign_in(page, server, "grace")
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    found = page.evaluate("async () => (await indexedDB.databases()).map((each) => each.name)")
    assert len(found) == 2
    # A name made by chance may spell any short word: it is its shape that says nothing.
    assert all(re.fullmatch(r"sixbookmarks-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", name) for name in found)
    assert len({name[-36:] for name in found}) == 2
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill(PASSWORDS["ada"])
    page.get_by_role("button", name="Sign in").click()
    expect_status(page, "In step")
    expect(page.get_by_text("Only ada's")).to_be_visible()


# covers: SB-W26 SB-F092
def test_a_token_that_has_run_out_is_renewed_and_the_request_repeated(browser, server):
    browser.allow("status of 401")
    page = sign_in(browser.page(), server)
    page.evaluate("""() => {
        const session = JSON.parse(localStorage.getItem("sixbookmarks.session"));
        localStorage.setItem("sixbookmarks.session", JSON.stringify({ ...session, access: "over" }));
    }""")
    write(page, 4, "After", "https://after.example/")
    expect_status(page, "In step")
    assert page.evaluate("() => JSON.parse(localStorage.getItem('sixbookmarks.session')).access") != "over"


# covers: SB-W26 SB-F122 SB-W27
def test_when_the_session_is_over_the_form_comes_and_the_data_stays(browser, server, service):
    browser.allow("status of 401")
    page = sign_in(browser.page(), server)
    server.stop()
    write(page, 4, "Waits", "https://waits.example/")
    expect_status(page, "Offline, 1 waiting")
    page.evaluate(OVER)
    server.start()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Your sign-in has ended.")).to_contain_text("1 change is kept")
    expect(page.get_by_label("Name")).to_have_value("ada")
    page.get_by_label("Password").fill(PASSWORDS["ada"])
    page.get_by_role("button", name="Sign in").click()
    expect_status(page, "In step")
    assert (3, "Waits") in service.slots


# covers: SB-W26
def test_what_was_typed_when_the_session_ended_comes_back(browser, server, service):
    browser.allow("status of 401")
    page = sign_in(browser.page(), server)
    go(page, "edit/2")
    page.get_by_label("Name").fill("Half")
    page.evaluate(OVER)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Your sign-in has ended.")).to_contain_text("What you have typed comes back then.")
    page.get_by_label("Password").fill(PASSWORDS["ada"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Edit bookmark")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("Half")
    page.get_by_label("Name").fill("Whole")
    page.get_by_role("button", name="Save bookmark").click()
    expect(page.get_by_role("heading", name="Configure bookmarks")).to_be_visible()
    expect_status(page, "In step")
    assert service.slots == [(0, "Google"), (1, "Whole"), (2, "Topaz Filer")]
    # It came back once: who opens the form again sees the bookmark.
    go(page, "edit/2")
    expect(page.get_by_label("Name")).to_have_value("Whole")


# covers: SB-W26 SB-W27
def test_what_was_typed_is_for_nobody_else(browser, server):
    browser.allow("status of 401")
    page = sign_in(browser.page(), server)
    go(page, "edit/4")
    page.get_by_label("Name").fill("Only ada's")
    page.evaluate(OVER)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Your sign-in has ended.")).to_be_visible()
    fill(page, "grace", PASSWORDS["grace"])
    expect_names(page, "Google", ".NET 247", "Topaz Filer")
    go(page, "edit/4")
    expect(page.get_by_label("Name")).to_have_value("")


# covers: SB-W27
def test_a_sign_out_in_one_tab_signs_the_other_out(browser, server):
    context = browser.context()
    one = sign_in(browser.page(context), server)
    two = browser.page(context)
    two.goto(server.app)
    expect_status(two, "In step")
    go(two, "configure")
    one.get_by_role("button", name="Sign out").click()
    expect(two.get_by_role("button", name="Sign in")).to_be_visible()


# covers: SB-S05
def test_each_browser_has_a_sign_in_of_its_own_and_the_app_none(browser, server):
    seen = []
    pages = []
    for _ in range(2):
        page = browser.page()
        page.on("request", lambda request: seen.append(request))
        pages.append(sign_in(page, server))
    first, second = (page.evaluate("() => JSON.parse(localStorage.getItem('sixbookmarks.session'))") for page in pages)
    assert first["refresh"] != second["refresh"] and first["access"] != second["access"]
    # No request says more of who asks than the person's own token; none names an account or a key of the app.
    tokens = {"Bearer " + first["access"], "Bearer " + second["access"]}
    for request in seen:
        names = {name.lower() for name in request.headers}
        assert not names & {"x-amx-apiusername", "x-amx-token", "x-api-key", "cookie"}, request.url
        if "/odata/" in request.url:
            assert request.headers["authorization"] in tokens
        elif "/auth/" in request.url:
            assert set(request.post_data_json) == {"grant_type", "username", "password", "device"}
    # One is ended, and the other goes on.
    pages[0].get_by_role("button", name="Sign out").click()
    expect(pages[0].get_by_text("You are signed out.")).to_be_visible()
    write(pages[1], 4, "Still signed in", "https://still.example/")
    expect_status(pages[1], "In step")
