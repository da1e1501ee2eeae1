// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The list of the spots: what the map shows, in words. */

import { kilometres } from "../model/globe.js";
import { el } from "../../common/dom.js";
import { badge } from "./map.js";

/** So many rows are there at once: 20,000 take a browser ten seconds to lay out, whenever one is opened. */
const MOST = 100;

/**
 * `onSelect(spot)`, `onNear(spot)`, `onRemove(spot)`; `catches(spot)` gives a promise of catches with the keys of their
 * pictures, `picture(key)` one of what a picture holds.
 */
export function listView({ onSelect, onNear, onRemove, catches, picture }) {
    /** What was read of pictures, by their keys: a spot that is opened again asks for none. */
    const read = new Map();
    const element = el("section", { "aria-labelledby": "spots-title", "aria-busy": "true" });
    /** The spots that were shown last, the question that they answer, which of them is open, and the first that has a row. */
    let last = { spots: [], question: "", selected: null, start: 0 };

    /** Which control had the focus when the list was asked for again: it has it again when it is back. */
    let sought = null;

    function put(isBusy, ...content) {
        const { activeElement } = document;
        if (activeElement !== document.body) sought = element.contains(activeElement) ? activeElement.dataset.focus : null;
        element.setAttribute("aria-busy", String(isBusy));
        element.replaceChildren(el("h2", { id: "spots-title" }, "Spots"), ...content.filter((each) => each !== null));
        if (sought) element.querySelector(`[data-focus="${sought}"]`)?.focus({ preventScroll: true });
    }

    function frame(...content) {
        put(false, ...content);
    }

    function loading() {
        put(true, el("p", { class: "quiet" }, "Asking the service…"), ...[1, 2, 3].map(() => el("div", { class: "bones" })));
    }

    function failed(error, again) {
        frame(
            el(
                "div",
                { class: "note", role: "alert" },
                el("p", {}, error.kind === "offline" ? "The service does not answer. It is its turn; your spots are safe there." : error.message),
                error.code ? el("p", { class: "quiet" }, "Code to report: ", el("code", {}, error.code)) : null,
                el("button", { type: "button", click: again }, "Try again"),
            ),
        );
    }

    /** Shows the answer to a question: its `$filter` as it stands in the address, with the `&` after it; empty for all spots. */
    function show(spots, question, selected) {
        if (spots.length === 0) {
            last = { spots, question, selected, start: 0 };
            frame(
                el(
                    "div",
                    { class: "blank" },
                    el("p", {}, question ? "No spot is so near to the point." : "Your spots will be here, and those that others share."),
                    el("p", {}, question ? "Widen the radius, or move the point." : "Make the first one below: click on the map, then “Add a spot”."),
                ),
            );
            return;
        }
        // What was selected just now is to be seen; in another answer it may be far from the first.
        const isSought = spots === last.spots || selected !== last.selected;
        const place = isSought ? spots.findIndex((spot) => spot.Id === selected) : -1;
        // The same question, as after a deletion, stays where it is, as far as there are rows still.
        const seen = question === last.question ? Math.min(last.start, spots.length - 1) : 0;
        const first = place >= 0 ? place : seen;
        turn({ spots, question, selected, start: first - (first % MOST) });
    }

    /** Shows the rows from a place on, with the way to those before and after. */
    function turn(next) {
        last = next;
        const { spots, selected, start } = last;
        const end = Math.min(spots.length, start + MOST);
        const rows = spots.slice(start, end).map((spot) => row(spot, spot.Id === selected));
        frame(el("ul", { class: "spots" }, rows), spots.length > MOST ? pages(start, end, spots.length) : null);
    }

    function pages(start, end, count) {
        const button = (words, to) =>
            el("button", { class: "small", type: "button", disabled: to < 0 || to >= count, click: () => (turn({ ...last, start: to }), element.querySelector(".row").focus()) }, words);
        return el(
            "nav",
            { class: "pages", "aria-label": "More spots" },
            button("Earlier spots", start - MOST),
            el("p", { class: "quiet" }, `${start + 1} to ${end} of ${count}`),
            button("Later spots", start + MOST),
        );
    }

    function row(spot, isOpen) {
        const whose = spot.isOwn ? (spot.IsPublicSpot ? "Yours, shown to all" : "Yours alone") : `${spot.Owner?.UserName ?? "Another"}'s`;
        const button = el(
            "button",
            { class: "row", type: "button", "aria-expanded": String(isOpen), "data-spot": spot.Id, "data-focus": `spot ${spot.Id}`, click: () => onSelect(isOpen ? null : spot) },
            badge(spot),
            el("span", {}, el("span", { class: "title" }, spot.Name), el("span", { class: "quiet" }, whose)),
            el("span", { class: "far" }, spot.metres === null ? "" : kilometres(spot.metres)),
        );
        return el("li", {}, button, isOpen ? detail(spot) : null);
    }

    function detail(spot) {
        const caught = el("div", {}, el("p", { class: "quiet" }, "Looking for catches…"));
        catches(spot).then(
            (found) => caught.replaceChildren(...fish(found, spot)),
            () => caught.replaceChildren(el("p", { class: "quiet" }, "The catches could not be read.")),
        );
        return el(
            "div",
            { class: "detail" },
            spot.Comments ? el("p", {}, spot.Comments) : null,
            el("p", { class: "quiet" }, el("code", {}, `${spot.Lat.toFixed(5)}, ${spot.Lng.toFixed(5)}`)),
            caught,
            el(
                "div",
                { class: "actions" },
                el("button", { class: "small", type: "button", "data-focus": `near ${spot.Id}`, click: () => onNear(spot) }, "Spots near it"),
                spot.isOwn ? el("button", { class: "small", type: "button", "data-focus": `delete ${spot.Id}`, click: () => onRemove(spot) }, el("span", {}, "Delete “", el("bdi", {}, spot.Name), "”")) : null,
            ),
        );
    }

    function fish(found, spot) {
        if (found.length === 0) return [el("p", { class: "quiet" }, "Nothing was caught here yet.")];
        const line = (item) => {
            const day = new Date(item.CaughtAt);
            const weight = item.WeightInGrams < 1000 ? `${item.WeightInGrams} g` : `${(item.WeightInGrams / 1000).toFixed(2)} kg`;
            const time = el("time", { datetime: item.CaughtAt, title: day.toLocaleString() }, day.toLocaleDateString());
            const words = `${item.Fish} of ${weight}, caught at ${spot.Name}`;
            return el("li", {}, `${item.Fish}, ${weight}, `, time, item.Pictures.map(({ PictureId }) => frameOf(PictureId, words)));
        };
        return [el("ul", {}, found.map(line))];
    }

    /** The room of a picture, which has its size before the picture comes. */
    function frameOf(key, words) {
        const room = el("div", { class: "picture" });
        if (!read.has(key)) read.set(key, picture(key));
        read.get(key).then(
            (content) => {
                const address = URL.createObjectURL(content);
                const shown = el("img", { alt: words, width: 320, height: 240, src: address });
                shown.decode().catch(() => {}).finally(() => URL.revokeObjectURL(address));
                room.replaceChildren(shown);
            },
            () => {
                read.delete(key);
                room.replaceChildren(el("p", { class: "quiet" }, "The picture could not be read."));
            },
        );
        return room;
    }

    return { element, loading, failed, show };
}
