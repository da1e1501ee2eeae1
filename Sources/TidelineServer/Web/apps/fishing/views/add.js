// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for a new spot at the point. */

import { el } from "../../common/dom.js";
import { fail } from "../../common/form.js";
import { field } from "./dom.js";
import { repeatable } from "../net/service.js";

const CHANGED = "Your first try is saved, as it was before you changed it. What is typed now is not; save it again to make a spot of it.";
const CLOCK = "The service does not take it, because the clock of this device is wrong by a day or more. Put the clock right, and save it again.";
const UNKNOWN = "It is not known whether the spot is saved";
/** The service has decided such a request, and does not say how. */
const DECIDED = ["OutsideRepeatabilityWindow", "RepeatabilityMismatch"];

/**
 * `point()` is the point or `null`; `save(spot, request)` makes it, once for each request, and throws what to say, with
 * `details` where it is of single properties. `find(spot)` says whether the service has it, and shows it then. `changed()` is
 * called after each change of what `typed()` says.
 */
export function addView({ point, changed, save, find }) {
    const name = field("name", "Name", { autocomplete: "off" });
    const comments = field("comments", "Comments", { rows: 2 }, "textarea");
    const open = el("input", { type: "checkbox", id: "public" });
    const problems = el("div");
    const place = el("p", { class: "quiet" });
    const discard = el("button", { type: "button", hidden: true, click: giveUp }, "Discard");
    const form = el(
        "form",
        { novalidate: true, submit, input: note },
        problems, place, name.element, comments.element,
        el("label", { class: "check", for: "public" }, open, "Show it to all"),
        el("div", { class: "actions" }, el("button", { class: "primary", type: "submit" }, "Save spot"), discard),
    );
    // A double click sends the form twice, and the second would be another spot.
    let isSaving = false;
    /**
     * The request that makes the spot, until it is known what became of it: its `fields`, and the `spot` that is sent. An
     * identifier belongs to exact bytes, so what is typed meanwhile waits for it.
     */
    let request = null;
    const element = el("details", { class: "add" }, el("summary", {}, "Add a spot"), form);
    tell();

    /** Says where the spot would be. */
    function tell() {
        const here = point();
        place.textContent = here ? `At ${here.lat}, ${here.lng}.` : "Click on the map first: the spot is made at the point.";
    }

    /** After each change of what is typed, and of the request. */
    function note() {
        discard.hidden = typed() === null;
        changed();
    }

    /** The request is another one now, or none. */
    function become(next) {
        request = next;
        note();
    }

    /** Empties the form, for who wants no such spot. */
    function giveUp() {
        if (isSaving) return;
        const doubt = request === null ? "" : " The spot may have been saved all the same.";
        if (!confirm(`Discard what you have typed?${doubt}`)) return;
        form.reset();
        become(null);
        complain([]);
        name.input.focus();
    }

    async function submit(event) {
        event.preventDefault();
        if (isSaving) return;
        const here = point();
        const missing = [];
        if (name.input.value.trim() === "") missing.push([name, "Give the spot a name."]);
        if (!here) missing.push([null, "Click on the map first, or type a point above."]);
        if (complain(missing)) return;
        isSaving = true;
        try {
            await send({ ...texts(), Lat: here.lat, Lng: here.lng });
        } finally {
            isSaving = false;
        }
    }

    /** What a spot would have of the form. */
    function texts() {
        return { Name: name.input.value.trim(), Comments: comments.input.value, IsPublicSpot: open.checked };
    }

    async function send(spot) {
        const isRepeat = request !== null;
        // A sign-in may end while this is under way, also after the service has made the spot: what was sent comes back then
        // with what is typed.
        if (!isRepeat) become({ fields: repeatable(), spot });
        try {
            await save(request.spot, request.fields);
            done(spot);
        } catch (error) {
            if (error.kind === "signed-out") return;
            // Nothing else than a word of the service ends the request.
            if (error.kind !== "refused") unknown(error, "and it is made once");
            else if (DECIDED.includes(error.code)) await settle(spot, isRepeat);
            else await refused(spot, error);
        }
    }

    /** Nothing was made of the request: what was typed since is sent as another one. */
    async function refused(spot, error) {
        const isAsTyped = isSent(spot);
        become(null);
        if (isAsTyped) complain(refusals(error));
        else await send(spot);
    }

    /**
     * The service has forgotten by now what it made of a request, and takes it no more: whether it was done is looked for.
     *
     * What is not there is sent anew. A request that is no repeat bears a date that no service would take.
     */
    async function settle(spot, isRepeat) {
        try {
            if (isRepeat && (await find(request.spot))) return done(spot);
            become(null);
            if (isRepeat) await send(spot);
            else complain([[null, CLOCK]]);
        } catch (error) {
            if (error.kind !== "signed-out") unknown(error, "and it is looked for first");
        }
    }

    /** The spot of the request is saved; what was typed since, also while it was on its way, is not. */
    function done(spot) {
        const isAsTyped = isSent({ ...spot, ...texts() });
        if (isAsTyped) {
            form.reset();
            element.open = false;
        } else complain([[null, CHANGED]]);
        become(null);
    }

    /** Whether the request makes this spot. */
    function isSent(spot) {
        return JSON.stringify(request.spot) === JSON.stringify(spot);
    }

    function unknown(error, what) {
        complain([[null, `${error.message} What you typed is still here; save it again, ${what}.`]], UNKNOWN);
    }

    function complain(found, title = "The spot is not saved") {
        return fail(problems, [name, comments], found, `${found.length} things are not right yet`, title);
    }

    /** What the service says is wrong, each at its field. */
    function refusals(error) {
        const fields = { Name: name, Comments: comments };
        // An answer that is cut is no error of the service, and has no details.
        const details = error.details ?? [];
        return details.length === 0 ? [[null, error.message]] : details.map(({ target, message }) => [fields[target] ?? null, message]);
    }

    /** What is in the form, or `null` where nothing is. */
    function typed() {
        const what = { name: name.input.value, comments: comments.input.value, isOpen: open.checked, request };
        return what.name === "" && what.comments === "" && !what.isOpen && request === null ? null : what;
    }

    /** Puts back what was typed before. */
    function fill(what) {
        name.input.value = what.name;
        comments.input.value = what.comments;
        open.checked = what.isOpen;
        element.open = true;
        become(what.request);
    }

    return { element, tell, typed, fill };
}
