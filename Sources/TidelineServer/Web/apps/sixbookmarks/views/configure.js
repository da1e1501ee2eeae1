// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The list of the six places: add, edit, delete, change places. */

import { el } from "../../common/dom.js";
import { heading, keepFocus, patch } from "./dom.js";
import { icon } from "./icons.js";
import { Reorder } from "./reorder.js";
import { lowestFree } from "../model/slots.js";
import { quoted } from "../model/words.js";

/** What stands at a bookmark in whose form something is typed. */
const NOT_SAVED = "Typed, not saved";

export function configureView(device, { say, offer, go, attempt, isTyped, dropDraft }) {
    const list = el("ol", { class: "rows", "aria-describedby": "reorder-help" });
    const rest = el("div");
    const notes = el("div", { role: "status" });
    const lost = el("div", { role: "status" });
    const add = el("button", { type: "button", class: "primary", click: addBookmark }, icon("add"), el("span", {}, "Add", el("span", { class: "wide-only" }, " bookmark")));
    const element = el(
        "section",
        {},
        el("div", { class: "title" }, heading("Configure", el("span", { class: "wide-only" }, " bookmarks")), add),
        notes,
        lost,
        list,
        el("p", { class: "quiet unseen", id: "reorder-help" }, "To move a bookmark, press Enter on its Move button, then the arrow keys, then Enter again. Escape leaves it where it was."),
        el("p", { class: "quiet", "aria-hidden": "true" }, "Drag a bookmark to another place, or use its Move button and the arrow keys."),
        rest,
    );
    /** Whether something changed that the list does not show, as a row of it was held. */
    let isStale = false;
    const reorder = new Reorder(list, { say, move, ended: () => isStale && update() });

    /** Brings a bookmark to a place; returns why it has not come there, or `null`. */
    async function move(key, place) {
        if (!(await attempt(() => device.move(key, place)))) return "it could not be stored";
        // Another device may have deleted it.
        return device.bookmarks.get(key)?.Ordinal === place ? null : "another device changed the list meanwhile";
    }

    function addBookmark() {
        const taken = new Set(device.places.places.flatMap((each, place) => (each === null ? [] : [place])));
        const place = lowestFree(taken);
        if (place === null) notes.replaceChildren(el("p", { class: "note" }, "Six bookmarks are the most there are. Delete one to add another."));
        else go(`#/edit/${place + 1}`);
    }

    async function remove(bookmark) {
        const name = nameOf(bookmark);
        const place = Math.max(0, device.places.places.findIndex((each) => each?.key === bookmark.key));
        const undo = await device.remove(bookmark.key);
        dropDraft(device.session.user, bookmark.key);
        notes.replaceChildren();
        focusPlace(place);

        async function bringBack() {
            await undo();
            say(`${quoted(name)} is back.`);
            focusPlace(place);
        }
        offer(`${quoted(name)} is deleted.`, "Undo", () => bringBack().catch((error) => offerAgain(name, bringBack, error)));
    }

    /** Says why a deletion could not be undone; the way back stays until it can be gone. */
    function offerAgain(name, bringBack, error) {
        const reason = el("span", {}, error.message);
        const again = el("button", { type: "button", click: tryAgain }, `Bring ${quoted(name)} back`);
        const note = el("div", { class: "note bad" }, el("p", {}, `${quoted(name)} is not back. `, reason), again);

        let isTrying = false;

        async function tryAgain() {
            // A second press would bring it back twice.
            if (isTrying) return;
            isTrying = true;
            try {
                await bringBack();
                note.remove();
            } catch (next) {
                isTrying = false;
                reason.textContent = next.message;
                say(`${quoted(name)} is not back. ${next.message}`);
            }
        }
        lost.append(note);
        again.focus();
    }

    function focusPlace(place) {
        (list.children[place]?.querySelector("a") ?? add).focus();
    }

    function update() {
        isStale = reorder.isMoving;
        if (isStale) return;
        const { places, others } = device.places;
        const focused = [...list.children].findIndex((each) => each.contains(document.activeElement));
        const show = () => {
            patch(list, places.map((bookmark, place) => (bookmark === null ? emptyRow(place, isTyped(`#/edit/${place + 1}`)) : row(bookmark, place))));
            patch(rest, others.length === 0 ? [] : [leftOver(others)]);
        };
        keepFocus(element, show, () => list.children[focused]?.querySelector("a") ?? add);
    }

    function row(bookmark, place) {
        const name = nameOf(bookmark);
        const address = `#/edit/${place + 1}`;
        return el(
            "li",
            { class: "row", "data-key": bookmark.key, "data-place": place },
            el("button", { type: "button", class: "grip", "data-focus": `grip ${bookmark.key}`, "aria-pressed": "false", "aria-label": `Move ${name}, place ${place + 1}` }, icon("grip")),
            el("span", { class: "number", "aria-hidden": "true" }, String(place + 1)),
            words(bookmark, address, isTyped(address)),
            deleteButton(bookmark, name),
        );
    }

    function deleteButton(bookmark, name) {
        return el("button", { type: "button", class: "plain", "data-focus": `delete ${bookmark.key}`, "aria-label": `Delete ${name}`, click: () => attempt(() => remove(bookmark)) }, icon("remove"), el("span", { class: "wide-only" }, "Delete"));
    }

    function leftOver(others) {
        const free = lowestFree(new Set(device.places.places.flatMap((each, at) => (each === null ? [] : [at]))));
        return el(
            "section",
            { "aria-labelledby": "rest-title" },
            el("h2", { id: "rest-title" }, "Without a place"),
            el("p", {}, free === null ? "All six places are taken. Delete a bookmark to make room for these." : "Another program stored these where no place is, or where another bookmark is."),
            el("ul", { class: "rows" }, others.map((bookmark) => leftOverRow(bookmark, free))),
        );
    }

    function leftOverRow(bookmark, free) {
        const address = `#/edit/${encodeURIComponent(bookmark.key)}`;
        return el(
            "li",
            { class: "row", "data-key": bookmark.key },
            words(bookmark, address, isTyped(address)),
            free === null ? null : el("button", { type: "button", "data-focus": `place ${bookmark.key}`, click: () => attempt(() => device.move(bookmark.key, free)) }, `Move to place ${free + 1}`),
            deleteButton(bookmark, nameOf(bookmark)),
        );
    }

    update();
    return { title: "Configure", element, update };
}

