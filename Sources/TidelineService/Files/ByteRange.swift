// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The one range of bytes that a request asks for.
///
///     Range: bytes=0-499   bytes=500-   bytes=-500
///
/// Source: RFC 9110, section 14.
enum ByteRange: Equatable {
    /// No range, or several, or one that is not understood: the whole is answered.
    case whole
    case part(Range<Int>)
    /// Nothing of it is there: status 416.
    case unsatisfiable

    init(_ field: String?, count: Int) {
        self = .whole
        guard let field, field.lowercased().hasPrefix("bytes="), !field.contains(",") else { return }
        let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map {
            $0.filter { $0 != " " }
        }
        func number(_ text: String) -> Int? {
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
            return Int(text) ?? Int.max
        }
        guard parts.count == 2 else { return }
        switch (number(parts[0]), number(parts[1])) {
        case (nil, let last?) where parts[0].isEmpty:
            self = last == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - last)..<count)
        case (let first?, nil) where parts[1].isEmpty:
            self = first < count ? .part(first..<count) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
        default: return
        }
    }
}
