// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Keyboard shortcuts, each a single key: what they do, and the list of them at `?`.
 *
 * They can be switched off: who dictates to a machine would press them with every word.
 * Source: WCAG 2.2, success criterion 2.1.4.
 */

import { el } from "../../common/dom.js";

const STORED = "sixbookmarks.keys";
const VIEWS = { b: "#/", c: "#/configure", a: "#/about" };
const LIST = [
    ["1 to 6", "Open the bookmark of that place"],
    ["b", "Your bookmarks"],
    ["c", "Configure bookmarks"],
    ["s", "Sync now"],
    ["a", "About"],
    ["?", "This list"],
];

/** `isInside()`: whether somebody is signed in; `openPlace(place)` counts from 0. */
export function listenForKeys({ isInside, go, sync, openPlace }) {
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
        if (!isInside() || localStorage.getItem(STORED) === "off" || document.querySelector("dialog[open]")) return;
        if (event.target.closest?.("input, textarea, select")) return;
        const { key } = event;
        if (key === "?") showKeys();
        else if (/^[1-6]$/.test(key)) openPlace(Number(key) - 1);
        else if (key === "s") sync();
        else if (VIEWS[key]) go(VIEWS[key]);
        else return;
        event.preventDefault();
    });
}

/** The list, in a dialog. */
export function showKeys() {
    const before = document.activeElement;
    const single = el("input", { type: "checkbox", id: "single-keys", checked: localStorage.getItem(STORED) !== "off" });
    single.addEventListener("change", () => {
        if (single.checked) localStorage.removeItem(STORED);
        else localStorage.setItem(STORED, "off");
    });
    const dialog = el(
        "dialog",
        { "aria-labelledby": "keys-title" },
        el(
            "form",
            { method: "dialog" },
            el("h2", { id: "keys-title" }, "Keyboard shortcuts"),
            el("dl", { class: "keys" }, LIST.map(([key, text]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)))),
            el("div", { class: "check" }, single, el("label", { for: "single-keys" }, "Use keyboard shortcuts"), el("p", { class: "quiet" }, "Turn this off if you dictate: spoken words would press keys. About shows this list too.")),
            el("div", { class: "actions" }, el("button", { class: "primary" }, "Close")),
        ),
    );
    document.body.append(dialog);
    dialog.addEventListener("close", () => {
        dialog.remove();
        before?.focus();
    });
    dialog.showModal();
}
