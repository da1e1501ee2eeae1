// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A line that is typed unseen at a terminal which hands over each byte at once.
///
/// So the program hears Ctrl-C itself, and can give the terminal its echo back before it ends.
public struct UnseenLine: Sendable {
    /// How the typing ended.
    public enum End: Hashable, Sendable {
        /// With a line: Enter, or the end of the input after some bytes.
        case line(String)
        /// With nothing: the end of the input.
        case nothing
        /// With Ctrl-C or Ctrl-\.
        case interrupted
    }

    private var bytes: [UInt8] = []

    public init() {}

    /// Takes a byte; `nil` for the end of the input.
    ///
    /// - Returns: how the typing ended; `nil` while it goes on.
    public mutating func type(_ byte: UInt8?) -> End? {
        switch byte {
        case 0x03, 0x1C: return .interrupted
        case nil, 0x04: return bytes.isEmpty ? .nothing : .line(text)
        case 0x0A, 0x0D: return .line(text)
        case 0x08, 0x7F: eraseCharacter()
        // Ctrl-U erases the line, and so does Ctrl-W: where a word begins nobody sees.
        case 0x15, 0x17: bytes = []
        // Other keys of a terminal are no letters.
        case let byte? where byte < 0x20 && byte != 0x09: break
        case let byte?: bytes.append(byte)
        }
        return nil
    }

    private var text: String { String(decoding: bytes, as: UTF8.self) }

    /// A character may be of several bytes: those that follow its first one go with it.
    private mutating func eraseCharacter() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}
