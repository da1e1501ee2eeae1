// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The service's events: which sets changed. A hint to sync, nothing else (docs/events.md). */

import { locks } from "./tabs.js";

/**
 * Listens until `signal` ends it; one tab of all that have the store `name` listens at a time. Calls `onChange` for each
 * change of the bookmarks, and when the stream is cut: the service may be gone, which a sync finds out.
 *
 * `EventSource` cannot send a token, so the stream is read as it comes.
 */
export async function listen(service, name, signal, onChange) {
    const work = (lost) => follow(service, lost === null ? signal : AbortSignal.any([signal, lost]), onChange);
    // A tab that slept lets go of its stream when another one listens, for a browser has few connections; and waits again.
    for (let isLost = true; isLost && !signal.aborted; ) {
        isLost = await locks.exclusively(`sixbookmarks-events-${name}`, work, { signal }).catch(() => false);
    }
}

/** Follows the streams until `signal` ends that, `true` then, or the sign-in ends. */
async function follow(service, signal, onChange) {
    let last = null;
    let failures = 0;
    while (!signal.aborted) {
        try {
            const headers = { Accept: "text/event-stream", ...(last === null ? {} : { "Last-Event-ID": last }) };
            const response = await service.request("$events", { headers, signal, isStream: true });
            failures = 0;
            const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
            let rest = "";
            for (;;) {
                const { value, done } = await lines.read();
                if (done) break;
                const blocks = (rest + value).split("\n\n");
                rest = blocks.pop();
                for (const block of blocks) {
                    const event = parse(block);
                    // What changed before the first stream was there is told by nobody.
                    if (event.sets.includes("Bookmarks") || (last === null && event.id)) onChange();
                    if (event.id) last = event.id;
                }
            }
        } catch (error) {
            if (error.kind === "signed-out") return false;
            if (signal.aborted) return true;
            if (failures === 0) onChange();
            failures += 1;
        }
        await pause(Math.min(60_000, 1000 * 2 ** failures) * (0.5 + Math.random() / 2), signal);
    }
    return true;
}

function parse(block) {
    const event = { id: null, sets: [] };
    for (const line of block.split("\n")) {
        if (line.startsWith("id:")) event.id = line.slice(3).trim();
        if (line.startsWith("data:")) {
            try {
                event.sets = JSON.parse(line.slice(5)).sets ?? [];
            } catch {
                // A line that is cut says nothing; the next sync finds all of it.
            }
        }
    }
    return event;
}

function pause(milliseconds, signal) {
    return new Promise((resolve) => {
        const end = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", end);
            resolve();
        };
        const timer = setTimeout(end, signal.aborted ? 0 : milliseconds);
        signal.addEventListener("abort", end);
    });
}
