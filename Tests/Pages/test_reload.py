# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Load the page again, go back, go forward: what a form has done is not done a second time."""

import sqlite3

import pytest
from playwright.sync_api import expect
from service_pages import ACCOUNT, FORM_STATUS, add_user, fill, link_of_mail, open_page, press, problems, register, sign_in


@pytest.fixture
def page(browser):
    """A page that keeps the addresses of the forms that it sends."""
    browser.allow(FORM_STATUS)
    made = browser.page()
    made.posts = []
    made.on("request", lambda request: made.posts.append(request.url) if request.method == "POST" else None)
    return made


def count(server, table):
    """The rows of a table."""
    connection = sqlite3.connect(server.folder / "data" / "demo" / "sixbookmarks.sqlite", timeout=20)
    (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    connection.close()
    return number


def wander(page):
    """Loads the page again, goes back and forward, and sends nothing by that."""
    sent = list(page.posts)
    page.reload()
    page.go_back()
    page.reload()
    page.go_forward()
    page.reload()
    assert page.posts == sent


def test_an_account_is_registered_once(page, server):
    before = count(server, "ApiAccounts")
    register(page, server)
    wander(page)
    page.go_back()
    # The form is there again, and empty: what was typed in it is done.
    expect(page.get_by_role("heading", name="Register an account")).to_be_visible()
    expect(page.locator("#field-Username")).to_have_value("")
    assert count(server, "ApiAccounts") == before + 1
    assert len(page.posts) == 1


def test_sign_in_and_sign_out_are_sent_once(page, server):
    open_page(page, server)
    sign_in(page, server)
    wander(page)
    press(page, "Sign out")
    wander(page)
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert len(page.posts) == 2


def test_a_user_is_added_changed_and_given_bookmarks_once(page, server):
    sign_in(page, server)
    before = (count(server, "Users"), count(server, "Bookmarks"))
    add_user(page, "kit")
    wander(page)
    page.get_by_role("link", name="kit", exact=True).click()
    fill(page, FirstName="Kit")
    press(page, "Save user")
    wander(page)
    page.get_by_role("link", name="kit", exact=True).click()
    page.get_by_role("link", name="Manage this user's bookmarks").click()
    fill(page, name0="Tides", url0="https://tides.example/")
    press(page, "Save changes")
    wander(page)
    expect(page.locator("#field-url0")).to_have_value("https://tides.example/")
    assert (count(server, "Users"), count(server, "Bookmarks")) == (before[0] + 1, before[1] + 1)
    # One each, after that of the sign-in.
    assert len(page.posts) == 4


def test_going_back_to_a_form_that_was_saved_shows_what_is_stored_now(page, server):
    sign_in(page, server)
    open_page(page, server, "users/1001/bookmarks")
    fill(page, name0="Renamed")
    press(page, "Save changes")
    page.go_back()
    expect(page.locator("#field-name0")).to_have_value("Renamed")
    # Its version is that of now: it is saved again without a conflict.
    fill(page, name0="Renamed twice")
    press(page, "Save changes")
    expect(page.get_by_role("status")).to_contain_text("The bookmarks are saved.")


def test_a_link_for_a_password_is_mailed_once(page, server):
    register(page, server)
    press(page, "Sign out")
    open_page(page, server, "reset")
    fill(page, Username=ACCOUNT["Username"])
    press(page, "Send the link")
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your mail")
    wander(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your mail")
    # The helper finds one mail, and no more.
    page.goto(link_of_mail(page, server))
    fill(page, Password="spring-tide-9", Confirmation="spring-tide-9")
    press(page, "Set the password")
    wander(page)
    assert list((server.folder / "data" / "mail").glob("*.eml")) == []


def test_a_form_with_a_problem_that_is_loaded_again_changes_nothing(page, server):
    sign_in(page, server)
    before = (count(server, "Users"), count(server, "Bookmarks"))
    page.get_by_role("link", name="Add a new user").click()
    fill(page, Username="ada", Password="rising-tide")
    press(page, "Add user")
    expect(problems(page)).to_have_text(["This name is taken. Choose another one."])
    page.reload()
    expect(problems(page)).to_have_text(["This name is taken. Choose another one."])
    open_page(page, server, "users/1001/bookmarks")
    fill(page, name0="Renamed", name5="No address")
    press(page, "Save changes")
    page.reload()
    expect(problems(page)).to_have_text(["Bookmark 6 has no address."])
    assert (count(server, "Users"), count(server, "Bookmarks")) == before


def test_the_test_client_says_that_it_sends_again(page, server):
    open_page(page, server, "test")
    fill(page, url="/healthz")
    press(page, "Send request")
    expect(page.get_by_text("To load this page again is to send the request again.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Answer")).to_contain_text("200")
