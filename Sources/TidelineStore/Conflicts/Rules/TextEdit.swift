// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A part of a text, by its bytes: what Swift takes for the same text may be another on the wire.
typealias TextPart = [UInt8]

/// A run of parts of a text that another has other parts for.
struct TextEdit: Equatable {
    /// The places in the old text.
    var range: Range<Int>
    var replacement: [TextPart]

    /// The most differences that are looked for: the time grows with their square.
    private static let mostDifferences = 1_000

    /// Whether this is applied first.
    func isBefore(_ other: TextEdit) -> Bool {
        (range.lowerBound, range.upperBound) < (other.range.lowerBound, other.range.upperBound)
    }

    /// The shortest list of edits from one text to another, in their order, or `nil` where it is too long.
    ///
    /// Source: Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986, section 4, forward greedy.
    static func edits(from old: [TextPart], to new: [TextPart]) -> [TextEdit]? {
        guard let pairs = commonParts(old, new) else { return nil }
        var edits: [TextEdit] = []
        var (x, y) = (0, 0)
        for pair in pairs + [(old.count, new.count)] {
            if pair.0 > x || pair.1 > y {
                edits.append(TextEdit(range: x..<pair.0, replacement: Array(new[y..<pair.1])))
            }
            (x, y) = (pair.0 + 1, pair.1 + 1)
        }
        return edits
    }

    /// The places of a longest common subsequence in both.
    private static func commonParts(_ old: [TextPart], _ new: [TextPart]) -> [(Int, Int)]? {
        let most = min(old.count + new.count, mostDifferences)
        // The furthest place in `old` on each diagonal, by `diagonal + most + 1`.
        var furthest = [Int](repeating: 0, count: 2 * most + 3)
        var trace: [[Int]] = []
        for differences in 0...most {
            trace.append(furthest)
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                let place = diagonal + most + 1
                let isDown =
                    diagonal == -differences
                    || diagonal != differences && furthest[place - 1] < furthest[place + 1]
                var x = isDown ? furthest[place + 1] : furthest[place - 1] + 1
                while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
                furthest[place] = x
                if x >= old.count, x - diagonal >= new.count {
                    return path(back: trace, from: (old.count, new.count), offset: most + 1)
                }
            }
        }
        return nil
    }

    private static func path(back trace: [[Int]], from end: (Int, Int), offset: Int) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (x, y) = end
        for (differences, furthest) in trace.enumerated().reversed() {
            let diagonal = x - y
            let isDown =
                diagonal == -differences
                || diagonal != differences && furthest[diagonal - 1 + offset] < furthest[diagonal + 1 + offset]
            let previous = isDown ? diagonal + 1 : diagonal - 1
            let (startX, startY) = (furthest[previous + offset], furthest[previous + offset] - previous)
            while x > startX, y > startY {
                (x, y) = (x - 1, y - 1)
                pairs.append((x, y))
            }
            (x, y) = (startX, startY)
        }
        return pairs.reversed()
    }
}
