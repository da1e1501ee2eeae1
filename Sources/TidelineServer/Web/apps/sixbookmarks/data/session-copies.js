// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Tabs that were duplicated: each has a copy of what the `sessionStorage` of the other held, and so one sign-in with it.
 *
 * A refresh token serves once, and its second use ends the sign-in of all. So who has renewed it tells the others, and who
 * is about to asks first: a tab that slept, or that the browser threw away and brought back, has heard nothing. Which of two
 * is the later one, the generations of their family say.
 */

import { hasServed, isAfter } from "./generations.js";

/** How long a tab that slept over the end of its wait has to hear what it was told meanwhile, in milliseconds. */
const WAKING = 100;

export class SessionCopies {
    #channel = new BroadcastChannel("sixbookmarks-copies");
    #read;
    #write;
    #told = () => {};

    /** `read()` is the sign-in that this tab alone has, or `null`; `write(session)` puts in a newer one. */
    constructor(read, write) {
        this.#read = read;
        this.#write = write;
        this.#channel.onmessage = ({ data }) => this.#heard(data);
    }

    /** Asks for the sign-in that a copy has after this one, for so long; it is written where there is one. */
    ask({ family, generation }, milliseconds) {
        return new Promise((resolve) => {
            let timer = setTimeout(() => (timer = setTimeout(resolve, WAKING)), milliseconds);
            this.#told = () => (clearTimeout(timer), resolve());
            this.#channel.postMessage({ asked: { family, generation } });
        });
    }

    /** Tells the copies of a sign-in that was renewed. */
    tell(session) {
        this.#channel.postMessage({ session });
    }

    #heard({ asked, session }) {
        const mine = this.#read();
        if (mine === null) return;
        if (asked) {
            // A late tab would give away what has served.
            if (isAfter(mine, asked) && !hasServed(mine)) this.tell(mine);
        } else if (isAfter(session, mine)) {
            this.#write(session);
            this.#told();
        }
    }
}
