// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Fishing: spots on a map and in a list, asked of the service as each filter says. */

import { el } from "../common/dom.js";
import { Drafts } from "../common/drafts.js";
import { distance, moved, nearFilter } from "./model/globe.js";
import { Service } from "./net/service.js";
import { addView } from "./views/add.js";
import { say } from "./views/dom.js";
import { listenForKeys } from "./views/keys.js";
import { listView } from "./views/list.js";
import { mapView } from "./views/map.js";
import { nearView } from "./views/near.js";
import { signInView } from "./views/sign-in.js";

const service = new Service();
const main = document.getElementById("main");
const who = document.getElementById("who");
/** What each user has typed for a spot and not saved, with the point: `{ typed, point, metres }`. */
const drafts = new Drafts("tideline-fishing.unsaved", () => "spot");

function start(note) {
    const { user } = service;
    who.replaceChildren();
    if (!user) {
        const view = signInView({
            note,
            async signIn(name, password) {
                await service.signIn(name, password);
                start();
            },
        });
        main.replaceChildren(view);
        view.querySelector(note ? "h1" : "input").focus();
        return;
    }
    who.append(
        el("img", { src: `${encodeURIComponent(user.name)}.svg`, alt: "", width: 28, height: 28, error: (event) => event.target.remove() }),
        el("span", {}, user.name),
        el("button", { class: "small", type: "button", click: () => signOut(user.id) }, "Sign out"),
    );
    board();
}

/** Ends the sign-in of this page, which does not wait until the service has been told, and what its user has typed. */
function signOut(id) {
    const isTyped = drafts.of(id).some(({ draft }) => draft.typed !== null);
    if (isTyped && !confirm("What you have typed for a spot is not saved. Sign out, and give it up?")) return;
    drafts.forget(id);
    service.signOut();
    start();
}

/** The page of a person who is signed in. */
function board() {
    const me = service.user.id;
    const state = { point: null, metres: 3000, spots: [], question: "", selected: null };
    let asking = null;
    let timer = 0;

    const near = nearView({
        onChange(point, metres) {
            Object.assign(state, { point, metres });
            map.draw(state.spots, point, metres, state.selected);
            add.tell();
            keep();
            clearTimeout(timer);
            // While a finger is on a key, each step would be a request.
            timer = setTimeout(ask, 150);
        },
    });
    const map = mapView({
        onPoint: (point) => near.show(point),
        onStep(north, east, wider) {
            const from = state.point ?? { lat: 59.88, lng: 10.72 };
            near.show(state.point ? moved(from, north, east) : from, state.metres + wider * 1000);
        },
        onSpot: (spot) => select(spot),
    });
    const list = listView({
        onSelect: select,
        onNear: (spot) => near.show({ lat: spot.Lat, lng: spot.Lng }),
        onRemove: remove,
        catches: (spot) => service.list(`Catches?$filter=SpotId eq ${spot.Id}&$orderby=CaughtAt desc&$expand=Pictures($select=PictureId)`),
        picture: (key) => service.blob(`Pictures(${key})/$value`),
    });
    const add = addView({
        point: () => state.point,
        changed: keep,
        async save(spot, request) {
            try {
                state.selected = (await service.create("FishingSpots", { ...spot, OwnerId: me }, request)).Id;
            } catch (error) {
                if (error.kind === "signed-out") leave(error);
                throw error;
            }
            await ask();
            say(`${spot.Name} is saved.`);
        },
        async find(spot) {
            try {
                const found = await service.spot(me, spot);
                if (found === null) return false;
                state.selected = found.Id;
            } catch (error) {
                if (error.kind === "signed-out") leave(error);
                throw error;
            }
            await ask();
            say(`${spot.Name} is saved.`);
            return true;
        },
    });
    main.replaceChildren(
        el("h1", { tabindex: "-1" }, "Where to fish"),
        el("p", { class: "quiet" }, "Your spots, and those that others share."),
        near.element,
        el("div", { class: "board" }, map.element, el("div", {}, list.element, add.element)),
    );
    main.querySelector("h1").focus();
    map.draw([], null, state.metres, null);
    const [before] = drafts.of(me);
    if (before) {
        const { typed, point, metres } = before.draft;
        if (typed !== null) add.fill(typed);
        near.show(point, metres);
    }
    ask();

    /** Keeps what is typed, with the point, for when its user comes back; a page that is gone has nothing to say. */
    function keep() {
        if (!add.element.isConnected) return;
        const { point, metres } = state;
        const typed = add.typed();
        const entry = { user: me, draft: { typed, point, metres } };
        if (typed === null && point === null) drafts.drop(entry);
        else drafts.keep(entry);
    }

    /** Asks for the sign-in that has ended. */
    function leave(error) {
        // A late word to a page that is gone is nobody's any more.
        if (!add.element.isConnected) return;
        // Nothing of this page is to come over the form.
        asking?.abort();
        clearTimeout(timer);
        const typed = add.typed();
        start(`${error.message} Sign in again to go on.${typed === null ? "" : " What you have typed comes back then."}`);
    }

    function show() {
        map.draw(state.spots, state.point, state.metres, state.selected);
        list.show(state.spots, state.question, state.selected);
    }

    function select(spot) {
        state.selected = spot?.Id ?? null;
        show();
        if (spot) list.element.querySelector(`[data-spot="${spot.Id}"]`)?.focus();
    }

    /** Asks for the spots; an answer that a later question has overtaken is dropped. */
    async function ask() {
        // The question that a new point waits with is this one.
        clearTimeout(timer);
        asking?.abort();
        const mine = (asking = new AbortController());
        const slow = setTimeout(() => list.loading(), state.spots.length === 0 ? 0 : 300);
        const question = state.point ? `$filter=${nearFilter(state.point, state.metres)}&` : "";
        try {
            const found = await service.list(`FishingSpots?${question}$expand=Owner($select=UserName)&$orderby=Name`, mine.signal);
            if (mine.signal.aborted) return;
            for (const spot of found) {
                spot.isOwn = spot.OwnerId === me;
                spot.metres = state.point ? distance(state.point, { lat: spot.Lat, lng: spot.Lng }) : null;
            }
            if (state.point) found.sort((a, b) => a.metres - b.metres);
            Object.assign(state, { spots: found, question });
            clearTimeout(slow);
            show();
            const count = found.length === 1 ? "1 spot" : `${found.length} spots`;
            say(state.point ? `${count} within ${state.metres / 1000} km.` : `${count}.`);
        } catch (error) {
            if (mine.signal.aborted || error.name === "AbortError") return;
            if (error.kind === "signed-out") return leave(error);
            list.failed(error, ask);
        } finally {
            clearTimeout(slow);
        }
    }

    async function remove(spot) {
        if (!confirm(`Delete “${spot.Name}” and what was caught there?`)) return;
        try {
            await service.remove(`FishingSpots(${spot.Id})`);
            state.selected = null;
            await ask();
            say(`${spot.Name} is deleted.`);
        } catch (error) {
            if (error.kind === "signed-out") return leave(error);
            list.failed(error, ask);
        }
    }
}

listenForKeys(() => service.user !== null);
start();