/** What a bookmark is called here: blanks alone are nothing to read or to click on. */
function nameOf(bookmark) {
    return bookmark.Name.trim() || "(no name)";
}

function words(bookmark, href, isTyped) {
    const mark = bookmark.refused
        ? el("span", { class: "state bad" }, icon("refused"), "Refused")
        : isTyped
          ? el("span", { class: "state" }, NOT_SAVED)
          : bookmark.waits
            ? el("span", { class: "state waiting" }, icon("waiting"), "Waiting")
            : null;
    return el(
        "a",
        { class: "words", href, "data-focus": `edit ${bookmark.key}` },
        el("span", { class: "unseen" }, "Edit "),
        el("span", { class: "name" }, nameOf(bookmark)),
        el("span", { class: "host" }, bookmark.Url),
        mark,
    );
}

function emptyRow(place, isTyped) {
    return el(
        "li",
        { class: "row vacant", "data-place": place },
        el("span", { class: "number", "aria-hidden": "true" }, String(place + 1)),
        el("a", { class: "words", href: `#/edit/${place + 1}`, "data-focus": `add ${place}`, "aria-label": `Add a bookmark at place ${place + 1}${isTyped ? `. ${NOT_SAVED}` : ""}` }, isTyped ? NOT_SAVED : "Empty"),
    );
}
