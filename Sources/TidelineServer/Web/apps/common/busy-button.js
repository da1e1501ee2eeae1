// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The button that sends a form; it says when it is busy, and takes no second press then. */

import { el } from "./dom.js";

export class BusyButton {
    #verb;
    #doing;
    #words;

    /** `look`: the classes of the button. */
    constructor(verb, doing, look = "primary") {
        this.#verb = verb;
        this.#doing = doing;
        this.#words = el("span", {}, verb);
        const spinner = el("span", { class: "spinner", hidden: true, "aria-hidden": "true" });
        this.element = el("button", { class: look, type: "submit" }, spinner, this.#words);
        this.isBusy = false;
    }

    get isBusy() {
        return this.element.getAttribute("aria-disabled") === "true";
    }

    set isBusy(isBusy) {
        this.element.setAttribute("aria-disabled", String(isBusy));
        this.element.firstChild.hidden = !isBusy;
        this.#words.textContent = isBusy ? this.#doing : this.#verb;
    }
}
