# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The ways of an organisation through the service's own pages, wrong turns too, and what the app sees of it."""

import json

from app import PASSWORDS, Service, expect_names, expect_status, write
from app import sign_in as sign_in_to_app
from playwright.sync_api import expect
from service_pages import ACCOUNT, FORM_STATUS, add_user, fill, link_of_mail, open_page, paste, press, problems, register, sign_in


def enter_app(page, server, name, password):
    """Sends the app's form."""
    page.goto(server.app)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


# covers: SB-F001 SB-F002 SB-F004 SB-F005 SB-F006
def test_an_account_registers_adds_a_user_and_the_user_has_the_bookmarks_in_the_app(browser, server):
    office = browser.page()
    open_page(office, server)
    office.get_by_role("main").get_by_role("link", name="Register an account").click()
    expect(office.get_by_label("Country")).to_have_value("United States")
    expect(office.get_by_label("Send me occasional news")).not_to_be_checked()
    fill(office, **ACCOUNT)
    office.get_by_label("Country").select_option("United Kingdom")
    office.get_by_label("Send me occasional news").check()
    press(office, "Register")
    expect(office.get_by_role("heading", name="No users yet")).to_be_visible()
    add_user(office, "kit", FirstName="Kit")
    row = office.get_by_role("row", name="kit")
    expect(row).to_contain_text("Active")
    row.get_by_role("link", name="Bookmarks of kit").click()
    fill(office, name0="Tides", url0="tides.example", name4="News", url4="https://news.example/")
    press(office, "Save changes")
    expect(office.get_by_role("status")).to_contain_text("The bookmarks are saved.")
    expect(office.get_by_role("status")).to_be_focused()
    expect(office.locator("#field-url0")).to_have_value("https://tides.example")
    app = browser.page()
    enter_app(app, server, "harbour/kit", "rising-tide")
    expect_status(app, "In step")
    expect(app.locator(".place .name")).to_have_text(["Tides", "…", "…", "…", "News", "…"])


# covers: SB-F006 SB-F161
def test_what_the_form_saves_the_app_shows_and_what_the_app_sends_the_form_shows(browser, server):
    office = browser.page()
    sign_in(office, server)
    app = sign_in_to_app(browser.page(), server)
    open_page(office, server, "users/1001/bookmarks")
    fill(office, name1="", url1="", name0="Search", name3="Fourth", url3="https://fourth.example/")
    press(office, "Save changes")
    expect(app.locator(".place .name")).to_have_text(["Search", "…", "Topaz Filer", "Fourth", "…", "…"])
    write(app, 6, "From the phone", "https://phone.example/")
    expect_status(app, "In step")
    open_page(office, server, "users/1001/bookmarks")
    expect(office.locator("#field-name5")).to_have_value("From the phone")
    expect(office.locator("#field-url5")).to_have_value("https://phone.example/")


# covers: SB-F006 SB-F109
def test_a_form_that_is_older_than_what_a_device_sent_overwrites_nothing_unasked(browser, server, service):
    browser.allow(FORM_STATUS)
    page = browser.page()
    sign_in(page, server)
    open_page(page, server, "users/1001/bookmarks")
    service.change("Google", Name="Changed by a device")
    fill(page, name0="Typed here")
    press(page, "Save changes")
    expect(problems(page)).to_contain_text(["Bookmark 1 was changed meanwhile: it is now “\u2068Changed by a device\u2069”"])
    expect(page.locator("#field-name0")).to_have_value("Typed here")
    assert service.slots[0] == (0, "Changed by a device")
    press(page, "Save changes")
    expect(page.get_by_role("status")).to_contain_text("The bookmarks are saved.")
    assert service.slots[0] == (0, "Typed here")


