// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One line of a preference pane.
///
/// The seven kinds are those that settings of apps have had since the first iPhone.
public enum PreferenceSpecifier: Hashable, Sendable {
    /// A heading for what follows, up to the next one.
    case group(title: String)
    /// Text that can be edited.
    case textField(key: String, title: String, defaultValue: String)
    /// A value that is shown and set by the app alone; `titles` says how values are shown, where they are not plain.
    case titleValue(key: String, title: String, defaultValue: PreferenceValue, titles: [PreferenceValue: String] = [:])
    /// On or off; the app gets `on` and `off`.
    case toggle(
        key: String,
        title: String,
        defaultValue: Bool,
        on: PreferenceValue = true,
        off: PreferenceValue = false
    )
    /// A number in a range.
    case slider(key: String, title: String, defaultValue: Double, minimum: Double, maximum: Double)
    /// One of several values; the places of `titles` are those of `values`.
    case multiValue(
        key: String,
        title: String,
        defaultValue: PreferenceValue,
        titles: [String],
        values: [PreferenceValue]
    )
    /// A pane of its own; its keys are of the same space.
    case child(title: String, pane: PreferenceSchema)

    /// The key of the value, or `nil` for a heading or a pane.
    public var key: String? {
        switch self {
        case .group, .child: nil
        case .textField(let key, _, _), .titleValue(let key, _, _, _), .toggle(let key, _, _, _, _),
            .slider(let key, _, _, _, _), .multiValue(let key, _, _, _, _):
            key
        }
    }

    /// What a person reads.
    public var title: String {
        switch self {
        case .group(let title), .textField(_, let title, _), .titleValue(_, let title, _, _),
            .toggle(_, let title, _, _, _), .slider(_, let title, _, _, _), .multiValue(_, let title, _, _, _),
            .child(let title, _):
            title
        }
    }

    /// The value of a key that was never set, or `nil` for a heading or a pane.
    public var defaultValue: PreferenceValue? {
        switch self {
        case .group, .child: nil
        case .textField(_, _, let value): .string(value)
        case .titleValue(_, _, let value, _): value
        case .toggle(_, _, let value, let on, let off): value ? on : off
        case .slider(_, _, let value, _, _): .double(value)
        case .multiValue(_, _, let value, _, _): value
        }
    }

    /// The value as the specifier keeps it, or `nil` when it does not fit.
    func fitted(_ value: PreferenceValue) -> PreferenceValue? {
        switch self {
        case .group, .child: return nil
        case .textField:
            if case .string = value { return value }
            return nil
        case .titleValue: return value
        case .toggle(_, _, _, let on, let off): return value == on || value == off ? value : nil
        case .slider(_, _, _, let minimum, let maximum):
            let number: Double? =
                switch value {
                case .double(let number): number
                case .integer(let number): Double(number)
                default: nil
                }
            guard let number, number >= minimum, number <= maximum else { return nil }
            return .double(number)
        case .multiValue(_, _, _, _, let values): return values.contains(value) ? value : nil
        }
    }

    /// The value that a person's text means, as on a command line or in a form, or `nil` when there is none.
    ///
    /// Of several values the title or the text of the value; for a toggle `on`, `off`, `true`, `false`, `yes` or `no`.
    func value(of text: String) -> PreferenceValue? {
        switch self {
        case .group, .child, .titleValue: return nil
        case .textField: return .string(text)
        case .toggle(_, _, _, let on, let off):
            switch text.lowercased() {
            case "on", "true", "yes": return on
            case "off", "false", "no": return off
            default: return [on, off].first { $0.text == text }
            }
        case .slider: return Double(text).flatMap { fitted(.double($0)) }
        case .multiValue(_, _, _, let titles, let values):
            let place = titles.firstIndex(of: text) ?? values.firstIndex { $0.text == text }
            return place.map { values[$0] }
        }
    }

    /// How a value is shown.
    func shown(_ value: PreferenceValue) -> String {
        switch self {
        case .titleValue(_, _, _, let titles): titles[value] ?? value.text
        case .toggle(_, _, _, let on, _): value == on ? "on" : "off"
        case .multiValue(_, _, _, let titles, let values): values.firstIndex(of: value).map { titles[$0] } ?? value.text
        default: value.text
        }
    }
}
