// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Tabs that were duplicated: each has a copy of what the `sessionStorage` of the other held, and so one sign-in with it.
 *
 * A refresh token serves once, and its second use ends the sign-in of all. So who has renewed it tells the others, and who
 * is about to asks first: a tab that slept, or that the browser threw away and brought back, has heard nothing. Which of two
 * is the later one, the generations of their family say; who is there, a lock that each holds while its page lives. Its name
 * says family and generation, so that no clock decides whether a copy is there that has the next tokens.
 */

import { isAfter } from "./generations.js";

/** How long a copy that is there has to answer, in milliseconds: one that sleeps does not. Its tokens are left alone. */
const ANSWER = 5_000;
/** How long a tab that slept over the end of its wait has to hear what it was told meanwhile. */
const WAKING = 100;

export class SessionCopies {
    /** The name of the channel, and the first part of the names of locks. */
    #name;
    #locks;
    #generations;
    #channel;
    #me;
    #read;
    #write;
    #told = () => {};
    /** The lock of this tab: its name, `null` for none, what lets go of it, and what ends when others can see it. */
    #lock = { name: null, leave: () => {}, seen: Promise.resolve() };

    /**
     * `tabs`: what the tabs of the app agree by, `{ APP, locks, generations }`. `me` tells this tab from all others; `read()` is
     * the sign-in that it alone has, or `null`, and `write(session)` puts in a newer one.
     */
    constructor({ APP, locks, generations }, me, read, write) {
        this.#name = `${APP}-copies`;
        this.#locks = locks;
        this.#generations = generations;
        this.#channel = new BroadcastChannel(this.#name);
        this.#me = me;
        this.#read = read;
        this.#write = write;
        this.#channel.onmessage = ({ data }) => this.#heard(data);
        this.#stand();
    }

    /**
     * Asks the copies that have a later sign-in than this one for it, until one tells it, or all of them are gone or asleep.
     *
     * Says whether there is one that nobody told.
     */
    async ask(session) {
        const later = await this.#later(session);
        const isTold = () => this.#read() !== null && isAfter(this.#read(), session);
        if (later.length === 0 || isTold()) return false;
        const over = new AbortController();
        await new Promise((resolve) => {
            this.#told = resolve;
            const gone = later.map((name) => this.#locks.exclusively(name, () => {}, { signal: over.signal }));
            Promise.all(gone).then(resolve, () => {});
            const timer = setTimeout(() => setTimeout(resolve, WAKING), ANSWER);
            over.signal.addEventListener("abort", () => clearTimeout(timer));
            this.call(session);
        });
        over.abort();
        return !isTold();
    }

    /** Asks them, and waits for no answer. */
    call({ family, generation }) {
        this.#channel.postMessage({ asked: { family, generation } });
    }

    /** Tells the copies of a sign-in that was renewed here; ends when those that slept can see that it is here. */
    async tell(session) {
        await this.#stand();
        this.#channel.postMessage({ session });
    }

    #heard({ asked, session }) {
        const mine = this.#read();
        if (asked) {
            // A late tab would give away what has served.
            if (mine !== null && isAfter(mine, asked) && !this.#generations.hasServed(mine)) this.#channel.postMessage({ session: mine });
            else this.#stand();
        } else if (mine !== null && isAfter(session, mine)) {
            this.#write(session);
            this.#stand();
            this.#told();
        }
    }

    /** The locks of the copies that have a later sign-in. */
    async #later({ family, generation }) {
        const copies = (await this.#locks.held()).map((name) => name.split(" "));
        const later = copies.filter(([name, of, number]) => name === this.#name && of === family && Number(number) > generation);
        return later.map((parts) => parts.join(" "));
    }

    /** Holds the lock of the sign-in that this tab has, and none where it has none, or one that has served. */
    #stand() {
        const mine = this.#read();
        const name = mine?.family && !this.#generations.hasServed(mine) ? [this.#name, mine.family, mine.generation, this.#me].join(" ") : null;
        if (name === this.#lock.name) return this.#lock.seen;
        this.#lock.leave();
        let leave;
        const left = new Promise((resolve) => (leave = resolve));
        const hold = (resolve) => this.#locks.exclusively(name, () => (resolve(), left)).catch(resolve);
        const seen = name === null ? Promise.resolve() : new Promise(hold);
        this.#lock = { name, leave, seen };
        return seen;
    }
}
