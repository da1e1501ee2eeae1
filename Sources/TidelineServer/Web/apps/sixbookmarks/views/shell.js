// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What is around every view: the bar, the mark of sync, announcements, and the question before signing out. */

import { el } from "../../common/dom.js";
import { icon } from "./icons.js";

export class Shell {
    #main = document.getElementById("main");
    #bar = document.getElementById("bar");
    #status = document.getElementById("status");
    #live = document.getElementById("live");
    #toast = document.getElementById("toast");
    #view = null;
    #said = "";

    /** Shows a view; its heading takes the focus, but not when the page has just been opened. */
    show(view, route, takesFocus) {
        this.#view = view;
        document.title = `${view.title} · Six Bookmarks`;
        this.#main.replaceChildren(view.element);
        for (const link of this.#bar.querySelectorAll("nav a")) {
            if (link.getAttribute("href") === route) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        }
        scrollTo(0, 0);
        if (takesFocus) this.#main.querySelector("h1")?.focus({ preventScroll: true });
    }

    /** The bar with the person's things in it, or without. */
    setSignedIn(isSignedIn) {
        document.body.classList.toggle("signed-in", isSignedIn);
        for (const part of this.#bar.querySelectorAll("[data-signed-in]")) part.hidden = !isSignedIn;
        if (!isSignedIn) this.closeToast();
    }

    /** After each change of the device. */
    update(device) {
        const { kind, text } = device.status;
        const isRunning = device.phase === "running";
        this.#status.className = `state ${kind}${isRunning ? " running" : ""}`;
        this.#status.replaceChildren(icon(kind), el("span", {}, text));
        this.#status.setAttribute("aria-label", `Sync: ${text}`);
        this.#status.setAttribute("aria-busy", String(isRunning));
        // States that pass by in a moment are not worth a word.
        if (!isRunning && kind !== "waiting" && text !== this.#said) {
            if (this.#said !== "") this.say(text);
            this.#said = text;
        }
        this.#view?.update?.();
    }

    /** Tells a screen reader. */
    say(text) {
        this.#live.textContent = text;
    }

    /** A sentence at the foot with one thing to do; it stays until it is done or closed, which `closed` is told. */
    offer(text, verb, action, closed = () => {}) {
        const act = async () => {
            this.closeToast();
            await action();
        };
        const close = () => {
            this.closeToast();
            closed();
        };
        this.#float(text, close, el("button", { type: "button", click: act }, verb));
    }

    /** A sentence at the foot, about what went wrong; it stays until it is closed. */
    tell(text) {
        this.#float(text, () => this.closeToast());
    }

    #float(text, close, ...buttons) {
        const closing = el("button", { type: "button", class: "plain", "aria-label": "Close this message", click: close }, "×");
        this.#toast.replaceChildren(el("p", {}, text), ...buttons, closing);
        this.#toast.hidden = false;
    }

    closeToast() {
        this.#toast.hidden = true;
        this.#toast.replaceChildren();
    }

    /** Asks before changes and conflicts go; resolves to `sign-out`, `sync` or `stay`. */
    askBeforeSignOut(waiting, conflicts) {
        const { title, text, first, count } = whatGoes(waiting, conflicts);
        const choice = (value, text, look) => el("button", { value, class: look }, text);
        const dialog = el(
            "dialog",
            { "aria-labelledby": "ask-title" },
            el(
                "form",
                { method: "dialog" },
                el("h2", { id: "ask-title" }, title),
                el("p", {}, text),
                el("div", { class: "actions" }, choice("sync", first, "primary"), choice("sign-out", `Sign out and delete ${count === 1 ? "it" : "them"}`, "danger"), choice("stay", "Stay signed in", null)),
            ),
        );
        document.body.append(dialog);
        return new Promise((resolve) => {
            dialog.addEventListener("close", () => {
                resolve(dialog.returnValue || "stay");
                dialog.remove();
            });
            dialog.showModal();
        });
    }
}

/** The words of the question before a sign-out. */
function whatGoes(waiting, conflicts) {
    const changes = waiting === 1 ? "1 change has not been sent" : `${waiting} changes have not been sent`;
    const entries = conflicts === 1 ? "1 conflict is not settled" : `${conflicts} conflicts are not settled`;
    const start = "Signing out deletes your bookmarks from this device, and with them";
    const count = waiting + conflicts;
    if (conflicts === 0) return { title: changes, text: `${start} what the service does not have yet.`, first: "Sync first", count };
    if (waiting === 0) return { title: entries, text: `${start} what lost in a conflict: it is kept nowhere else.`, first: `Look at ${count === 1 ? "it" : "them"} first`, count };
    return { title: `${changes}, and ${entries}`, text: `${start} what the service does not have yet, and what lost in a conflict.`, first: "Sync first", count };
}
