// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for a new name. */

import { BusyButton } from "../../common/busy-button.js";
import { el } from "../../common/dom.js";
import { heading } from "./dom.js";
import { fail } from "../../common/form.js";
import { field } from "./form.js";
import { checkNewName, checkNewPassword } from "../model/person.js";

/** `register(name, password, isRemembered)` throws what to say in the form. */
export function registerView({ register }) {
    const problems = el("div");
    const username = field("username", "Name", { autocomplete: "username", autocapitalize: "none", spellcheck: "false" }, "You sign in with it, on each of your devices.");
    const password = field("password", "Password", { type: "password", autocomplete: "new-password" }, "At least 8 characters.");
    const again = field("again", "The same password again", { type: "password", autocomplete: "new-password" });
    const remember = el("input", { type: "checkbox", id: "remember", checked: true });
    const button = new BusyButton("Register", "Registering…", "primary wide");

    async function submit(event) {
        event.preventDefault();
        if (button.isBusy) return;
        const name = username.input.value.trim();
        const secret = password.input.value;
        const wrong = [
            [username, checkNewName(name)],
            [password, checkNewPassword(secret)],
            [again, again.input.value === secret ? null : "This is not the same password."],
        ].filter(([, text]) => text !== null);
        if (fail(problems, [username, password, again], wrong, `${wrong.length} things are not right yet`, "One thing is not right yet")) return;
        button.isBusy = true;
        try {
            await register(name, secret, remember.checked);
        } catch (error) {
            const target = { NameTaken: username, InvalidName: username, InvalidPassword: password }[error.code] ?? null;
            fail(problems, [username, password, again], [[target, sentence(error)]], "", "You are not registered");
        } finally {
            button.isBusy = false;
        }
    }

    const element = el(
        "section",
        { class: "narrow", "aria-labelledby": "register-title" },
        Object.assign(heading("Register"), { id: "register-title" }),
        el("p", { class: "lead" }, "Choose a name and a password. Your six bookmarks are there at once, and are yours alone."),
        problems,
        el(
            "form",
            { novalidate: true, submit },
            username.element,
            password.element,
            again.element,
            el("div", { class: "check" }, remember, el("label", { for: "remember" }, "Remember me"), el("p", { class: "quiet" }, "Keeps you signed in on this device. Your password is not stored.")),
            button.element,
        ),
        el("p", { class: "quiet" }, "Registered already? ", el("a", { href: "#/" }, "Sign in"), "."),
    );
    return { title: "Register", element };
}

function sentence(error) {
    if (error.kind === "offline") return "The service does not answer. Registering needs a connection; try again when you have one.";
    return error.message;
}
