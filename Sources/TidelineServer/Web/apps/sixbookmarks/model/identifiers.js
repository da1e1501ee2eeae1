// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Identifiers, in the forms that the service knows. */

/** A random UUID; `crypto.randomUUID` is there on secure pages only. */
export function randomUUID() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    return text(bytes);
}

/**
 * The `Repeatability-Request-ID` of a transaction: a UUID of version 8 that holds the number of the transaction.
 *
 *     48 bits of the client | version 8 | 12 zero bits | variant 2 | 62 bits: the number
 *
 * The service keeps for each client the number of the last transaction that it decided, and so needs no clock to tell
 * a repetition. Source: RFC 9562, section 5.8; docs/promises.md, G4.
 */
export function requestID(client, number) {
    const hex = client.replaceAll("-", "");
    let mixed = "";
    for (let at = 0; at < 12; at += 1) mixed += (parseInt(hex[at], 16) ^ parseInt(hex[at + 16], 16)).toString(16);
    const low = (0x8000000000000000n | BigInt(number)).toString(16);
    return `${mixed.slice(0, 8)}-${mixed.slice(8)}-8000-${low.slice(0, 4)}-${low.slice(4)}`;
}

function text(bytes) {
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