# covers: SB-F005
def test_a_user_who_is_made_inactive_is_out_and_is_let_in_again(browser, server):
    browser.allow("status of 401")
    office = browser.page()
    sign_in(office, server)
    app = sign_in_to_app(browser.page(), server)
    open_page(office, server, "users/1001")
    office.get_by_label("Active").uncheck()
    press(office, "Save user")
    expect(office.get_by_role("row", name="ada")).to_contain_text("Inactive")
    app.evaluate("() => dispatchEvent(new Event('online'))")
    expect(app.get_by_text("Your sign-in has ended.")).to_be_visible()
    app.get_by_label("Password").fill(PASSWORDS["ada"])
    app.get_by_role("button", name="Sign in").click()
    expect(app.get_by_role("alert")).to_contain_text("The name or the password is wrong.")
    office.get_by_role("link", name="ada", exact=True).click()
    office.get_by_label("Active").check()
    fill(office, Password="another-tide-7")
    press(office, "Save user")
    app.get_by_label("Password").fill("another-tide-7")
    app.get_by_role("button", name="Sign in").click()
    expect_names(app, "Google", ".NET 247", "Topaz Filer")


# covers: SB-F007
def test_an_account_sees_no_user_of_another_also_not_by_address(browser, server):
    browser.allow(FORM_STATUS)
    page = browser.page()
    register(page, server)
    expect(page.get_by_role("heading", name="No users yet")).to_be_visible()
    for path in ("users/1001", "users/1001/bookmarks", "users/99999999999999999999", "users/new/bookmarks"):
        assert open_page(page, server, path).status == 404
        expect(page.get_by_role("heading", name="Nothing is here")).to_be_visible()
        page.get_by_role("link", name="Back to the first page").click()
    # The name of another account's user is free in this one; the second of the name is not.
    open_page(page, server, "users")
    add_user(page, "ada")
    page.get_by_role("link", name="Add a new user").click()
    fill(page, Username="ada", Password="rising-tide")
    press(page, "Add user")
    expect(problems(page)).to_have_text(["This name is taken. Choose another one."])


# covers: SB-F001
def test_a_name_that_is_taken_is_told_and_the_form_keeps_what_was_typed(browser, server):
    browser.allow(FORM_STATUS)
    page = browser.page()
    open_page(page, server, "register")
    fill(page, **{**ACCOUNT, "Username": "tideline"})
    press(page, "Register")
    expect(problems(page)).to_have_text(["This name is taken. Choose another one."])
    expect(page.locator("#field-Username")).to_be_focused()
    expect(page.locator("#field-Company")).to_have_value("Harbour & Sons")
    fill(page, Username="harbour", Password="low-water-mark", Confirmation="low-water-mark")
    press(page, "Register")
    expect(page.get_by_role("heading", name="No users yet")).to_be_visible()


# covers: SB-F133
def test_who_signs_out_sees_nothing_with_the_back_button_and_comes_back_to_where_they_wanted(browser, server):
    page = browser.page()
    sign_in(page, server)
    open_page(page, server, "users/1001")
    expect(page.get_by_text("Signs in as tideline/ada")).to_be_visible()
    press(page, "Sign out")
    expect(page.get_by_role("status")).to_contain_text("You are signed out.")
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in to your account")).to_be_visible()
    expect(page.get_by_text("This page is for accounts.")).to_be_visible()
    fill(page, Username="tideline", Password="tide-and-time-0")
    press(page, "Sign in")
    assert page.url == f"{server.address}/service/sixbookmarks/users/1001"


# covers: SB-F003
def test_a_forgotten_password_is_set_by_a_mail_once_and_other_browsers_are_signed_out(browser, server):
    browser.allow(FORM_STATUS)
    old = browser.page()
    register(old, server)
    page = browser.page()
    open_page(page, server, "sign-in")
    page.get_by_role("link", name="Forgot your password?").click()
    fill(page, Username="nobody-of-this-name")
    press(page, "Send the link")
    told = page.get_by_role("main").inner_text()
    open_page(page, server, "reset")
    fill(page, Username="harbour")
    press(page, "Send the link")
    assert page.get_by_role("main").inner_text() == told
    link = link_of_mail(page, server)
    page.goto(link)
    fill(page, Password="spring-tide-9", Confirmation="spring-tide-9")
    press(page, "Set the password")
    expect(page.get_by_role("status")).to_contain_text("The password is changed.")
    fill(page, Username="harbour", Password="low-water-mark")
    press(page, "Sign in")
    expect(problems(page)).to_have_text(["The username or the password is not right."])
    fill(page, Username="harbour", Password="spring-tide-9")
    press(page, "Sign in")
    expect(page.get_by_role("heading", name="No users yet")).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("heading", name="This link opens nothing")).to_be_visible()
    old.reload()
    expect(old.get_by_role("heading", name="Sign in to your account")).to_be_visible()


