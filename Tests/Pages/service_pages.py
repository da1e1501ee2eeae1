# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the service's own pages do: fill in forms, sign in, read the mail."""

import re

from playwright.sync_api import expect

PASSWORD = "tide-and-time-0"
# What a form that is wrong is answered with; Chromium writes each on the console.
FORM_STATUS = r"status of 4(03|04|09|10|22|29)"
REACHED = "a[href]:visible, button:visible, input:visible, select:visible, [tabindex='0']:visible"

ACCOUNT = {
    "Username": "harbour",
    "Password": "low-water-mark",
    "Confirmation": "low-water-mark",
    "FirstName": "Mary",
    "LastName": "Ward",
    "Company": "Harbour & Sons",
    "Address1": "1 Quay",
    "Address2": "Pier B",
    "Address3": "Room 3",
    "City": "Whitby",
    "Region": "North Yorkshire",
    "PostalCode": "YO21 3PU",
    "Email": "mary@harbour.example",
}


def open_page(page, server, path=""):
    """Opens a page of the service."""
    return page.goto(f"{server.address}/service/sixbookmarks/{path}")


def fill(page, **fields):
    """Types into the fields of these names."""
    for name, text in fields.items():
        page.locator(f"main [name={name}]:not([type=hidden])").fill(text)


def paste(page, **fields):
    """Puts texts into fields in place of what is there, as from a clipboard: a field that cuts does so then."""
    for name, text in fields.items():
        page.locator(f"main [name={name}]").fill("")
        page.locator(f"main [name={name}]").focus()
        page.keyboard.insert_text(text)


def press(page, name):
    """Presses a button, and waits for the page that comes."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def sign_in(page, server, name="tideline", password=PASSWORD):
    """Signs in to an account."""
    open_page(page, server, "sign-in")
    fill(page, Username=name, Password=password)
    press(page, "Sign in")
    expect(page.get_by_role("heading", name="Users", exact=True)).to_be_visible()


def register(page, server, **other):
    """Registers an account, which is signed in then."""
    open_page(page, server, "register")
    fill(page, **{**ACCOUNT, **other})
    press(page, "Register")
    expect(page.get_by_role("status")).to_contain_text("Your account is registered")


def add_user(page, name, password="rising-tide", **other):
    """Adds a user, beginning at the list."""
    page.get_by_role("link", name="Add a new user").click()
    fill(page, Username=name, Password=password, **other)
    press(page, "Add user")
    expect(page.get_by_role("status")).to_contain_text("The user is added.")


def problems(page):
    """What the form says is wrong, at its top."""
    return page.get_by_role("alert").get_by_role("listitem")


def link_of_mail(page, server):
    """The link of the only mail that was sent, which is deleted; the server writes it while its answer goes out."""
    folder = server.folder / "data" / "mail"
    for _ in range(600):
        if list(folder.glob("*.eml")):
            break
        page.wait_for_timeout(50)
    (mail,) = folder.glob("*.eml")
    text = mail.read_text(encoding="utf-8")
    mail.unlink()
    assert f"To: <{ACCOUNT['Email']}>" in text
    return re.search(r"http://\S+", text).group(0)
