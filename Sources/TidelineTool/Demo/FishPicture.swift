// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A drawing of a fish on the planks of a pier: what a catch of the demo looks like.
struct FishPicture {
    private enum Marks {
        case bars, spots, stripes
    }

    static let width = 320
    static let height = 240

    /// From head to tail, and from back to belly, in pixels.
    private let length: Double
    private let depth: Double
    /// Back, flank, belly and fins.
    private let colours: [UInt32]
    private let marks: Marks

    static let cod = FishPicture(210, 84, [0x6E6A4A, 0x9A9468, 0xD9D3B4, 0x7D7650], .spots)
    static let perch = FishPicture(180, 82, [0x4E6233, 0x8A9A4A, 0xE2DDB8, 0xC2562F], .bars)
    static let trout = FishPicture(220, 70, [0x5B6A57, 0xA8A58A, 0xE8E1CC, 0x8C7A5A], .spots)
    static let mackerel = FishPicture(230, 58, [0x1F5B66, 0x6FA3A6, 0xE6ECE8, 0x49747A], .stripes)
    static let pike = FishPicture(260, 56, [0x4C5A35, 0x7C8A52, 0xD6D2A8, 0x8A6B3A], .spots)

    private init(_ length: Double, _ depth: Double, _ colours: [UInt32], _ marks: Marks) {
        self.length = length
        self.depth = depth
        self.colours = colours
        self.marks = marks
    }

    /// The picture as PNG.
    var png: [UInt8] {
        let planks: [UInt32] = [0xB98F62, 0xC69C6E, 0xAD8357, 0x8F6A44]
        let rest: [UInt32] = [0x2B2E2C, 0xF3F0E2, 0x14181A, 0x7A5A3A]
        var pixels: [UInt8] = []
        pixels.reserveCapacity(Self.width * Self.height)
        for row in 0..<Self.height {
            for column in 0..<Self.width { pixels.append(pixel(column, row)) }
        }
        return PNGWriter.bytes(width: Self.width, height: Self.height, pixels: pixels, palette: planks + colours + rest)
    }

    // MARK: Places in the palette

    private static let seam: UInt8 = 3
    private static let back: UInt8 = 4
    private static let fin: UInt8 = 7
    private static let mark: UInt8 = 8
    private static let eye: UInt8 = 9
    private static let pupil: UInt8 = 10
    private static let shadow: UInt8 = 11

    // MARK: Points, from the middle of the body, in halves of its length and depth

    private func pixel(_ column: Int, _ row: Int) -> UInt8 {
        let (x, y) = (Double(column) - 150, Double(row) - 120)
        let (along, down) = (x / (length / 2), y / (depth / 2))
        let fromEye = (x + 0.4 * length, y + 0.06 * depth)
        let distance = fromEye.0 * fromEye.0 + fromEye.1 * fromEye.1
        if distance < 11 { return Self.pupil }
        if distance < 30 { return Self.eye }
        if isBody(x, y, grown: 0) { return body(along, down, column, row) }
        if isTail(x, y) || isFin(along, down) { return Self.fin }
        if isBody(x - 5, y - 7, grown: 1) || isTail(x - 5, y - 7) { return Self.shadow }
        return plank(column, row)
    }

    /// An ellipse that is slimmer towards the tail.
    private func isBody(_ x: Double, _ y: Double, grown: Double) -> Bool {
        let along = x / (length / 2 + grown)
        guard abs(along) < 1 else { return false }
        let half = (depth / 2 + grown) * (1 - along * along).squareRoot() * (1 - 0.14 * (along + 1))
        return abs(y) < half
    }

    /// Two lobes with a notch between them.
    private func isTail(_ x: Double, _ y: Double) -> Bool {
        let half = length / 2
        let behind = x - half * 0.86
        guard behind > 0, behind < half * 0.34, abs(y) < depth * 0.1 + behind * 0.62 else { return false }
        return behind <= half * 0.2 || abs(y) >= (behind - half * 0.2) * 1.1
    }

    private func isFin(_ along: Double, _ down: Double) -> Bool {
        let top = -(1 + 0.32 * (1 - abs(along - 0.05) / 0.42))
        if along > -0.35, along < 0.45, down > top, down < -0.5 { return true }
        let bottom = 0.85 + 0.25 * (1 - abs(along - 0.35) / 0.15)
        return along > 0.2 && along < 0.5 && down > 0.4 && down < bottom
    }

    private func body(_ along: Double, _ down: Double, _ column: Int, _ row: Int) -> UInt8 {
        // The edge of the gill.
        if abs(along + 0.62) < 0.012, abs(down) < 0.6 { return Self.mark }
        let isMarked =
            switch marks {
            case .bars: along > -0.5 && down < 0.35 && Int((along + 1) * 9) % 3 == 0
            case .stripes: along > -0.6 && down < 0.15 && Int((along + 1) * 13) % 3 == 0
            case .spots: along > -0.6 && down < 0.3 && isSpot(column, row)
            }
        if isMarked { return Self.mark }
        return down < -0.3 ? Self.back : down < 0.3 ? Self.back + 1 : Self.back + 2
    }

    /// One in six fields of a grid has a spot in its middle.
    private func isSpot(_ column: Int, _ row: Int) -> Bool {
        let (x, y) = (column % 11 - 5, row % 9 - 4)
        return (column / 11 * 7 + row / 9 * 5) % 6 == 0 && x * x + y * y < 9
    }

    /// Boards of 48 pixels with their grain.
    private func plank(_ column: Int, _ row: Int) -> UInt8 {
        let (board, inside) = (row / 48, row % 48)
        if inside == 0 { return Self.seam }
        if (column * 7 + board * 131 + inside * inside / 9) % 97 < 2 { return board % 2 == 1 ? Self.seam : 2 }
        return [0, 1, 2, 1, 0][board]
    }
}
