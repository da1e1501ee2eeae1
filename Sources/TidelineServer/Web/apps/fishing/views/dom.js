// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Makes elements. Text goes in as text: nothing that a person or a service wrote is ever read as HTML. */

export function el(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** The same for pictures. */
export function svg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") node.addEventListener(name, value);
        else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

/** A field with its label; `problem` says what is wrong with it. */
export function field(id, label, attributes = {}, tag = "input") {
    const input = el(tag, { id, name: id, ...attributes });
    const text = el("p", { class: "problem", id: `${id}-problem`, hidden: true });
    return {
        input,
        element: el("div", { class: "field" }, el("label", { for: id }, label), input, text),
        problem(words) {
            text.hidden = !words;
            text.textContent = words ?? "";
            if (words) {
                input.setAttribute("aria-invalid", "true");
                input.setAttribute("aria-describedby", text.id);
            } else {
                input.removeAttribute("aria-invalid");
                input.removeAttribute("aria-describedby");
            }
        },
    };
}

/** The list of problems at the top of a form, each with a link to its field, where it has one. */
function summary(title, problems) {
    const link = (input, words) => {
        const click = (event) => {
            event.preventDefault();
            input.focus();
        };
        return el("a", { href: `#${input.id}`, click }, words);
    };
    const lines = problems.map(([target, words]) => el("li", {}, target === null ? words : link(target.input, words)));
    return el("div", { class: "problems", role: "alert", tabindex: "-1" }, el("p", {}, el("strong", {}, title)), el("ul", {}, lines));
}

/**
 * Shows `[field, words]` at the top of a form, which is `place`, and beside each field; `null` for what has no field.
 *
 * The first field that has one takes the focus, or else the list. Says whether there are any.
 */
export function fail(place, fields, problems, many, one) {
    for (const each of fields) each.problem(problems.find(([target]) => target === each)?.[1] ?? null);
    place.replaceChildren(...(problems.length === 0 ? [] : [summary(problems.length > 1 ? many : one, problems)]));
    if (problems.length === 0) return false;
    const first = problems.find(([target]) => target !== null);
    (first?.[0].input ?? place.firstChild).focus();
    return true;
}

/** Says something to who cannot see what changed. */
export function say(words) {
    document.getElementById("live").textContent = words;
}