# covers: SB-F008 SB-F010 SB-F014 SB-F015 SB-F016 SB-F031
def test_the_test_client_walks_the_wire_of_2010_to_its_end(browser, server):
    page = browser.page()
    open_page(page, server, "test")
    body = page.locator(".answer pre").last
    told = page.get_by_role("status")

    def send(link, old=None, new=None, **fields):
        press(page, link)
        url = page.locator("#field-url").input_value()
        fill(page, url=url if old is None else url.replace(old, new), **fields)
        press(page, "Send request")
        return body.inner_text()

    answer = send("API logon", "password=", "password=wrong", user="tideline")
    expect(told).to_have_text("Result: InvalidPassword. The password is not valid.")
    expect(page.get_by_role("heading", name="Answer")).to_be_focused()
    expect(page.locator("#field-token")).to_have_value("")
    answer = send("API logon", "password=", "password=tide-and-time-0")
    expect(told).to_have_text("Result: LogonOk. The token is taken over.")
    token = page.locator("#field-token").input_value()
    assert len(token) == 32 and f"<Token>{token}</Token>" in answer
    # Without a user the token opens no bookmarks; with one it opens that user's, and is nobody else's.
    assert "Google" not in send("Bookmarks")
    names = "username=ada&password=tide-and-time-1"
    assert "LogonOk" in send("User logon", "username=&password=", names)
    send("User logon", "username=&password=", names.replace("ada", "grace").replace("-1", "-2"))
    expect(told).to_contain_text("The service refused it:")
    assert "Google" in send("Bookmarks")
    send("API logoff")
    expect(told).to_have_text("Result: LogoffOk.")
    assert "Google" not in send("Bookmarks")


# covers: SB-F008
def test_a_quick_link_keeps_what_is_typed_and_sends_nothing(browser, server):
    page = browser.page()
    open_page(page, server, "test")
    fill(page, user="tideline", token="0123456789abcdef")
    press(page, "Bookmarks")
    assert page.locator("#field-url").input_value() == "/services/Bookmarks.svc/Bookmark"
    expect(page.locator("#field-user")).to_have_value("tideline")
    expect(page.locator("#field-token")).to_have_value("0123456789abcdef")
    expect(page.get_by_role("heading", name="Answer")).to_have_count(0)
    # Enter in a field sends the request.
    fill(page, url="/healthz")
    with page.expect_navigation():
        page.locator("#field-url").press("Enter")
    expect(page.get_by_role("heading", name="Answer")).to_contain_text("200")


# covers: SB-S10 SB-F152
def test_scripts_in_names_and_addresses_are_text_or_refused(browser, server, service):
    browser.allow(FORM_STATUS)
    page = browser.page()
    script = "<script>document.title='owned'</script>"
    name = "<img src=x onerror=document.title='owned'>"
    sign_in(page, server)
    add_user(page, name, FirstName=script, LastName="{{{content}}}")
    expect(page.get_by_role("cell", name=script)).to_be_visible()
    expect(page.get_by_role("cell", name="{{{content}}}")).to_be_visible()
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"User {name}")
    page.get_by_role("link", name="Manage this user's bookmarks").click()
    fill(page, name0=script, url0="JavaScript:alert(1)", name1="\"><svg onload=alert(1)>", url1="https://x.example/\"onfocus=\"alert(1)")
    press(page, "Save changes")
    expect(problems(page).first).to_contain_text("Bookmark 1 has an address that does not begin with http:// or https://.")
    expect(page.locator("#field-name0")).to_have_value(script)
    assert page.evaluate("() => document.querySelectorAll('main script, main img, main svg, [onfocus], [onload]').length") == 0
    fill(page, url0="https://x.example/", url1="https://y.example/")
    press(page, "Save changes")
    expect(page.locator("#field-name1")).to_have_value("\"><svg onload=alert(1)>")
    assert page.title() != "owned"


