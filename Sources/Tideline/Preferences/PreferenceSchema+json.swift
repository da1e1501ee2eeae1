// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A schema in JSON, with the names that the kinds have in settings bundles.
///
///     {"title": "Clock", "specifiers": [
///       {"type": "Group", "title": "Time"},
///       {"type": "ToggleSwitch", "key": "is24", "title": "24-hour time", "default": true, "on": "24", "off": "12"},
///       {"type": "MultiValue", "key": "zone", "title": "Zone", "default": "Asia/Tokyo",
///        "titles": ["Detroit", "Tokyo"], "values": ["America/Detroit", "Asia/Tokyo"]},
///       {"type": "ChildPane", "title": "Sound", "pane": {"title": "Sound", "specifiers": []}}]}
extension PreferenceSchema {
    /// Reads a schema; members that it does not know are passed over.
    ///
    /// - Throws: ``PreferenceError/Code/invalidSchema``, also for what a checked schema may not have.
    public init(json: String) throws(PreferenceError) {
        let pane: Pane
        do { pane = try JSONDecoder().decode(Pane.self, from: Data(json.utf8)) } catch {
            throw PreferenceError(.invalidSchema, message: "The schema is no JSON of the right form: \(error)")
        }
        self = try pane.schema()
    }

    private struct Pane: Decodable {
        var title: String
        var specifiers: [Line]

        func schema() throws(PreferenceError) -> PreferenceSchema {
            var all: [PreferenceSpecifier] = []
            for line in specifiers { all.append(try line.specifier()) }
            return try PreferenceSchema(title: title, all)
        }
    }

    private struct Line: Decodable {
        enum CodingKeys: String, CodingKey {
            case type, key, title, on, off, minimum, maximum, titles, values, pane
            case defaultValue = "default"
        }

        var type: String
        var key: String?
        var title: String?
        var defaultValue: PreferenceValue?
        var on: PreferenceValue?
        var off: PreferenceValue?
        var minimum: Double?
        var maximum: Double?
        var titles: [String]?
        var values: [PreferenceValue]?
        var pane: Pane?

        func specifier() throws(PreferenceError) -> PreferenceSpecifier {
            let title = title ?? key ?? ""
            switch type {
            case "Group": return .group(title: title)
            case "ChildPane": return .child(title: title, pane: try required(pane, "pane").schema())
            case "TextField": return .textField(key: try name(), title: title, defaultValue: try text(or: ""))
            case "TitleValue": return try titleValue(title)
            case "ToggleSwitch": return try toggle(title)
            case "Slider":
                return .slider(
                    key: try name(),
                    title: title,
                    defaultValue: try number(required(defaultValue, "default")),
                    minimum: try required(minimum, "minimum"),
                    maximum: try required(maximum, "maximum")
                )
            case "MultiValue":
                return .multiValue(
                    key: try name(),
                    title: title,
                    defaultValue: try required(defaultValue, "default"),
                    titles: try required(titles, "titles"),
                    values: try required(values, "values")
                )
            default: throw refused("has the type '\(type)', which there is not")
            }
        }

        private func titleValue(_ title: String) throws(PreferenceError) -> PreferenceSpecifier {
            let (titles, values) = (titles ?? [], values ?? [])
            guard titles.count == values.count else {
                throw refused("has \(titles.count) titles and \(values.count) values")
            }
            let shown = Dictionary(zip(values, titles), uniquingKeysWith: { first, _ in first })
            let value = try required(defaultValue, "default")
            return .titleValue(key: try name(), title: title, defaultValue: value, titles: shown)
        }

        private func toggle(_ title: String) throws(PreferenceError) -> PreferenceSpecifier {
            let (on, off) = (on ?? true, off ?? false)
            let value = defaultValue ?? off
            let isOn = value == on || value == true
            guard isOn || value == off || value == false else {
                throw refused("has a default that is neither on nor off")
            }
            return .toggle(key: try name(), title: title, defaultValue: isOn, on: on, off: off)
        }

        private func name() throws(PreferenceError) -> String { try required(key, "key") }

        private func text(or absent: String) throws(PreferenceError) -> String {
            guard let defaultValue else { return absent }
            guard case .string(let text) = defaultValue else { throw refused("has a default that is no text") }
            return text
        }

        private func number(_ value: PreferenceValue) throws(PreferenceError) -> Double {
            switch value {
            case .double(let number): return number
            case .integer(let number): return Double(number)
            default: throw refused("has a default that is no number")
            }
        }

        private func required<Part>(_ part: Part?, _ name: String) throws(PreferenceError) -> Part {
            guard let part else { throw refused("has no '\(name)'") }
            return part
        }

        private func refused(_ what: String) -> PreferenceError {
            PreferenceError(.invalidSchema, key: key, message: "The preference '\(key ?? title ?? type)' \(what).")
        }
    }
}
