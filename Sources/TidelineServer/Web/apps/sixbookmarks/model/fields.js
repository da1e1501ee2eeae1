// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What may stand in a bookmark, and which address is opened. */

export const NAME_LENGTH = 128;
export const URL_LENGTH = 256;

/** The schemes that a button opens: `javascript:` would run as this page, `file:` would read this machine. */
const SCHEMES = new Set(["http:", "https:"]);

/** What the service stores in no text: U+0000, and half of a letter that is two in UTF-16. */
const UNSTORED = /[\0\p{Cs}]/u;
const UNSTORED_PROBLEM = "has a character that cannot be stored. Leave it out.";

/** Letters as people and the service count them, not halves of UTF-16. */
function length(text) {
    return [...text].length;
}

/** `{ value }` for what is stored, or `{ problem }` for what to say. */
export function checkName(typed) {
    const value = typed.trim();
    if (value === "") return { problem: "Enter a name." };
    if (UNSTORED.test(value)) return { problem: `The name ${UNSTORED_PROBLEM}` };
    if (length(value) > NAME_LENGTH) {
        return { problem: `The name has ${length(value)} characters; ${NAME_LENGTH} is the most.` };
    }
    return { value };
}

/** `{ value }` with a scheme, or `{ problem }`. What was typed stays as it was otherwise. */
export function checkUrl(typed) {
    const text = typed.trim();
    if (text === "") return { problem: "Enter an address, like https://example.com." };
    if (UNSTORED.test(text)) return { problem: `The address ${UNSTORED_PROBLEM}` };
    const value = withScheme(text);
    if (value === null) return { problem: "Only addresses that begin with http:// or https:// can be opened." };
    if (/^https?:\/\/(?:[^/?#\\]*@)?(?:[/?#\\:]|$)/i.test(value)) {
        return { problem: "The address has no host. After https:// comes the name of a site, like example.com." };
    }
    if (openable(value) === null || /\s/.test(value)) {
        return { problem: "This is no web address. Check it for blanks and typing errors." };
    }
    if (length(value) > URL_LENGTH) {
        return { problem: `The address has ${length(value)} characters; ${URL_LENGTH} is the most.` };
    }
    return { value };
}

/** A text with `https://` before it where it has no scheme; `null` where it has another one than we open. */
function withScheme(text) {
    if (text.startsWith("//")) return "https:" + text;
    const scheme = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text);
    if (scheme === null) return "https://" + text;
    // Browsers read `https:example.com` and `https:\\example.com` so too; the service asks for the two slashes.
    if (SCHEMES.has(scheme[1].toLowerCase() + ":")) return `${scheme[1]}://${scheme[2].replace(/^[/\\]{1,2}/, "")}`;
    // `example.com:8080` and `localhost:8080/x` are a host and a port.
    return /^\d+([/?#]|$)/.test(scheme[2]) ? "https://" + text : null;
}

/** The address to open for a stored text, as the browser reads it; `null` for one that is not opened. */
export function openable(text) {
    let url;
    try {
        url = new URL(text ?? "");
    } catch {
        return null;
    }
    return SCHEMES.has(url.protocol) && url.hostname !== "" ? url.href : null;
}

/** What an address is shown as: the host, without `www.`. */
export function hostOf(text) {
    const href = openable(text);
    return href === null ? "" : new URL(href).host.replace(/^www\./, "");
}
