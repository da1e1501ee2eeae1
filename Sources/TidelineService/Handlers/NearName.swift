// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The name that was probably meant, for the sentence that refuses another.
enum NearName {
    /// The name that differs in the case of its letters alone, or else by a few letters at its end.
    ///
    ///     products → Products      Product → Products
    static func of(_ name: String, among names: [String]) -> String? {
        guard name.utf8.count <= 128 else { return nil }
        let wanted = name.lowercased()
        if let same = names.first(where: { $0.lowercased() == wanted }) { return same }
        guard wanted.utf8.count >= 3 else { return nil }
        return names.first { other in
            let other = other.lowercased()
            return abs(other.utf8.count - wanted.utf8.count) <= 3
                && (other.hasPrefix(wanted) || wanted.hasPrefix(other))
        }
    }
}
