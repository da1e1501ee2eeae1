// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** What this is. */

import { el } from "../../common/dom.js";
import { heading } from "./dom.js";
import { showKeys } from "./keys.js";

export function aboutView(device) {
    const element = el(
        "section",
        {},
        heading("About Six Bookmarks"),
        el("p", { class: "lead" }, "Six addresses that you want at hand, the same on all your devices. The app works with no connection at all, and sends what you changed when there is one."),
        el(
            "dl",
            { class: "facts" },
            fact("Signed in as", device.session.name),
            fact("On this device", "Your bookmarks and what waits to be sent. Your password never is; signing out deletes the rest."),
            fact("When two devices change the same bookmark", "Both changes are kept where they fit together. Where they do not, the one that came first stays and the other can be brought back under Sync."),
            fact("Made with", el("span", {}, el("a", { href: "/" }, "Tideline"), ", which this server runs. The app is a client of its open OData service, like any other program.")),
        ),
        el("h2", {}, "Keyboard"),
        el("p", {}, "Everything is reached with Tab and Enter. In the configuration, Enter on a Move button picks a bookmark up, the arrow keys choose its place, Enter puts it down and Escape leaves it."),
        el("button", { type: "button", click: showKeys }, "Show keyboard shortcuts"),
    );
    return { title: "About", element };
}

function fact(term, detail) {
    return el("div", {}, el("dt", {}, term), el("dd", {}, detail));
}
