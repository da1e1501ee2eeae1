// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/** Distances and places, as the service has them. */

const RADIUS = 6_371_008.8;
const radians = (degrees) => (degrees * Math.PI) / 180;

/** Metres between two places, by the formula of the service's `geo.distance`. */
export function distance(a, b) {
    const lat = Math.sin(radians(b.lat - a.lat) / 2);
    const lng = Math.sin(radians(b.lng - a.lng) / 2);
    const chord = lat * lat + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * lng * lng;
    return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** The place that lies so many metres to the north and to the east. */
export function moved(place, north, east) {
    const lat = place.lat + (north / RADIUS) * (180 / Math.PI);
    const lng = place.lng + (east / (RADIUS * Math.cos(radians(place.lat)))) * (180 / Math.PI);
    return rounded({ lat: Math.max(-90, Math.min(90, lat)), lng: Math.max(-180, Math.min(180, lng)) });
}

/** Five digits are a metre: more say nothing about a finger on a map. */
export function rounded(place) {
    return { lat: Number(place.lat.toFixed(5)), lng: Number(place.lng.toFixed(5)) };
}

export function kilometres(metres) {
    return metres < 950 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(1)} km`;
}

/** The condition that the service answers from its index. */
export function nearFilter(point, metres) {
    return `geo.distance(Location,geography'SRID=4326;Point(${point.lng} ${point.lat})') le ${metres}`;
}

/** What the map shows, with width and height in units of its picture. */
export const view = { west: 10.56, east: 10.86, south: 59.805, north: 59.955, width: 640, height: 638 };

export function project(place) {
    return {
        x: ((place.lng - view.west) / (view.east - view.west)) * view.width,
        y: ((view.north - place.lat) / (view.north - view.south)) * view.height,
    };
}

export function unproject(x, y) {
    return rounded({
        lng: view.west + (x / view.width) * (view.east - view.west),
        lat: view.north - (y / view.height) * (view.north - view.south),
    });
}

/** Metres as units of the picture, upward; to the side they are the same in its middle. */
export function units(metres) {
    return (metres / RADIUS) * (180 / Math.PI) * (view.height / (view.north - view.south));
}
