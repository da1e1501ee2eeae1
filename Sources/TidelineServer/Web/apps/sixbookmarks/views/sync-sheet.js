// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The state of sync: what waits, what lost, what was refused, and what to do. */

import { el } from "../../common/dom.js";
import { ago, heading, keepFocus, patch } from "./dom.js";
import { icon } from "./icons.js";
import { explain, shown } from "../model/conflicts.js";
import { quoted } from "../model/words.js";

export function syncView(device, { say, attempt }) {
    const body = el("div");
    const button = el("button", { type: "button", class: "primary", click: syncNow }, "Sync now");
    const element = el("section", {}, el("div", { class: "title" }, heading("Sync"), button), body);

    let isAsked = false;

    /** A press while a sync runs by itself asks for another one after it, and is answered as any. */
    async function syncNow() {
        if (isAsked) return;
        show(true);
        await device.sync();
        show(false);
        say(device.phase === "rest" ? `Synced. ${device.status.text}.` : device.status.text);
    }

    function show(asked) {
        isAsked = asked;
        update();
    }

    function update() {
        const isRunning = device.phase === "running";
        button.setAttribute("aria-disabled", String(isAsked));
        button.textContent = isRunning ? "Syncing…" : "Sync now";
        const { outbox, conflicts } = device.state;
        const parts = [
            state(device),
            ...forgotten(device, done),
            ...section("conflicts", "Conflicts", conflicts.toReversed().map((entry) => conflict(device, entry, done))),
            ...section("refused", "Refused by the service", outbox.filter((each) => each.refused).map((each) => refused(device, each, done))),
            ...section("waiting", "Waiting to be sent", outbox.filter((each) => !each.refused).map((each) => waiting(device, each))),
        ];
        keepFocus(body, () => patch(body, parts), () => button);
    }

    /** What a button does: its work, and then a word of it. */
    function done(work, told) {
        return () => attempt(async () => {
            await work();
            say(told);
        });
    }
    update();
    return { title: "Sync", element, update };
}

function state(device) {
    const { kind, text } = device.status;
    const { received } = device.state.meta;
    return el(
        "div",
        { class: `panel ${kind}` },
        el("p", { class: "headline" }, icon(kind), text),
        el("p", {}, sentence(device)),
        el("p", { class: "quiet" }, received === null ? "Never in step with the service yet." : ["Last read from the service ", ago(received), "."]),
    );
}

function sentence(device) {
    const { waiting, refused, conflicts } = device.counts;
    if (device.phase === "offline") {
        return waiting > 0
            ? "The service cannot be reached. What you changed is kept here and sent when it can."
            : "The service cannot be reached. You can go on; everything is kept here.";
    }
    if (device.phase === "lost") return device.problem.message;
    if (device.phase === "failed") return `${device.problem?.message ?? "The service failed."} It is tried again by itself.`;
    if (refused > 0) return "The service did not take a change. Look at the reason below.";
    if (conflicts > 0) return "Another device was faster. Your change is kept below: bring it back, or let it go.";
    if (waiting > 0) return "Your changes are on their way.";
    return "This device and the service have the same bookmarks.";
}

function section(id, title, items) {
    if (items.length === 0) return [];
    return [el("section", { "data-key": id, "aria-labelledby": id, class: "entries" }, el("h2", { id }, title, " ", el("span", { class: "quiet" }, String(items.length))), el("ul", {}, items))];
}

/** What the log of conflicts had no room for. */
function forgotten(device, done) {
    const count = device.state.meta.forgotten ?? 0;
    if (count === 0) return [];
    const what = count === 1 ? "The oldest conflict is no longer kept" : `The ${count} oldest conflicts are no longer kept`;
    return [
        el(
            "div",
            { class: "note", role: "status" },
            el("p", {}, `${what}: this device keeps 1,000. Look through those below to make room.`),
            el("button", { type: "button", click: done(() => device.forgive(), "All right.") }, "All right"),
        ),
    ];
}

function conflict(device, entry, done) {
    const { title, text, undo } = explain(entry);
    const values =
        entry.kind === "value" || entry.kind === "written"
            ? el("dl", {}, pair("Yours", shown(entry.property, entry.mine)), pair("Theirs", shown(entry.property, entry.theirs)))
            : null;
    return el(
        "li",
        { class: "entry conflict", "data-key": entry.id },
        el("p", { class: "headline" }, icon("conflict"), title),
        el("p", {}, text, " ", ago(entry.at)),
        values,
        el(
            "div",
            { class: "actions" },
            undo ? el("button", { type: "button", "data-focus": `undo ${entry.id}`, click: done(() => device.restore(entry.id), "Brought back.") }, undo) : null,
            el("button", { type: "button", "data-focus": `keep ${entry.id}`, click: done(() => device.dismiss(entry.id), "Kept as it is.") }, undo ? "Keep it as it is" : "All right"),
        ),
    );
}

function pair(word, value) {
    return el("div", {}, el("dt", {}, word), el("dd", {}, value));
}

function refused(device, transaction, done) {
    const { message, code } = transaction.refused;
    return el(
        "li",
        { class: "entry refused", "data-key": transaction.order },
        el("p", { class: "headline" }, icon("refused"), wordsOf(device, transaction)),
        el("p", {}, message, " ", el("code", {}, code)),
        el(
            "div",
            { class: "actions" },
            el("button", { type: "button", "data-focus": `again ${transaction.order}`, click: done(() => device.tryAgain(transaction.order), "It is sent again.") }, "Try again"),
            el("button", { type: "button", "data-focus": `discard ${transaction.order}`, click: done(() => device.discard(transaction.order), "Discarded.") }, "Discard my change"),
        ),
    );
}

function waiting(device, transaction) {
    return el("li", { class: "entry waiting", "data-key": transaction.order }, el("p", {}, wordsOf(device, transaction), " ", ago(transaction.at)));
}

/** A transaction in words. */
function wordsOf(device, transaction) {
    const moves = transaction.changes.filter((change) => change.op === "update" && "Ordinal" in change.values);
    const nameOf = (change) => device.bookmarks.get(change.key)?.Name ?? change.values?.Name ?? change.base?.Name ?? "";
    if (moves.length > 1) return `${moves.map((change) => quoted(nameOf(change))).join(" and ")} change places`;
    return transaction.changes
        .map((change) => {
            if (change.op === "insert") return `Add ${quoted(change.values.Name)} at place ${change.values.Ordinal + 1}`;
            if (change.op === "delete") return `Delete ${quoted(change.base.Name)}`;
            const parts = [];
            if ("Name" in change.values) parts.push(`the name to ${quoted(change.values.Name)}`);
            if ("Url" in change.values) parts.push(`the address to ${change.values.Url}`);
            if ("Ordinal" in change.values) parts.push(`the place to ${change.values.Ordinal + 1}`);
            return `Change ${quoted(change.base.Name)}: ${parts.join(", ")}`;
        })
        .join("; ");
}
