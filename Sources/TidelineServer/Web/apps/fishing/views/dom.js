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

/** The list of problems at the top of a form, each with a link to its field. */
export function summary(title, problems) {
    const link = (input, words) => {
        const click = (event) => {
            event.preventDefault();
            input.focus();
        };
        return el("a", { href: `#${input.id}`, click }, words);
    };
    const lines = problems.map(([{ input }, words]) => el("li", {}, link(input, words)));
    return el("div", { class: "problems", role: "alert" }, el("p", {}, el("strong", {}, title)), el("ul", {}, lines));
}

/** Says something to who cannot see what changed. */
export function say(words) {
    document.getElementById("live").textContent = words;
}
