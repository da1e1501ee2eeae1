// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for name and password. */

import { el } from "../../common/dom.js";
import { heading } from "./dom.js";
import { BusyButton } from "../../common/busy-button.js";
import { fail } from "../../common/form.js";
import { field } from "./form.js";

/** `note`: what to say above the form; `signIn(name, password, isRemembered)` throws what to say in it. */
export function signInView({ note, name, signIn }) {
    const problems = el("div");
    const username = field("username", "Name", { autocomplete: "username", autocapitalize: "none", spellcheck: "false", value: name ?? "" });
    const password = field("password", "Password", { type: "password", autocomplete: "current-password" });
    const remember = el("input", { type: "checkbox", id: "remember", checked: true });
    const button = new BusyButton("Sign in", "Signing in…", "primary wide");

    async function submit(event) {
        event.preventDefault();
        if (button.isBusy) return;
        const typed = username.input.value.trim();
        // A password may begin or end with a blank: it goes as it is.
        const secret = password.input.value;
        const missing = [];
        if (typed === "") missing.push([username, "Enter your name."]);
        if (secret === "") missing.push([password, "Enter your password."]);
        if (fail(problems, [username, password], missing, "Two things are missing", "Something is missing")) return;
        button.isBusy = true;
        try {
            await signIn(typed, secret, remember.checked);
        } catch (error) {
            const target = error.kind === "rejected" ? password : null;
            fail(problems, [username, password], [[target, sentence(error)]], "", "You are not signed in");
        } finally {
            button.isBusy = false;
        }
    }

    const element = el(
        "section",
        { class: "narrow", "aria-labelledby": "sign-in-title" },
        el("img", { src: "/apps/sixbookmarks/icon.svg", alt: "", width: "56", height: "56", class: "emblem" }),
        Object.assign(heading("Six Bookmarks"), { id: "sign-in-title" }),
        el("p", { class: "lead" }, "Six addresses, one tap away, on all your devices. With a connection or without."),
        note ? el("p", { class: "note", role: "status" }, note) : null,
        problems,
        el(
            "form",
            { novalidate: true, submit },
            username.element,
            password.element,
            el("div", { class: "check" }, remember, el("label", { for: "remember" }, "Remember me"), el("p", { class: "quiet" }, "Keeps you signed in on this device. Your password is not stored.")),
            button.element,
        ),
        el("p", { class: "quiet" }, "New here? ", el("a", { href: "#/register" }, "Register"), ", and start at once."),
    );
    return { title: "Sign in", element };
}

function sentence(error) {
    if (error.kind === "offline") return "The service does not answer. Signing in needs a connection; try again when you have one.";
    if (error.kind === "rejected") return "The name or the password is wrong. Check both and try again.";
    if (error.status === 429) return `Too many tries. Wait ${error.retryAfter ?? 30} seconds, then try again.`;
    return error.message;
}
