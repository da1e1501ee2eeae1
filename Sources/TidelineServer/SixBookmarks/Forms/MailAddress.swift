// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a form takes for an e-mail address.
enum MailAddress {
    /// What to say of anything else.
    static let advice = "Enter an e-mail address, such as ann@example.com."

    /// As HTML's own field for it, with a point in the domain: no comments, no quoted names, nothing that could end a
    /// line of a mail's head.
    ///
    /// Source: HTML Living Standard, section 4.10.5.1.5, "valid e-mail address".
    static func isAddress(_ text: String) -> Bool {
        let sides = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, sides.count == 2, !sides[0].isEmpty, sides[0].count <= 64,
            sides[0].allSatisfy({ isWordByte($0) || Array(".!#$%&'*+/=?^_`{|}~-".utf8).contains($0) })
        else { return false }
        let labels = sides[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty && label.count <= 63 && label.first != UInt8(ascii: "-")
                    && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "-") }
            }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
