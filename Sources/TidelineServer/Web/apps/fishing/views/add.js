// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for a new spot at the point. */

import { el, fail, field } from "./dom.js";
import { repeatable } from "../net/service.js";

const EARLIER =
    "The service has decided your first try, before you changed it: the list shows whether that is saved. What is typed now is not; save it again to make a spot of it.";
const CHANGED = "Your first try is saved, as it was before you changed it. What is typed now is not; save it again to make a spot of it.";
const CLOCK = "The service does not take it, because the clock of this device is wrong by a day or more. Put the clock right, and save it again.";
const UNKNOWN = "It is not known whether the spot is saved";

/**
 * `point()` is the point or `null`; `save(spot, request)` makes it, once for each request, and throws what to say, with
 * `details` where it is of single properties. `find(spot)` says whether the service has it, and shows it then.
 */
export function addView({ point, save, find }) {
    const name = field("name", "Name", { autocomplete: "off" });
    const comments = field("comments", "Comments", { rows: 2 }, "textarea");
    const open = el("input", { type: "checkbox", id: "public" });
    const problems = el("div");
    const place = el("p", { class: "quiet" });
    const form = el(
        "form",
        { novalidate: true, submit },
        problems, place, name.element, comments.element,
        el("label", { class: "check", for: "public" }, open, "Show it to all"),
        el("button", { class: "primary", type: "submit" }, "Save spot"),
    );
    // A double click sends the form twice, and the second would be another spot.
    let isSaving = false;
    /**
     * The request that makes the spot, the same until it is known what became of it: its `fields`, and `first`, the spot
     * that was sent first.
     */
    let request = null;
    const element = el("details", { class: "add" }, el("summary", {}, "Add a spot"), form);
    tell();

    /** Says where the spot would be. */
    function tell() {
        const here = point();
        place.textContent = here ? `At ${here.lat}, ${here.lng}.` : "Click on the map first: the spot is made at the point.";
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
            await send({ Name: name.input.value.trim(), Comments: comments.input.value, IsPublicSpot: open.checked, Lat: here.lat, Lng: here.lng });
        } finally {
            isSaving = false;
        }
    }

    async function send(spot) {
        const isRepeat = request !== null;
        // A sign-in may end while this is under way, also after the service has made the spot: what was sent comes back then
        // with what is typed.
        request ??= { fields: repeatable(), first: spot };
        try {
            await save(spot, request.fields);
            done();
        } catch (error) {
            if (error.kind === "signed-out") return;
            if (error.kind === "offline" || error.kind === "later") {
                unknown(error, "and it is made once");
                return;
            }
            if (error.code === "OutsideRepeatabilityWindow") {
                await settle(spot, isRepeat);
                return;
            }
            request = null;
            complain(error.code === "RepeatabilityMismatch" ? [[null, EARLIER]] : refusals(error));
        }
    }

    /**
     * The service has forgotten by now what it made of a request, and takes it no more: whether it was done is looked for.
     *
     * What is not there is sent anew. A request that is no repeat bears a date that no service would take.
     */
    async function settle(spot, isRepeat) {
        const { first } = request;
        try {
            const isSaved = isRepeat && (await find(first));
            request = null;
            if (!isRepeat) complain([[null, CLOCK]]);
            else if (!isSaved) await send(spot);
            else if (JSON.stringify(first) === JSON.stringify(spot)) done();
            else complain([[null, CHANGED]]);
        } catch (error) {
            if (error.kind !== "signed-out") unknown(error, "and it is looked for first");
        }
    }

    function done() {
        request = null;
        form.reset();
        element.open = false;
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
        return what.name === "" && what.comments === "" && !what.isOpen ? null : what;
    }

    /** Puts back what was typed before. */
    function fill(what) {
        name.input.value = what.name;
        comments.input.value = what.comments;
        open.checked = what.isOpen;
        request = what.request;
        element.open = true;
    }

    return { element, tell, typed, fill };
}
