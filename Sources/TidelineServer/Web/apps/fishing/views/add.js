// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for a new spot at the point. */

import { el, fail, field } from "./dom.js";

/** `point()` is the point or `null`; `save(spot)` throws what to say, with `details` where it is of single properties. */
export function addView({ point, save }) {
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
            await save({ Name: name.input.value.trim(), Comments: comments.input.value, IsPublicSpot: open.checked, Lat: here.lat, Lng: here.lng });
            form.reset();
            element.open = false;
        } catch (error) {
            const isGone = error.kind === "offline";
            complain(isGone ? [[null, "The service does not answer. What you typed is still here; try again."]] : refusals(error));
        } finally {
            isSaving = false;
        }
    }

    function complain(found) {
        return fail(problems, [name, comments], found, `${found.length} things are not right yet`, "The spot is not saved");
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
        const what = { name: name.input.value, comments: comments.input.value, isOpen: open.checked };
        return what.name === "" && what.comments === "" && !what.isOpen ? null : what;
    }

    /** Puts back what was typed before. */
    function fill(what) {
        name.input.value = what.name;
        comments.input.value = what.comments;
        open.checked = what.isOpen;
        element.open = true;
    }

    return { element, tell, typed, fill };
}
