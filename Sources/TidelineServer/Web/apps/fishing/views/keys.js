// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The keys: those of the map, and the list of them at `?`.
 *
 * The one that works everywhere can be switched off: who dictates to a machine would press it with a question.
 * Source: WCAG 2.2, success criterion 2.1.4.
 */

import { el } from "../../common/dom.js";

const STORED = "tideline-fishing.keys";
const LIST = [
    ["Arrows", "On the map: move the point by 200 m, with Shift by 1 km"],
    ["+", "On the map: a wider radius"],
    ["-", "On the map: a narrower radius"],
    ["?", "This list"],
];

/** `isInside()`: whether somebody is signed in. */
export function listenForKeys(isInside) {
    addEventListener("keydown", (event) => {
        if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
        if (!isInside() || localStorage.getItem(STORED) === "off" || document.querySelector("dialog[open]")) return;
        if (event.target.closest?.("input, textarea, select")) return;
        event.preventDefault();
        showKeys();
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
            el("dl", { class: "strokes" }, LIST.map(([key, text]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)))),
            el("label", { class: "check", for: "single-keys" }, single, "Let ? open this list"),
            el("p", { class: "quiet" }, "Turn this off if you dictate: a spoken question would press the key. A button below the map opens the list too."),
            el("button", { class: "primary" }, "Close"),
        ),
    );
    document.body.append(dialog);
    dialog.addEventListener("close", () => {
        dialog.remove();
        before?.focus();
    });
    dialog.showModal();
}
