// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Moves a row of the list to another place: with the pointer, or with Enter, arrows and Enter. */

export class Reorder {
    #list;
    #options;
    #row = null;
    #target = null;

    /**
     * `say(text)` tells a screen reader; `move(key, place)` does it, and resolves to why the bookmark is not there, or to
     * `null`; `ended()` is called when a row has been let go, moved or not.
     */
    constructor(list, options) {
        this.#list = list;
        this.#options = options;
        list.addEventListener("keydown", (event) => this.#key(event));
        list.addEventListener("pointerdown", (event) => this.#press(event));
        list.addEventListener("focusout", () => this.#row !== null && !this.#isDragging && this.#end(false));
    }

    #isDragging = false;

    get isMoving() {
        return this.#row !== null;
    }

    #begin(row) {
        this.#row = row;
        this.#target = Number(row.dataset.place);
        row.classList.add("held");
        row.querySelector(".grip").setAttribute("aria-pressed", "true");
    }

    #aim(place) {
        if (place < 0 || place >= this.#list.children.length || place === this.#target) return;
        this.#target = place;
        for (const row of this.#list.children) row.classList.toggle("aim", Number(row.dataset.place) === place && row !== this.#row);
    }

    async #end(isDone) {
        const row = this.#row;
        const place = this.#target;
        if (row === null) return;
        this.#row = null;
        row.classList.remove("held");
        row.querySelector(".grip").setAttribute("aria-pressed", "false");
        for (const each of this.#list.children) each.classList.remove("aim");
        const name = row.querySelector(".name").textContent;
        if (!isDone || place === Number(row.dataset.place)) {
            this.#options.say(`${name} stays at place ${Number(row.dataset.place) + 1}.`);
        } else {
            const problem = await this.#options.move(row.dataset.key, place);
            this.#options.say(problem === null ? `${name} is at place ${place + 1}.` : `${name} is not moved: ${problem}.`);
        }
        // Where the focus leaves the row, it has not come to its next place yet: rows that are made anew would lose it.
        setTimeout(() => this.#options.ended());
    }

    #key(event) {
        const grip = event.target.closest(".grip");
        if (grip === null) return;
        const row = grip.closest("li");
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            if (this.#row !== null) {
                this.#end(true);
                return;
            }
            this.#begin(row);
            this.#options.say("Picked up. Arrow keys choose a place, Enter puts it there, Escape leaves it.");
        } else if (this.#row !== null && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
            event.preventDefault();
            this.#aim(this.#target + (event.key === "ArrowUp" ? -1 : 1));
            const there = this.#list.children[this.#target].querySelector(".name")?.textContent;
            this.#options.say(`Place ${this.#target + 1} of 6${there && this.#list.children[this.#target] !== this.#row ? `, changes places with ${there}` : ""}.`);
        } else if (event.key === "Escape" && this.#row !== null) {
            event.preventDefault();
            this.#end(false);
        }
    }

    #press(event) {
        const grip = event.target.closest(".grip");
        if (grip === null || event.button !== 0 || this.#row !== null) return;
        event.preventDefault();
        grip.focus();
        grip.setPointerCapture(event.pointerId);
        this.#isDragging = true;
        this.#begin(grip.closest("li"));
        const moved = (next) => {
            const rows = [...this.#list.children];
            const under = rows.find((row) => next.clientY >= row.getBoundingClientRect().top && next.clientY < row.getBoundingClientRect().bottom);
            if (under) this.#aim(Number(under.dataset.place));
        };
        const ended = (isDone) => () => {
            ending.abort();
            this.#isDragging = false;
            this.#end(isDone);
        };
        const ending = new AbortController();
        const options = { signal: ending.signal };
        grip.addEventListener("pointermove", moved, options);
        grip.addEventListener("pointerup", ended(true), options);
        grip.addEventListener("pointercancel", ended(false), options);
    }
}
