// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads keys from the bytes of a terminal.
///
/// Bytes that end in the middle of a character wait for the rest; what is no key is left out.
public struct KeyParser: Sendable {
    private var rest: [UInt8] = []

    public init() {}

    /// The keys of the next bytes that were read together.
    ///
    /// An escape that nothing follows is the key of that name: a terminal sends the others in one piece.
    public mutating func keys(_ bytes: [UInt8]) -> [Key] {
        var input = (rest + bytes)[...]
        rest = []
        var keys: [Key] = []
        while let first = input.first {
            if first == 0x1B {
                input.removeFirst()
                if let key = Self.escape(&input) { keys.append(key) }
            } else if first < 0x20 || first == 0x7F {
                input.removeFirst()
                if let key = Self.control(first) { keys.append(key) }
            } else if let character = Self.character(&input) {
                keys.append(.character(character))
            } else if Self.isBegun(input) {
                rest = Array(input)
                break
            } else {
                input.removeFirst()
            }
        }
        return keys
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x03, 0x04: .interrupt
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x01: .home
        case 0x05: .end
        default: nil
        }
    }

    /// What follows an escape: `[` or `O`, numbers, and a letter that says which.
    private static func escape(_ input: inout ArraySlice<UInt8>) -> Key? {
        guard let kind = input.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return .escape }
        input.removeFirst()
        let numbers = input.prefix { (0x30...0x3F).contains($0) }
        input = input.dropFirst(numbers.count)
        guard let letter = input.popFirst() else { return nil }
        switch letter {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "~"):
            switch String(decoding: numbers, as: UTF8.self) {
            case "3": return .delete
            case "1", "7": return .home
            case "4", "8": return .end
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether these are the first bytes of a character, and no more.
    private static func isBegun(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, (0xC2...0xF4).contains(first) else { return false }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        return bytes.count < length && bytes.dropFirst().allSatisfy { (0x80...0xBF).contains($0) }
    }

    private static func character(_ input: inout ArraySlice<UInt8>) -> Character? {
        for length in 1...4 where length <= input.count {
            guard let text = String(validating: input.prefix(length), as: UTF8.self), let character = text.first else {
                continue
            }
            input = input.dropFirst(length)
            // Control characters of two bytes are no keys.
            return text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ? character : "\u{FFFD}"
        }
        return nil
    }
}
