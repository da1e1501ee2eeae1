// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What stands at the address of a bookmark that is not there. */

import { el } from "../../common/dom.js";
import { heading } from "./dom.js";

/** `arrived` is called when a bookmark has come to the address meanwhile; it is told whether the focus was in this view. */
export function missingView(device, target, arrived) {
    const isComing = device.state.meta.received === null;
    const element = el(
        "section",
        { class: "narrow" },
        heading("No such bookmark"),
        el("p", {}, "There are six places, 1 to 6, and no bookmark of yours has this address. It may have been deleted."),
        isComing ? el("p", { class: "quiet" }, "Your bookmarks are not all on this device yet. If it is one of them, it opens here when it comes.") : null,
        el("div", { class: "actions" }, el("a", { class: "button", href: "#/configure" }, "Configure bookmarks"), el("a", { class: "button", href: "#/" }, "All bookmarks")),
    );

    function update() {
        if (device.bookmarks.has(target)) arrived(element.contains(document.activeElement));
    }
    return { title: "No such bookmark", element, update };
}
