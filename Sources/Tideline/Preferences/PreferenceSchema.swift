// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a person can set in an app: a pane of specifiers, checked when it is made.
///
///     let schema = try PreferenceSchema(title: "Clock", [
///         .toggle(key: "is24", title: "24-hour time", defaultValue: true),
///         .multiValue(key: "zone", title: "Time zone", defaultValue: "Asia/Tokyo",
///                     titles: ["Detroit", "Tokyo"], values: ["America/Detroit", "Asia/Tokyo"]),
///     ])
public struct PreferenceSchema: Hashable, Sendable {
    public let title: String
    public let specifiers: [PreferenceSpecifier]

    /// Makes a pane, and its children's keys part of it.
    ///
    /// - Throws: ``PreferenceError/Code/invalidSchema`` for a key that is empty or stands twice, a multi-value without
    ///   values or with other numbers of titles and values, a range that is empty, a toggle with one value for both
    ///   places, and a default outside of the values.
    public init(title: String, _ specifiers: [PreferenceSpecifier]) throws(PreferenceError) {
        self.title = title
        self.specifiers = specifiers
        var keys = Set<String>()
        for specifier in all {
            try PreferenceSchema.check(specifier)
            guard let key = specifier.key else { continue }
            guard !key.isEmpty, keys.insert(key).inserted else {
                throw PreferenceError(.invalidSchema, key: key, message: "The key '\(key)' is empty or stands twice.")
            }
        }
    }

    /// The specifiers of this pane and of all its children, in order.
    public var all: [PreferenceSpecifier] {
        specifiers.flatMap { specifier in
            if case .child(_, let pane) = specifier { [specifier] + pane.all } else { [specifier] }
        }
    }

    /// The specifier of a key, or `nil`.
    public subscript(key: String) -> PreferenceSpecifier? { all.first { $0.key == key } }

    private static func check(_ specifier: PreferenceSpecifier) throws(PreferenceError) {
        func refused(_ what: String) -> PreferenceError {
            let key = specifier.key ?? ""
            return PreferenceError(.invalidSchema, key: key, message: "The preference '\(key)' \(what).")
        }
        switch specifier {
        case .group, .child, .textField, .titleValue: break
        case .toggle(_, _, _, let on, let off):
            guard on != off else { throw refused("has one value for on and off") }
        case .slider(_, _, let value, let minimum, let maximum):
            guard minimum < maximum else { throw refused("has an empty range") }
            guard value >= minimum, value <= maximum else { throw refused("has a default outside of its range") }
        case .multiValue(_, _, let value, let titles, let values):
            guard titles.count == values.count, !values.isEmpty else {
                throw refused("has \(titles.count) titles and \(values.count) values")
            }
            guard Set(values).count == values.count else { throw refused("has a value twice") }
            guard values.contains(value) else { throw refused("has a default that is none of its values") }
        }
    }
}
