// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The fields of the point and the radius. */

import { el } from "../../common/dom.js";
import { field } from "./dom.js";

/** `onChange(point, metres)`: `point` is `null` for everywhere. */
export function nearView({ onChange }) {
    const lat = field("lat", "Latitude", { type: "number", step: "any", min: -90, max: 90, inputmode: "decimal", input });
    const lng = field("lng", "Longitude", { type: "number", step: "any", min: -180, max: 180, inputmode: "decimal", input });
    const radius = field("radius", "Radius, km", { type: "number", step: "any", min: 0.1, max: 1000, value: 3, inputmode: "decimal", input });
    const problem = el("p", { class: "problem", hidden: true, role: "alert" });
    const clear = el("button", { type: "button", hidden: true, click: () => show(null) }, "Show all spots");
    const element = el(
        "fieldset",
        { class: "near" },
        el("legend", {}, "Click on the map, or type a point, to see what is near it."),
        lat.element, lng.element, radius.element, clear, problem,
    );

    function input() {
        const fields = [lat, lng, radius];
        const isEmpty = lat.input.value === "" && lng.input.value === "";
        const wrong = isEmpty ? [] : fields.filter(({ input }) => input.value === "" || !input.checkValidity());
        for (const one of fields) {
            if (wrong.includes(one)) one.input.setAttribute("aria-invalid", "true");
            else one.input.removeAttribute("aria-invalid");
        }
        problem.hidden = wrong.length === 0;
        problem.textContent = wrong.length === 0 ? "" : "A latitude is from -90 to 90, a longitude from -180 to 180, a radius from 0.1 to 1000 km.";
        clear.hidden = isEmpty;
        if (wrong.length === 0) onChange(isEmpty ? null : { lat: Number(lat.input.value), lng: Number(lng.input.value) }, metres());
    }

    function metres() {
        return Math.round(Number(radius.input.value) * 1000);
    }

    /** Puts in a point, `null` for none, and a radius in metres where one is given. */
    function show(point, metres) {
        lat.input.value = point?.lat ?? "";
        lng.input.value = point?.lng ?? "";
        if (metres !== undefined) radius.input.value = Math.max(0.5, Math.min(1000, metres / 1000));
        input();
    }

    return { element, show, metres };
}
