# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A spot of Fishing that is sent again: under its identifier and with its bytes, until the service has decided it."""

import json
import re

import pytest
from playwright.sync_api import expect
from test_fishing import PASSWORDS, enter, names
from test_fishing_forms import add
from test_sign_in import fill

NOT_KNOWN = "It is not known whether the spot is saved"


def refusing(page, status, count=1):
    """Answers the first spots that are sent with a status, and cuts the connection where that is 0; the service has none of them."""
    sent = []

    def answer(route):
        if route.request.method != "POST":
            route.continue_()
            return
        fields = {name: value for name, value in route.request.headers.items() if name.startswith("repeatability-")}
        sent.append((fields, route.request.post_data))
        if len(sent) > count:
            route.continue_()
        elif status == 0:
            route.abort()
        else:
            error = {"error": {"code": "Passing", "message": "It passes."}}
            route.fulfill(status=status, body=json.dumps(error), content_type="application/json")

    page.route("**/odata/fishing/FishingSpots*", answer)
    return sent


def save(page):
    page.get_by_role("button", name="Save spot").click()


def typed(page, name):
    """A form that is filled in, at a point whose spots are there."""
    add(page, name)
    expect(page.locator("#live")).to_have_text(re.compile("within 3 km"))


@pytest.mark.parametrize("status", [0, 408, 429, 500, 503])
def test_a_spot_that_is_refused_for_a_passing_reason_is_sent_again_as_it_was(browser, server, status):
    browser.allow("ERR_FAILED|status of ")
    page = browser.page()
    enter(page, server, "ann")
    typed(page, "Reef")
    sent = refusing(page, status)
    save(page)
    expect(page.get_by_role("alert")).to_contain_text(NOT_KNOWN)
    expect(page.get_by_label("Name")).to_have_value("Reef")
    save(page)
    expect(page.locator("#live")).to_have_text("Reef is saved.")
    assert len(sent) == 2 and sent[0] == sent[1]
    assert names(page).count("Reef") == 1


def test_a_spot_whose_sign_in_the_service_no_longer_takes_is_sent_again_as_it_was(browser, server):
    browser.allow("status of 401")
    page = browser.page()
    enter(page, server, "ann")
    typed(page, "Reef")
    # It gives new tokens, and takes them no more than the ones before.
    sent = refusing(page, 401, count=2)
    save(page)
    expect(page.get_by_role("alert").filter(has_text="What you have typed comes back then.")).to_be_visible()
    fill(page, "ann", PASSWORDS["ann"])
    expect(page.get_by_label("Name")).to_have_value("Reef")
    save(page)
    expect(page.locator("#live")).to_have_text("Reef is saved.")
    assert len(sent) == 3 and sent[0] == sent[1] == sent[2]


def test_what_is_typed_while_a_spot_is_undecided_waits_for_it(browser, server):
    browser.allow("status of 503")
    page = browser.page()
    enter(page, server, "ann")
    typed(page, "First try")
    sent = refusing(page, 503)
    save(page)
    expect(page.get_by_role("alert")).to_contain_text(NOT_KNOWN)
    page.get_by_label("Name").fill("Second thought")
    save(page)
    expect(page.get_by_role("alert")).to_contain_text("Your first try is saved, as it was before you changed it.")
    expect(page.get_by_label("Name")).to_have_value("Second thought")
    assert sent[0] == sent[1]
    save(page)
    expect(page.locator("#live")).to_have_text("Second thought is saved.")
    assert len(sent) == 3 and sent[2][0]["repeatability-request-id"] != sent[0][0]["repeatability-request-id"]
    assert sorted(name for name in names(page) if name in ("First try", "Second thought")) == ["First try", "Second thought"]


def test_what_is_typed_after_a_spot_that_is_refused_for_good_is_a_spot_of_its_own(browser, server):
    browser.allow("status of 503")
    browser.allow("status of 400")
    page = browser.page()
    enter(page, server, "ann")
    typed(page, "n" * 81)
    sent = refusing(page, 503)
    save(page)
    expect(page.get_by_role("alert")).to_contain_text(NOT_KNOWN)
    page.get_by_label("Name").fill("Reef")
    save(page)
    expect(page.locator("#live")).to_have_text("Reef is saved.")
    assert sent[0] == sent[1]
    ids = [fields["repeatability-request-id"] for fields, _ in sent]
    assert len(ids) == 3 and ids[2] != ids[0]


def test_a_refusal_for_good_is_told_and_ends_the_request(browser, server):
    browser.allow("status of 400")
    page = browser.page()
    enter(page, server, "ann")
    typed(page, "n" * 81)
    sent = refusing(page, 0, count=0)
    save(page)
    expect(page.get_by_role("alert")).to_contain_text("The spot is not saved")
    expect(page.get_by_label("Name")).to_have_value("n" * 81)
    # Until it is answered: a request that is still on its way is no matter of what comes after this test.
    with page.expect_response(lambda response: response.request.method == "POST") as answer:
        save(page)
    assert answer.value.status == 400 and len(sent) == 2
    assert sent[0][0]["repeatability-request-id"] != sent[1][0]["repeatability-request-id"]
    assert sent[0][1] == sent[1][1]
