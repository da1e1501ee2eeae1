// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import TidelineStorage

/// How texts are ordered.
public enum TextOrder: Hashable, Sendable {
    /// By the bytes of UTF-8, as everywhere in Tideline: `B` before `a`.
    case exact
    /// The same without regard to letter case: `a`, `B`, `c`.
    case caseInsensitive
    /// By a collation; on a device alone, and never in an index.
    case collated(TextCollation)

    /// As a dictionary of a language has them, without regard to letter case: `é` stands between `e` and `f`.
    ///
    /// The order is the platform's own, so that two devices may differ in it.
    public static func localized(_ locale: Locale = .current) -> TextOrder { .collated(.localized(locale)) }
}

extension TextCollation {
    /// The order of texts in a language, as the platform knows it; letter case decides among what is alike without it.
    public static func localized(_ locale: Locale) -> TextCollation {
        TextCollation(name: "tideline_locale_" + locale.identifier) { left, right in
            let order = left.compare(right, options: .caseInsensitive, range: nil, locale: locale)
            guard order == .orderedSame else { return order.rawValue }
            return left.compare(right, options: [], range: nil, locale: locale).rawValue
        }
    }
}

extension Query {
    /// Ordered by a text, after the orders that were given before; null comes first, and last where it descends.
    ///
    ///     Song.all.sorted(.caseInsensitive) { $0.title }
    ///     Song.all.sorted(.localized()) { $0.title }
    ///
    /// - Parameters:
    ///   - order: how texts are compared.
    ///   - descending: whether the last comes first.
    ///   - term: the text.
    public func sorted(
        _ order: TextOrder,
        descending: Bool = false,
        by term: (Result.Columns) -> Term<String>
    ) -> Query {
        let text = term(Result.Columns(navigationPath: []))
        switch order {
        case .exact: return adding(SortKey(expression: text.expression, isDescending: descending))
        case .caseInsensitive:
            return adding(SortKey(expression: text.lowercased().expression, isDescending: descending))
        case .collated(let collation):
            return adding(
                SortKey(expression: text.expression, isDescending: descending, collation: collation)
            )
        }
    }
}
