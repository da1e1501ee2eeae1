# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The first page of the server, as a visitor sees it."""

import pytest
from access import check, walk
from app import DESK, NARROW, PHONE
from playwright.sync_api import expect

WIDTHS = {"320": NARROW, "390": PHONE, "1280": DESK}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_first_page_shows_the_apps_and_the_domains(browser, server, pictures, width, scheme):
    page = browser.page(viewport=WIDTHS[width], color_scheme=scheme)
    page.goto(server.address + "/")
    page.screenshot(path=pictures / f"root-{width}-{scheme}.png", full_page=True)
    check(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    # Each command can be read to its end.
    assert page.evaluate("() => [...document.querySelectorAll('pre')].filter(p => p.scrollWidth > p.clientWidth).length") == 0
    expect(page.get_by_role("heading", level=1)).to_have_text("Data that works offline")
    for domain in ("fishing", "pctrade", "sixbookmarks"):
        card = page.get_by_role("article", name=domain)
        expect(card.get_by_role("link", name="OpenAPI")).to_have_attribute("href", f"/odata/{domain}/openapi.json")
        expect(card.get_by_text("Insecure")).to_have_count(0 if domain == "pctrade" else 1)


def test_the_apps_of_the_first_page_are_rows_of_one_list(browser, server):
    page = browser.page()
    page.goto(server.address + "/")
    rows = page.locator(".apps > li")
    expect(rows).to_have_count(3)
    boxes = [rows.nth(at).bounding_box() for at in range(3)]
    assert len({(box["x"], box["width"]) for box in boxes}) == 1
    assert boxes[0]["y"] < boxes[1]["y"] < boxes[2]["y"]


def test_the_bar_is_as_high_on_each_page(browser, server):
    browser.allow("status of 404")
    page = browser.page()
    for path in ("/", "/nothing", "/service/sixbookmarks/", "/apps/sixbookmarks/", "/apps/fishing/"):
        page.goto(server.address + path)
        assert page.locator(".bar").bounding_box()["height"] == 65, path


def test_every_link_of_the_first_page_leads_somewhere(browser, server):
    page = browser.page()
    page.goto(server.address + "/")
    assert len(walk(page)) == page.locator("a[href]:visible").count()
    links = page.eval_on_selector_all("a[href]", "all => [...new Set(all.map((each) => each.href))]")
    for link in links:
        assert link.startswith(server.address), link
        # Data of users asks who it is, and is not missing.
        status = page.request.get(link).status
        assert status == 200 or (status == 401 and "/odata/" in link), (link, status)


def test_an_address_that_leads_nowhere_leads_back(browser, server):
    browser.allow("status of 404")
    page = browser.page()
    for path in ("/nothing", "/apps/nothing", "/service/", "/service/nothing/"):
        assert page.goto(server.address + path).status == 404
        check(page)
        page.get_by_role("link", name="first page").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Data that works offline")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_data_that_is_opened_without_a_sign_in_says_where_to_sign_in(browser, server, pictures, width, scheme):
    browser.allow("status of 401")
    page = browser.page(viewport=WIDTHS[width], color_scheme=scheme)
    links = {
        "fishing": ["/apps/fishing/"],
        "sixbookmarks": ["/apps/sixbookmarks/", "/service/sixbookmarks/sign-in"],
    }
    for domain, wanted in links.items():
        answer = page.goto(f"{server.address}/odata/{domain}/")
        assert answer.status == 401
        assert answer.headers["cache-control"] == "no-store"
        page.screenshot(path=pictures / f"unauthorized-{domain}-{width}-{scheme}.png", full_page=True)
        check(page)
        walk(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to see this data")
        assert page.eval_on_selector_all(".apps h3 a", "all => all.map((each) => each.getAttribute('href'))") == wanted
    page.get_by_role("link", name="The service of Six Bookmarks").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to your account")
