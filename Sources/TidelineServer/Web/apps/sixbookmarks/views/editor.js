// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for one bookmark. */

import { el, heading } from "./dom.js";
import { fail, field, summary } from "./form.js";
import { checkName, checkUrl } from "../model/fields.js";

/** `target`: a place from 1 to 6, or the key of a bookmark that has none. */
export function editorView(device, target, { say, go }) {
    const place = /^[1-6]$/.test(target) ? Number(target) - 1 : null;
    const bookmark = place === null ? device.bookmarks.get(target) : device.places.places[place];
    // What the person saw first: a sync that comes in meanwhile changes neither the form nor this.
    const initial = bookmark ? { Name: bookmark.Name, Url: bookmark.Url } : null;
    const problems = el("div");
    const name = field("name", "Name", { autocomplete: "off", value: initial?.Name ?? "" });
    const url = field(
        "url",
        "Address",
        { autocomplete: "off", inputmode: "url", autocapitalize: "none", spellcheck: "false", value: initial?.Url ?? "" },
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
        const typed = { Name: checks[0][1].value, Url: checks[1][1].value };
        isSaving = true;
        try {
            const stored = await device.save(bookmark?.key ?? null, initial, typed, place ?? 0);
            say(bookmark || stored === place ? `“${typed.Name}” is saved.` : `“${typed.Name}” is saved at place ${stored + 1}.`);
            // Who has gone to another view meanwhile stays there.
            if (element.isConnected) go("#/configure");
        } catch (error) {
            isSaving = false;
            problems.replaceChildren(summary("The bookmark is not saved", [[null, error.message]]));
            problems.firstChild.focus();
        }
    }

    const title = bookmark ? "Edit bookmark" : "New bookmark";
    const where = bookmark ? bookmark.Ordinal : place;
    const element = el(
        "section",
        { class: "narrow" },
        heading(title),
        where !== null && where >= 0 && where < 6 ? el("p", { class: "quiet" }, `Place ${where + 1} of six`) : null,
        bookmark?.refused ? el("p", { class: "note bad" }, "The service refused this: ", bookmark.refused.message, " Saving it again tries again.") : null,
        problems,
        el(
            "form",
            { novalidate: true, submit: save },
            name.element,
            url.element,
            el("div", { class: "actions" }, el("button", { type: "submit", class: "primary" }, "Save bookmark"), el("a", { class: "button", href: "#/configure" }, "Cancel")),
        ),
    );
    return { title, element };
}
