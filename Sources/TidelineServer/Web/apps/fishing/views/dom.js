// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Fields, and what is said to who cannot see. */

import { el } from "../../common/dom.js";

/** A field with its label; `say` tells what is wrong with it, or that nothing is. */
export function field(id, label, attributes = {}, tag = "input") {
    const input = el(tag, { id, name: id, ...attributes });
    const text = el("p", { class: "problem", id: `${id}-problem`, hidden: true });
    return {
        input,
        element: el("div", { class: "field" }, el("label", { for: id }, label), input, text),
        say(words) {
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

/** Says something to who cannot see what changed. */
export function say(words) {
    document.getElementById("live").textContent = words;
}
