// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The form for a new spot at the point. */

import { el, field } from "./dom.js";

/** `point()` is the point or `null`; `save(spot)` throws what to say. */
export function addView({ point, save }) {
    const name = field("name", "Name", { maxlength: 80, autocomplete: "off" });
    const comments = field("comments", "Comments", { rows: 2 }, "textarea");
    const open = el("input", { type: "checkbox", id: "public" });
    const problem = el("p", { class: "note", role: "alert", hidden: true });
    const place = el("p", { class: "quiet" });
    const form = el(
        "form",
        { novalidate: true, submit },
        problem, place, name.element, comments.element,
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
        problem.hidden = true;
        name.problem(name.input.value.trim() === "" ? "Give the spot a name." : null);
        if (name.input.value.trim() === "") return name.input.focus();
        if (!here) return complain("Click on the map first, or type a point above.");
        isSaving = true;
        try {
            await save({ Name: name.input.value.trim(), Comments: comments.input.value, IsPublicSpot: open.checked, Lat: here.lat, Lng: here.lng });
            form.reset();
            element.open = false;
        } catch (error) {
            complain(error.kind === "offline" ? "The service does not answer. What you typed is still here; try again." : error.message);
        } finally {
            isSaving = false;
        }
    }

    function complain(words) {
        problem.textContent = words;
        problem.hidden = false;
    }

    return { element, tell };
}
