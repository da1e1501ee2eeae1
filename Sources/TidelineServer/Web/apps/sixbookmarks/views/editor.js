// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for one bookmark. */

import { el } from "../../common/dom.js";
import { heading } from "./dom.js";
import { fail } from "../../common/form.js";
import { field } from "./form.js";
import { checkName, checkUrl } from "../model/fields.js";
import { quoted } from "../model/words.js";

/** The key of the bookmark at a place from 1 to 6, `undefined` where that is empty; all else is the key itself. */
export function keyAt(device, target) {
    return /^[1-6]$/.test(target) ? device.places.places[Number(target) - 1]?.key : target;
}

/** The address of the form for a bookmark; `otherwise` where the bookmark is new, or gone. */
export function addressOf(device, key, otherwise) {
    if (!device.bookmarks.has(key)) return otherwise;
    const place = device.places.places.findIndex((each) => each?.key === key);
    return `#/edit/${place < 0 ? encodeURIComponent(key) : place + 1}`;
}

/** Whether there is something to edit: at a place from 1 to 6 there always is, a new bookmark if no other. */
export function isTarget(device, target) {
    return /^[1-6]$/.test(target) || device.bookmarks.has(target);
}

/**
 * `target`: a place from 1 to 6, or the key of a bookmark that has none. `draft`: what the form said before, if it did.
 *
 * `keep(key, draft)` is told what it says now that is not saved, and of which bookmark; `null` for nothing.
 */
export function editorView(device, target, { say, go, keep }, draft = null) {
    const place = /^[1-6]$/.test(target) ? Number(target) - 1 : null;
    // What was to be new is that still, whatever has come to its place.
    const key = draft === null ? (keyAt(device, target) ?? null) : draft.key;
    const bookmark = device.bookmarks.get(key);
    // What the person saw first: a sync that comes in meanwhile changes neither the form nor this.
    const initial = draft ? draft.initial : bookmark ? { Name: bookmark.Name, Url: bookmark.Url } : null;
    const problems = el("div");
    const name = field("name", "Name", { autocomplete: "off", value: (draft ?? initial)?.Name ?? "" });
    const url = field(
        "url",
        "Address",
        { autocomplete: "off", inputmode: "url", autocapitalize: "none", spellcheck: "false", value: (draft ?? initial)?.Url ?? "" },
        "A web address. Without http:// or https:// it gets https://.",
    );

    // A double click sends the form twice, and the second would be another bookmark.
    let isSaving = false;

    async function save(event) {
        event.preventDefault();
        if (isSaving) return;
        const checks = [
            [name, checkName(name.input.value)],
            [url, checkUrl(url.input.value)],
        ];
        const wrong = checks.filter(([, check]) => check.problem).map(([target, check]) => [target, check.problem]);
        if (fail(problems, [name, url], wrong, "Two fields need a look", "One field needs a look")) return;
        const checked = { Name: checks[0][1].value, Url: checks[1][1].value };
        isSaving = true;
        try {
            const stored = await device.save(bookmark?.key ?? null, initial, checked, place ?? 0);
            keep(key, null);
            say(bookmark || stored === place ? `${quoted(checked.Name)} is saved.` : `${quoted(checked.Name)} is saved at place ${stored + 1}.`);
            // Who has gone to another view meanwhile stays there.
            if (element.isConnected) go("#/configure");
        } catch (error) {
            isSaving = false;
            fail(problems, [name, url], [[null, error.message]], "", "The bookmark is not saved");
        }
    }

    /** What is in the form, or `null` when it says what it said first. */
    function typed() {
        const isUntouched = name.input.value === (initial?.Name ?? "") && url.input.value === (initial?.Url ?? "");
        return isUntouched ? null : { key, initial, Name: name.input.value, Url: url.input.value };
    }

    const title = bookmark ? "Edit bookmark" : "New bookmark";
    const where = bookmark ? bookmark.Ordinal : place;
    const element = el(
        "section",
        { class: "narrow" },
        heading(title),
        where !== null && where >= 0 && where < 6 ? el("p", { class: "quiet" }, `Place ${where + 1} of six`) : null,
        draft ? el("p", { class: "note" }, "You typed this before, and it is not saved. “Cancel” gives it up.") : null,
        bookmark?.refused ? el("p", { class: "note bad" }, "The service refused this: ", bookmark.refused.message, " Saving it again tries again.") : null,
        problems,
        el(
            "form",
            { novalidate: true, submit: save, input: () => keep(key, typed()) },
            name.element,
            url.element,
            el("div", { class: "actions" }, el("button", { type: "submit", class: "primary" }, "Save bookmark"), el("a", { class: "button", href: "#/configure", click: () => keep(key, null) }, "Cancel")),
        ),
    );
    return { title, element };
}
