// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Fields with a label above, and help and errors below. */

import { el } from "../../common/dom.js";

/** `{ element, input, say }`; `say` shows a problem of the field, or none. */
export function field(id, label, attributes = {}, help = null) {
    const input = el("input", { id, name: id, type: "text", ...attributes });
    const problem = el("p", { id: `${id}-problem`, class: "problem", hidden: true });
    const notes = help === null ? null : el("p", { id: `${id}-help`, class: "quiet" }, help);
    const describedBy = (hasProblem) => [hasProblem ? problem.id : null, notes?.id].filter(Boolean).join(" ");
    function say(text) {
        problem.hidden = text === null;
        problem.textContent = text ?? "";
        if (text === null) input.removeAttribute("aria-invalid");
        else input.setAttribute("aria-invalid", "true");
        if (describedBy(text !== null)) input.setAttribute("aria-describedby", describedBy(text !== null));
        else input.removeAttribute("aria-describedby");
    }
    say(null);
    return { element: el("div", { class: "field" }, el("label", { for: id }, label), input, problem, notes), input, say };
}
