# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Checks of a page as it stands: names, landmarks, headings, contrast, what can be hit, and where the focus goes."""

import pathlib

CHECKS = (pathlib.Path(__file__).parent / "access.js").read_text(encoding="utf-8")

FOCUS = """() => {
    const node = document.activeElement;
    if (node === null || node === document.body) return null;
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    return {
        name: node.getAttribute("aria-label") ?? node.id + " " + node.textContent.trim(),
        seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
}"""


def check(page):
    """Fails with all complaints about the page."""
    complaints = page.evaluate(CHECKS)
    assert complaints == [], f"{page.url}: {complaints}"


def walk(page, most=60):
    """Presses Tab to the end of the page; returns the names of what got the focus, each of which showed it."""
    # From the first thing on the page: what a view has focused is where Tab would begin.
    names = [page.evaluate("() => { const first = document.querySelector('a[href]'); first.focus(); return first.textContent; }")]
    for _ in range(most):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus is None:
            return names
        assert focus["seen"], f"{page.url}: the focus on {focus['name']} is not to be seen"
        assert focus["inside"], f"{page.url}: the focus on {focus['name']} is outside of the window"
        names.append(focus["name"])
    raise AssertionError(f"the focus never comes to an end: {names}")
