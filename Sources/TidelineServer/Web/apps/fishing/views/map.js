// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** The map: a picture of the spots, the point and its circle. All of it stands in the list and the fields too. */

import { project, unproject, units, view } from "../model/globe.js";
import { islands, river, water } from "../model/coast.js";
import { marksOf } from "../model/marks.js";
import { el, svg } from "../../common/dom.js";
import { showKeys } from "./keys.js";

/** A spot's mark: round for what all may see, square for what its owner alone sees; filled for one's own. */
export function mark(spot, size = 6, x = 0, y = 0) {
    const kind = { class: `mark${spot.isOwn ? " own" : ""}` };
    return spot.IsPublicSpot
        ? svg("circle", { ...kind, cx: x, cy: y, r: size })
        : svg("rect", { ...kind, x: x - size + 0.5, y: y - size + 0.5, width: 2 * size - 1, height: 2 * size - 1 });
}

/** A mark by itself, for the list and the legend. */
export function badge(spot) {
    return svg("svg", { class: "key", width: 20, height: 20, viewBox: "-10 -10 20 20", "aria-hidden": "true" }, mark(spot));
}

/** `onPoint(place)` for a click on the water, `onStep(north, east, wider)` for the keys, `onSpot(spot)` for a spot. */
export function mapView({ onPoint, onStep, onSpot }) {
    const near = svg("g");
    const marks = svg("g");
    const picture = svg(
        "svg",
        {
            class: "map", viewBox: `0 0 ${view.width} ${view.height}`, role: "application", tabindex: "0",
            "aria-label": "Map of the spots. The arrow keys move the point, plus and minus change the radius. The list has the same spots.",
            click, keydown,
        },
        svg("path", { class: "water", d: smooth(water, true) }),
        svg("path", { class: "river", d: smooth(river, false) }),
        islands.map((island) => svg("path", { class: "island", d: smooth(island, true) })),
        graticule(),
        near,
        marks,
    );

    function click(event) {
        const box = picture.getBoundingClientRect();
        const x = ((event.clientX - box.left) / box.width) * view.width;
        const y = ((event.clientY - box.top) / box.height) * view.height;
        onPoint(unproject(x, y));
    }

    function keydown(event) {
        const step = event.shiftKey ? 1000 : 200;
        const steps = {
            ArrowUp: [step, 0, 0], ArrowDown: [-step, 0, 0], ArrowRight: [0, step, 0], ArrowLeft: [0, -step, 0],
            "+": [0, 0, 0.5], "-": [0, 0, -0.5],
        };
        const found = steps[event.key];
        if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        onStep(...found);
    }

    let last = null;
    new ResizeObserver(() => last && draw(...last)).observe(picture);

    /** Draws the spots, the point and its circle; `selected` is the key of a spot. */
    function draw(spots, point, metres, selected) {
        last = [spots, point, metres, selected];
        // On a small screen the picture shrinks, and what is read and touched in it does not.
        const scale = picture.clientWidth > 0 && picture.clientWidth < 480 ? 1.7 : 1;
        picture.classList.toggle("small", scale > 1);
        near.replaceChildren();
        if (point) {
            const { x, y } = project(point);
            near.append(
                svg("circle", { class: "reach", cx: x, cy: y, r: units(metres) }),
                svg("path", { class: "cross", d: `M${x - 7} ${y}h14M${x} ${y - 7}v14` }),
            );
        }
        const found = marksOf(spots, selected, scale);
        several.hidden = found.every(({ spot }) => spot !== null);
        const labels = placed(found, selected, scale);
        marks.replaceChildren(...found.map((one) => (one.spot ? single(one, labels.get(one.spot.Id), selected, scale) : group(one, scale))));
    }

    function single({ spot, x, y }, label, selected, scale) {
        return svg(
            "g",
            {
                class: `spot${spot.isOwn ? " own" : ""}`, "data-selected": spot.Id === selected,
                click: (event) => (event.stopPropagation(), onSpot(spot)),
            },
            svg("circle", { class: "halo", cx: x, cy: y, r: 11 * scale, "pointer-events": "all" }),
            mark(spot, 6 * scale, x, y),
            label ? svg("text", { class: "name", x: label.x, y: label.y, "text-anchor": label.anchor }, spot.Name) : null,
        );
    }

    /** A mark of several spots: a click goes through it to the water, and puts the point there. */
    function group({ x, y, count }, scale) {
        return svg(
            "g",
            { class: "several" },
            svg("circle", { cx: x, cy: y, r: radiusOf(count) * scale }),
            svg("text", { x, y: y + 4 * scale }, String(count)),
        );
    }

    const example = (isOwn, IsPublicSpot, words) => el("li", {}, badge({ isOwn, IsPublicSpot }), words);
    const several = el("li", { hidden: true }, "A number: so many spots. Click on it for those that are near.");
    const element = el(
        "figure",
        { class: "chart" },
        picture,
        el(
            "figcaption",
            {},
            el(
                "ul",
                { class: "keys quiet" },
                example(true, true, "Yours, shown to all"),
                example(true, false, "Yours alone"),
                example(false, true, "Another's, shown to all"),
                several,
            ),
            el("button", { class: "small", type: "button", click: showKeys }, "Keyboard shortcuts"),
        ),
    );
    return { element, draw };
}

