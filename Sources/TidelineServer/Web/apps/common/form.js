// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What is wrong in a form: a list at the top, and beside each field, which is `{ input, say }`. */

import { el } from "./dom.js";

/** The list of problems at the top, each with a link to its field. */
function summary(title, problems) {
    return el(
        "div",
        { class: "problems", role: "alert", tabindex: "-1" },
        el("p", {}, el("strong", {}, title)),
        el("ul", {}, problems.map(([target, text]) => el("li", {}, target === null ? text : link(target, text)))),
    );
}

/** A link that leads to a field without changing the address. */
function link(target, text) {
    const click = (event) => {
        event.preventDefault();
        target.input.focus();
    };
    return el("a", { href: `#${target.input.id}`, click }, text);
}

/**
 * Shows problems in all their places, and says whether there are any; one of no field, which is `null`, at the top alone.
 *
 * The first field that has one takes the focus, or else the list.
 */
export function fail(place, fields, problems, many, one) {
    for (const each of fields) each.say(problems.find(([target]) => target === each)?.[1] ?? null);
    place.replaceChildren(...(problems.length === 0 ? [] : [summary(problems.length > 1 ? many : one, problems)]));
    if (problems.length === 0) return false;
    const first = problems.find(([target]) => target !== null);
    (first?.[0].input ?? place.firstChild).focus();
    return true;
}
