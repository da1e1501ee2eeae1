// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Small drawings, beside words. A shape of its own for each state, so that colour is never the only sign. */

import { svg } from "../../common/dom.js";

const PATHS = {
    good: ["circle", "M5 8.2l2.2 2.2L11.2 6"],
    waiting: ["circle", "M8 4.8V8l2.2 1.6"],
    running: ["none", "M13 6A5.4 5.4 0 0 0 3.4 5M3 10a5.4 5.4 0 0 0 9.6 1M3.2 2v3.2h3.2M12.8 14v-3.2H9.6"],
    offline: ["none", "M2.4 6.4A8.4 8.4 0 0 1 8 4.2c2.1 0 4 .8 5.6 2.2M4.8 9A4.9 4.9 0 0 1 8 7.8c1.2 0 2.3.4 3.2 1.2M8 12.2v.1M3 2.6l10 11"],
    conflict: ["none", "M8 1.8L14.2 8 8 14.2 1.8 8zM8 5.2v3.4M8 10.8v.1"],
    refused: ["none", "M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4zM6 6l4 4M10 6l-4 4"],
    grip: ["dots", ""],
    add: ["none", "M8 3v10M3 8h10"],
    edit: ["none", "M3 13l.6-2.8L10.6 3.2l2.2 2.2-7 7z"],
    remove: ["none", "M3 4.5h10M6.4 4.5V3h3.2v1.5M4.4 4.5l.6 8.5h6l.6-8.5"],
    home: ["none", "M2.5 2.5h4.4v4.4H2.5zM9.1 2.5h4.4v4.4H9.1zM2.5 9.1h4.4v4.4H2.5zM9.1 9.1h4.4v4.4H9.1z"],
    configure: ["none", "M2.5 4.2h11M2.5 8h11M2.5 11.8h11M5.2 2.8v2.8M10.4 6.6v2.8M6.8 10.4v2.8"],
    about: ["circle", "M8 7.2v3.8M8 4.8v.1"],
    out: ["none", "M9.5 2.8H3.2v10.4h6.3M6.8 8h6.7M11 5.4L13.6 8 11 10.6"],
    away: ["none", "M6.2 3.2H3.2v9.6h9.6v-3M8.8 3.2h4v4M12.6 3.4L7.4 8.6"],
};

export function icon(name) {
    const [frame, path] = PATHS[name];
    const dots = frame === "dots" ? [6, 10].flatMap((cx) => [4, 8, 12].map((cy) => svg("circle", { cx, cy, r: 1.1, class: "dot" }))) : [];
    return svg(
        "svg",
        { viewBox: "0 0 16 16", width: 16, height: 16, class: `icon icon-${name}`, "aria-hidden": "true" },
        frame === "circle" ? svg("circle", { cx: 8, cy: 8, r: 6.2 }) : null,
        dots,
        path === "" ? null : svg("path", { d: path }),
    );
}

/** Draws the icons that the page names with `data-icon`. */
export function fillIcons(root) {
    for (const place of root.querySelectorAll("[data-icon]")) place.prepend(icon(place.dataset.icon));
}
