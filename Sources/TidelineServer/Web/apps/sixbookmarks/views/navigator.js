// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Six buttons: one opens its address, an empty one leads to the configuration. */

import { el } from "../../common/dom.js";
import { heading, keepFocus, patch } from "./dom.js";
import { icon } from "./icons.js";
import { hostOf, openable } from "../model/fields.js";

/** `note` is a sentence above the buttons, where somebody was led here from elsewhere. */
export function navigatorView(device, note = null) {
    const list = el("ol", { class: "places" });
    const notes = el("div");
    const strayed = note === null ? null : el("p", { class: "note", role: "status" }, `${note} These are your bookmarks.`);
    const element = el("section", { "aria-label": "Bookmarks" }, heading("Your bookmarks"), strayed, notes, list);

    function update() {
        const isLoading = device.state.meta.received === null && device.bookmarks.size === 0;
        list.classList.toggle("loading", isLoading && device.phase === "running");
        const { places, others } = device.places;
        const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
        const said = [isLoading ? firstLoad(device) : null, others.length > 0 ? leftOver(others) : null].filter(Boolean);
        const show = () => {
            patch(notes, said);
            patch(list, places.map((bookmark, place) => el("li", { "data-key": bookmark?.key ?? null, "data-place": place }, button(bookmark, place))));
        };
        keepFocus(element, show, () => list.children[focused]?.firstElementChild);
    }
    update();
    return { title: "Bookmarks", element, update };
}

function leftOver(others) {
    const text = others.length === 1 ? "One more bookmark has no place. " : `${others.length} more bookmarks have no place. `;
    return el("p", { class: "note" }, text, el("a", { href: "#/configure" }, "Give it one in the configuration"));
}

function firstLoad(device) {
    if (device.phase === "running") return el("p", { class: "quiet", role: "status" }, "Loading your bookmarks…");
    if (device.phase === "rest") return null;
    return el(
        "div",
        { class: "note", role: "status" },
        el("p", {}, "Your bookmarks are not on this device yet, and the service does not answer. They come with the first connection; what you add here until then is kept."),
        el("button", { type: "button", click: () => device.sync() }, "Try again"),
    );
}

function button(bookmark, place) {
    if (bookmark === null) {
        return el(
            "a",
            { class: "place vacant", href: "#/configure", "aria-label": `Place ${place + 1} is empty: configure` },
            el("span", { class: "number" }, String(place + 1)),
            el("span", { class: "name" }, "…"),
            icon("add"),
        );
    }
    const href = openable(bookmark.Url);
    const name = bookmark.Name.trim() || hostOf(bookmark.Url) || "(no name)";
    if (href === null) {
        return el(
            "a",
            { class: "place bad", href: `#/edit/${place + 1}` },
            el("span", { class: "number" }, String(place + 1)),
            el("span", { class: "name", title: name }, name),
            el("span", { class: "host" }, "Not opened: only web addresses are"),
        );
    }
    return el(
        "a",
        { class: "place", href, target: "_blank", rel: "noopener noreferrer" },
        el("span", { class: "number" }, String(place + 1)),
        // What is too long for the button is cut in it.
        el("span", { class: "name", title: name }, name),
        el("span", { class: "host", title: bookmark.Url }, hostOf(bookmark.Url)),
        icon("away"),
        el("span", { class: "unseen" }, "opens in a new tab"),
    );
}
