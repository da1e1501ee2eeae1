// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The texts that devices of a small search write: each is written once, and tells who wrote it.
///
///     <a1> <a2> … <b1> <b2> …
///
/// A set of them is a set of bits.
enum SmallText {
    /// The most writes of one device.
    static let most = 8

    /// - Parameter number: of the write among those of the device, from one.
    static func text(_ device: Int, _ number: Int) -> String { "<\(name(device))\(number)>" }

    static func bit(_ device: Int, _ number: Int) -> UInt16 { 1 << UInt16(device * most + number - 1) }

    /// Those that stand anywhere in a text.
    static func bits(in text: String) -> UInt16 {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return 0 }
        var bits: UInt16 = 0
        for (known, bit) in all where text.utf8.count >= known.utf8.count && text.contains(known) { bits |= bit }
        return bits
    }

    /// All that were written when the devices have written so many.
    static func written(_ counts: (UInt8, UInt8)) -> UInt16 {
        (UInt16(1) << UInt16(counts.0) - 1) | ((UInt16(1) << UInt16(counts.1) - 1) << UInt16(most))
    }

    static func names(_ bits: UInt16) -> String {
        all.filter { $0.1 & bits != 0 }.map(\.0).joined(separator: ", ")
    }

    static func name(_ device: Int) -> String { device == 0 ? "a" : "b" }

    private static let all: [(String, UInt16)] = (0..<2).flatMap { device in
        (1...most).map { (text(device, $0), bit(device, $0)) }
    }
}
