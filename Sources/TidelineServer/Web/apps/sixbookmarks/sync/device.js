// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** A user's bookmarks on this device: what the views read and write. */

import { Database, LOST } from "../data/database.js";
import { dismiss, forgive, moveWrites, record, restore } from "../model/conflicts.js";
import { arrange, nextFree } from "../model/slots.js";
import { commit, discard, tryAgain } from "../model/outbox.js";
import { randomUUID } from "../../common/identifiers.js";
import { replay } from "../model/replay.js";
import { listen } from "../net/events.js";
import { synchronise } from "./engine.js";
import { Schedule } from "./schedule.js";
import { count, describeStatus } from "./status.js";

export class Device {
    #database;
    #service;
    #schedule;
    #channel;
    #ended = new AbortController();
    #onChange;
    #onSignedOut;

    state;
    bookmarks;
    /** `rest`, `running`, `offline`, `failed` or, where the store is gone, `lost`, with what was said of it. */
    phase = "rest";
    problem = null;

    /**
     * Opens the store of a session, which `service` asks for in the name of the session's user.
     *
     * `onChange(device)` is called after each change, `onSignedOut(device, isGone)` when the person must sign in; then
     * `isGone` says that the store was deleted, in another tab.
     */
    static async open(session, service, { onChange, onSignedOut }) {
        const device = new Device();
        device.session = session;
        device.#service = service;
        device.#onChange = onChange;
        device.#onSignedOut = onSignedOut;
        device.#schedule = new Schedule(() => device.#synchronise());
        device.#database = await Database.open(session.database, () => device.#lose());
        try {
            device.#take(await device.#database.read());
        } catch (error) {
            device.close();
            throw error;
        }
        device.#listen();
        return device;
    }

    get places() {
        return arrange(this.bookmarks.values());
    }

    get status() {
        return describeStatus(this.state, this.phase);
    }

    get counts() {
        return count(this.state);
    }

    /** Synchronises now. */
    sync() {
        return this.#schedule.now();
    }

    /** Stores what the editor has; `initial` is what the person saw first, `null` for a new bookmark. Returns its place. */
    async save(key, initial, typed, place) {
        let taken = null;
        await this.#write((state) => {
            const bookmarks = replay(state.rows, state.outbox);
            const now = key === null ? undefined : bookmarks.get(key);
            if (now === undefined) {
                const free = freePlace(bookmarks, place);
                if (free === null) throw new Error("All six places are taken now. Delete a bookmark to make room.");
                taken = free;
                return commit(state, [{ op: "insert", key: randomUUID(), values: { ...typed, Ordinal: free } }]);
            }
            taken = now.Ordinal;
            const values = Object.fromEntries(Object.entries(typed).filter(([name, value]) => value !== initial[name]));
            const next = commit(state, [{ op: "update", key, values }]);
            return record(next, replaced(now, initial, values));
        });
        return taken;
    }

    /** Deletes a bookmark; returns what undoes that. */
    async remove(key) {
        const bookmark = this.bookmarks.get(key);
        const { after } = await this.#write((state) => commit(state, [{ op: "delete", key }]));
        const order = after.meta.lastOrder;
        return () =>
            this.#write((state) => {
                const waiting = state.outbox.find((each) => each.order === order);
                if (waiting && !waiting.frozen && waiting.changes.some((change) => change.key === key)) return discard(state, order);
                const bookmarks = replay(state.rows, state.outbox);
                // The deletion has lost against another device's change.
                if (bookmarks.has(key)) return state;
                const free = freePlace(bookmarks, bookmark.Ordinal);
                if (free === null) throw new Error("All six places are taken now. Delete a bookmark to make room.");
                const { Name, Url } = bookmark;
                return commit(state, [{ op: "insert", key: randomUUID(), values: { Name, Url, Ordinal: free }, again: key }]);
            });
    }

    /** Brings a bookmark to a place; who is there changes places with it. One transaction. */
    move(key, place) {
        return this.#write((state) => commit(state, moveWrites(replay(state.rows, state.outbox), key, place)));
    }

    restore(id) {
        return this.#write((state) => restore(state, id));
    }

    dismiss(id) {
        return this.#write((state) => dismiss(state, id));
    }

    /** Ends the note about conflicts that the log had no room for. */
    forgive() {
        return this.#write(forgive);
    }

    tryAgain(order) {
        return this.#write((state) => tryAgain(state, order));
    }

    discard(order) {
        return this.#write((state) => discard(state, order));
    }

    /** Ends the work with this store. */
    close() {
        this.#ended.abort();
        this.#schedule.stop();
        this.#channel?.close();
        this.#database.close();
    }

    /** Deletes the store. */
    async wipe() {
        this.#channel?.postMessage("gone");
        this.close();
        await Database.remove(this.session.database);
    }

    /** Every write of a person: stored, shown, told to other tabs, and sent soon. */
    async #write(make) {
        const result = await this.#database.change(make);
        this.#take(result.after);
        this.#channel?.postMessage("changed");
        if (result.after.outbox !== result.before.outbox) this.sync();
        return result;
    }

    async #synchronise() {
        const isDoubtful = this.phase === "offline";
        this.#show("running", null);
        try {
            await synchronise(this.#database, this.#service, this.session.user, this.session.database, isDoubtful);
            await this.#reload();
            this.#show("rest", null);
        } catch (error) {
            if (this.#ended.signal.aborted) return;
            await this.#reload();
            this.#show(error.kind === "offline" ? "offline" : "failed", error);
            if (error.kind === "signed-out") this.#onSignedOut(this, false);
            throw error;
        }
    }

    async #reload() {
        if (this.#ended.signal.aborted) return;
        this.#take(await this.#database.read());
        this.#channel?.postMessage("changed");
    }

    /** The store is gone: what is done now is kept nowhere, and nothing else is to be said of it. */
    #lose() {
        if (this.#ended.signal.aborted) return;
        this.#schedule.stop();
        this.#ended.abort();
        this.#show("lost", new Error(LOST));
    }

    #take(state) {
        this.state = state;
        this.bookmarks = replay(state.rows, state.outbox);
        this.#onChange(this);
    }

    #show(phase, problem) {
        if (this.phase === "lost") return;
        this.phase = phase;
        this.problem = problem;
        this.#onChange(this);
    }

    /** What tells that there may be something to do. */
    #listen() {
        const { signal } = this.#ended;
        const sync = () => this.sync();
        addEventListener("online", sync, { signal });
        addEventListener("focus", sync, { signal });
        addEventListener("offline", () => this.#show("offline", null), { signal });
        document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && sync(), { signal });
        listen(this.#service, this.session.database, signal, sync);
        if (typeof BroadcastChannel === "undefined") return;
        this.#channel = new BroadcastChannel(this.session.database);
        this.#channel.onmessage = async ({ data }) => {
            if (data === "gone") this.#onSignedOut(this, true);
            else if (this.phase !== "lost") this.#take(await this.#database.read());
        };
    }
}

function freePlace(bookmarks, wanted) {
    const { places } = arrange(bookmarks.values());
    return nextFree(wanted, new Set(places.flatMap((each, place) => (each === null ? [] : [place]))));
}

/** What another device wrote while the editor was open, and the person now wrote over. */
function replaced(now, initial, values) {
    return Object.keys(values)
        .filter((name) => now[name] !== initial[name] && now[name] !== values[name])
        .map((name) => ({
            id: randomUUID(),
            at: Date.now(),
            kind: "written",
            key: now.key,
            name: values.Name ?? now.Name,
            property: name,
            mine: values[name],
            theirs: now[name],
        }));
}