/** The radius of a mark of several spots: their number fits into it. */
const radiusOf = (count) => 5 + 3.5 * String(count).length;

/** Names beside their marks, to the right or to the left; one that would cover another is left to the list. */
function placed(found, selected, scale) {
    const taken = found.map(({ x, y, count, spot }) => {
        const size = (spot ? 8 : radiusOf(count)) * scale;
        return { left: x - size, right: x + size, top: y - size, bottom: y + size };
    });
    const labels = new Map();
    const named = found.filter(({ spot }) => spot !== null);
    const first = named.sort((a, b) => (b.spot.Id === selected) - (a.spot.Id === selected));
    for (const { spot, x, y } of first) {
        const length = spot.Name.length * 7 * scale;
        for (const anchor of ["start", "end"]) {
            const at = anchor === "start" ? x + 12 * scale : x - 12 * scale;
            const box = { left: anchor === "start" ? at : at - length, top: y - 8 * scale, bottom: y + 8 * scale };
            box.right = box.left + length;
            const isFree =
                box.left > 2 && box.right < view.width - 2
                && !taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom);
            if (!isFree) continue;
            taken.push(box);
            labels.set(spot.Id, { x: at, y: y + 4.5 * scale, anchor });
            break;
        }
    }
    return labels;
}

function graticule() {
    const lines = [];
    for (let lat = 59.85; lat < view.north; lat += 0.05) {
        const { y } = project({ lat, lng: view.west });
        lines.push(svg("path", { class: "grid", d: `M0 ${y}H${view.width}` }), svg("text", { x: 6, y: y - 5 }, `${lat.toFixed(2)}° N`));
    }
    for (let lng = 10.6; lng < view.east; lng += 0.1) {
        const { x } = project({ lat: view.north, lng });
        lines.push(svg("path", { class: "grid", d: `M${x} 0V${view.height}` }), svg("text", { x: x + 5, y: view.height - 7 }, `${lng.toFixed(1)}° E`));
    }
    return svg("g", { "aria-hidden": "true" }, lines);
}

/** A path through the places without corners: a spline of Catmull and Rom, as curves of Bézier. */
function smooth(places, isClosed) {
    const points = places.map(([lat, lng]) => project({ lat, lng }));
    const count = points.length;
    const at = (place) => (isClosed ? points[(place + count) % count] : points[Math.max(0, Math.min(count - 1, place))]);
    let path = `M${round(points[0].x)} ${round(points[0].y)}`;
    for (let place = 0; place < (isClosed ? count : count - 1); place += 1) {
        const [before, from, to, after] = [at(place - 1), at(place), at(place + 1), at(place + 2)];
        const one = { x: from.x + (to.x - before.x) / 6, y: from.y + (to.y - before.y) / 6 };
        const two = { x: to.x - (after.x - from.x) / 6, y: to.y - (after.y - from.y) / 6 };
        path += `C${round(one.x)} ${round(one.y)} ${round(two.x)} ${round(two.y)} ${round(to.x)} ${round(to.y)}`;
    }
    return isClosed ? path + "Z" : path;
}

const round = (number) => Math.round(number * 10) / 10;
