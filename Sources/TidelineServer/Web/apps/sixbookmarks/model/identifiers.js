// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

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
