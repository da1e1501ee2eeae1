// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for name and password. */

import { BusyButton } from "../../common/busy-button.js";
import { el } from "../../common/dom.js";
import { fail } from "../../common/form.js";
import { field } from "./dom.js";

/** `note`: what to say above the form; `signIn(name, password)` throws what to say in it. */
export function signInView({ note, signIn }) {
    const name = field("username", "Name", { autocomplete: "username", autocapitalize: "none", spellcheck: "false" });
    const password = field("password", "Password", { type: "password", autocomplete: "current-password" });
    const problem = el("p", { class: "note", role: "alert", hidden: !note }, note ?? "");
    const problems = el("div");
    const button = new BusyButton("Sign in", "Signing in…");

    async function submit(event) {
        event.preventDefault();
        if (button.isBusy) return;
        const checks = [
            [name, name.input.value.trim() === "" ? "Enter your name." : null],
            [password, password.input.value === "" ? "Enter your password." : null],
        ];
        const missing = checks.filter(([, words]) => words !== null);
        problem.hidden = true;
        if (fail(problems, [name, password], missing, "Two things are missing", "Something is missing")) return;
        button.isBusy = true;
        try {
            await signIn(name.input.value.trim(), password.input.value);
        } catch (error) {
            const words = error.kind === "offline" ? "The service does not answer. Try again when it is there." : error.message;
            const target = error.kind === "rejected" ? password : null;
            fail(problems, [name, password], [[target, words]], "", "You are not signed in");
        } finally {
            button.isBusy = false;
        }
    }

    return el(
        "section",
        { class: "narrow" },
        el("img", { src: "icon.svg", alt: "", width: 56, height: 56, class: "emblem" }),
        el("h1", { tabindex: "-1" }, "Fishing"),
        el("p", { class: "lead" }, "Good spots on a coast: yours, and those that others share."),
        problem,
        problems,
        el("form", { novalidate: true, submit }, name.element, password.element, button.element),
        el("p", { class: "quiet" }, "In the demo, sign in as ", el("code", {}, "ann"), " with ", el("code", {}, "tide-and-time-3"), " or as ", el("code", {}, "bob"), " with ", el("code", {}, "tide-and-time-4"), "."),
    );
}
