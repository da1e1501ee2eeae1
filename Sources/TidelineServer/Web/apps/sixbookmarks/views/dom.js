// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Makes elements. Text goes in as text: nothing that a person or a service wrote is ever read as HTML. */

export function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") node.addEventListener(name, value);
        else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

/** The heading of a view; it takes the focus when the view is shown. */
export function heading(...words) {
    return el("h1", { tabindex: "-1" }, ...words);
}

/** A time as people say it, with the exact one on hover. */
export function ago(time, now = Date.now()) {
    const seconds = Math.max(0, Math.round((now - time) / 1000));
    const text =
        seconds < 10 ? "just now"
        : seconds < 60 ? `${seconds} s ago`
        : seconds < 3600 ? `${Math.floor(seconds / 60)} min ago`
        : seconds < 86_400 ? `${Math.floor(seconds / 3600)} h ago`
        : `${Math.floor(seconds / 86_400)} d ago`;
    const date = new Date(time);
    return el("time", { datetime: date.toISOString(), title: date.toLocaleString() }, text);
}
