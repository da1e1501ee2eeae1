# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Checks of a page as it stands: names, landmarks, headings, contrast, what can be hit, and where the focus goes."""

import pathlib

HERE = pathlib.Path(__file__).parent
COLOUR = (HERE / "colour.js").read_text(encoding="utf-8")
CHECKS = (HERE / "access.js").read_text(encoding="utf-8").replace("/* colour.js */", COLOUR)
FOCUS = (HERE / "focus.js").read_text(encoding="utf-8").replace("/* colour.js */", COLOUR)
# The least contrast of what shows the focus with what is around it. Source: WCAG 2.2, success criterion 1.4.11.
LEAST = 3


def check(page):
    """Fails with all complaints about the page."""
    complaints = page.evaluate(CHECKS)
    assert complaints == [], f"{page.url}: {complaints}"


def check_focus(page):
    """Fails when what has the focus does not show it; returns its name, or None where nothing has it."""
    focus = page.evaluate(FOCUS)
    if focus is None:
        return None
    assert focus["seen"], f"{page.url}: the focus on {focus['name']} is not to be seen"
    assert focus["inside"], f"{page.url}: the focus on {focus['name']} is outside of the window"
    assert focus["cutBy"] is None, f"{page.url}: the ring around {focus['name']} is cut off by {focus['cutBy']}"
    least = min(focus["contrasts"])
    assert least >= LEAST, f"{page.url}: the ring around {focus['name']} has a contrast of {least:.2f}, at least {LEAST}"
    return focus["name"]


def walk(page, most=60):
    """Presses Tab to the end of the page; returns the names of what got the focus, each of which showed it."""
    # From the first thing on the page: what a view has focused is where Tab would begin.
    names = [page.evaluate("() => { const first = document.querySelector('a[href]'); first.focus(); return first.textContent; }")]
    for _ in range(most):
        page.keyboard.press("Tab")
        name = check_focus(page)
        if name is None:
            return names
        names.append(name)
    raise AssertionError(f"the focus never comes to an end: {names}")
