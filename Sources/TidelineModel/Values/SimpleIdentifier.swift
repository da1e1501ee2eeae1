// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The names of OData: a letter or `_`, then letters, digits, marks and `_`, at most 128 characters.
///
/// Letters and digits are Unicode's, so `Größe` and `名前` are names.
/// Source: OData CSDL 4.01, section 15.2, `SimpleIdentifier`.
package enum SimpleIdentifier {
    package static let maxLength = 128

    /// Whether a character may stand in a name, at its start or later.
    ///
    /// Inlined with the test for ASCII alone: what looks further needs Unicode's tables, and asks for them first of all.
    @inlinable @inline(__always)
    package static func allows(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0x5F: return true
        case 0x30...0x39: return !isFirst
        case 0..<0x80: return false
        default: return allows(beyondASCII: scalar, isFirst: isFirst)
        }
    }

    @usableFromInline @inline(never)
    static func allows(beyondASCII scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            return true
        case .decimalNumber, .nonspacingMark, .spacingMark, .connectorPunctuation, .format: return !isFirst
        default: return false
        }
    }

    package static func isName(_ text: some StringProtocol) -> Bool {
        var count = 0
        for scalar in text.unicodeScalars {
            guard allows(scalar, isFirst: count == 0), count < maxLength else { return false }
            count += 1
        }
        return count > 0
    }
}