# covers: SB-F065
def test_ten_kilobytes_of_a_name_are_refused_and_stay_in_the_form(browser, server, service):
    browser.allow(FORM_STATUS)
    page = browser.page()
    sign_in(page, server)
    before = json.dumps(service.bookmarks)
    open_page(page, server, "users/1001/bookmarks")
    paste(page, name0="n" * 10240)
    press(page, "Save changes")
    expect(problems(page)).to_have_text(["Bookmark 1 has a name of more than 128 characters."])
    assert page.locator("#field-name0").input_value() == "n" * 10240
    assert json.dumps(service.bookmarks) == before
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


# covers: SB-F065 SB-F152
def test_an_address_that_is_too_long_is_not_cut_but_told(browser, server, service):
    browser.allow(FORM_STATUS)
    page = browser.page()
    sign_in(page, server)
    before = json.dumps(service.bookmarks)
    open_page(page, server, "users/1001/bookmarks")
    address = "https://example.com/" + "a" * 240
    paste(page, url0=address)
    press(page, "Save changes")
    expect(problems(page)).to_have_text(["Bookmark 1 has an address of more than 256 characters."])
    expect(page.locator("#field-url0")).to_be_focused()
    expect(page.locator("#field-url0")).to_have_value(address)
    assert json.dumps(service.bookmarks) == before


# covers: SB-F001 SB-S14
def test_a_long_password_is_taken_whole(browser, server):
    page = browser.page()
    password = "tide " * 52 + "!"
    open_page(page, server, "register")
    fill(page, **ACCOUNT)
    paste(page, Password=password, Confirmation=password)
    press(page, "Register")
    expect(page.get_by_role("heading", name="No users yet")).to_be_visible()
    press(page, "Sign out")
    open_page(page, server, "sign-in")
    fill(page, Username="harbour")
    paste(page, Password=password)
    press(page, "Sign in")
    expect(page.get_by_role("heading", name="No users yet")).to_be_visible()


def test_what_was_done_is_told_once(browser, server):
    page = browser.page()
    sign_in(page, server)
    add_user(page, "kit")
    page.reload()
    expect(page.get_by_role("row", name="kit")).to_be_visible()
    expect(page.get_by_role("status")).to_have_count(0)
    page.get_by_role("link", name="kit", exact=True).click()
    page.go_back()
    expect(page.get_by_role("row", name="kit")).to_be_visible()
    expect(page.get_by_role("status")).to_have_count(0)


# covers: SB-F037
def test_a_form_that_names_another_owner_reaches_nobody_elses_user(browser, server, service):
    browser.allow(FORM_STATUS)
    page = browser.page()
    register(page, server)
    page.get_by_role("link", name="Add a new user").click()
    fill(page, Username="mallory", Password="rising-tide")
    form = page.locator("main form")
    form.evaluate("""node => {
        for (const [name, value] of [["ApiAccountId", "1"], ["UserId", "1001"], ["PasswordHash", "x"]]) {
            const input = document.createElement("input");
            Object.assign(input, { type: "hidden", name, value });
            node.append(input);
        }
    }""")
    press(page, "Add user")
    expect(page.get_by_role("row", name="mallory")).to_be_visible()
    form = "() => { document.querySelector('main form').action = '/service/sixbookmarks/users/1001'; }"
    page.get_by_role("link", name="mallory", exact=True).click()
    page.evaluate(form)
    press(page, "Save user")
    expect(page.get_by_role("heading", name="Nothing is here")).to_be_visible()
    assert Service(server, "ada", PASSWORDS["ada"]).user == service.user == 1001


# covers: SB-F160
def test_the_services_pages_work_without_javascript_and_keep_out_other_sites(browser, server):
    page = browser.page(browser.context(java_script_enabled=False))
    answer = open_page(page, server, "sign-in")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    sign_in(page, server)
    add_user(page, "kit")
    press(page, "Sign out")
    expect(page.get_by_role("status")).to_contain_text("You are signed out.")
