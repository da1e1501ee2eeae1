// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** When to synchronise: after a write, when the network or the person comes back, after an event, and by a timer. */

const REGULAR = 60_000;
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 300_000;

export class Schedule {
    #run;
    #timer = null;
    #running = null;
    #again = false;
    #failures = 0;
    #isStopped = false;

    /** `run` synchronises once; it throws what went wrong, with `retryAfter` in seconds where the service says so. */
    constructor(run) {
        this.#run = run;
    }

    /** Synchronises now; while one runs, once more after it. Ends when what was asked for is done. */
    now() {
        if (this.#isStopped) return Promise.resolve();
        clearTimeout(this.#timer);
        if (this.#running !== null) {
            this.#again = true;
            return this.#running;
        }
        this.#running = this.#loop().finally(() => (this.#running = null));
        return this.#running;
    }

    stop() {
        this.#isStopped = true;
        clearTimeout(this.#timer);
    }

    async #loop() {
        do {
            this.#again = false;
            try {
                await this.#run();
                this.#failures = 0;
            } catch (error) {
                this.#failures += 1;
                // Who asked while this one failed may know more: only what the service wants to wait for waits.
                if (this.#again && !error.retryAfter) continue;
                this.#wait(waitAfter(this.#failures, error.retryAfter, Math.random()));
                return;
            }
        } while (this.#again && !this.#isStopped);
        this.#wait(REGULAR * (0.75 + Math.random() / 2));
    }

    #wait(milliseconds) {
        if (!this.#isStopped) this.#timer = setTimeout(() => this.now(), milliseconds);
    }
}

/** Milliseconds to wait after so many failures in a row: twice as long each time, some of it by chance. */
export function waitAfter(failures, retryAfter, chance) {
    const grown = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1));
    return Math.max((retryAfter ?? 0) * 1000, grown / 2 + (grown / 2) * chance);
}
