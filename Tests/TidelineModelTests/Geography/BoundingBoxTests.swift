// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

/// The box that is asked of an index before a distance is computed.
struct BoundingBoxTests {
    private static func distance(_ left: Geography.Position, _ right: Geography.Position) -> Double {
        Geography.distance(Geography(.point(left)), Geography(.point(right))) ?? .infinity
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `no position within the distance is outside of the box`(seed: UInt64) throws {
        print("seed \(seed)")
        var state = seed
        /// SplitMix64, from 0 to 1.
        func next() -> Double {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return Double((word ^ (word >> 31)) >> 11) / Double(1 << 53)
        }
        var inside = 0
        var left = 0
        for _ in 0..<400 {
            // Every third centre is near a pole, the antimeridian or both.
            let isEdge = next() < 0.33
            let center = Geography.Position(
                isEdge ? (next() < 0.5 ? -1 : 1) * (180 - next() * 0.5) : next() * 360 - 180,
                isEdge ? (next() < 0.5 ? -1 : 1) * (90 - next() * 2) : next() * 180 - 90
            )
            let reach = [1, 1000, 50_000, 3_000_000, 15_000_000][Int(next() * 5)] * next()
            let box = BoundingBox(around: center, within: reach)
            let width = reach / 111_000 * 3
            for _ in 0..<100 {
                let near = next() < 0.7
                var x = near ? center.x + (next() - 0.5) * width : next() * 360 - 180
                if x > 180 { x -= 360 }
                if x < -180 { x += 360 }
                let y = near ? center.y + (next() - 0.5) * width : next() * 180 - 90
                let position = Geography.Position(max(-180, min(180, x)), max(-90, min(90, y)))
                if Self.distance(center, position) <= reach {
                    inside += 1
                    #expect(box?.contains(position) ?? true, "\(center) \(reach) \(position)")
                } else if let box, !box.contains(position) {
                    left += 1
                }
            }
        }
        // The cases are no empty ones.
        #expect(inside > 1_000)
        #expect(left > 1_000)
    }

    @Test func `a box at the antimeridian has two ranges, one around a pole has all longitudes`() throws {
        let east = try #require(BoundingBox(around: .init(179.9, 0), within: 30_000)?.longitudes)
        #expect(east.count == 2)
        #expect(east[0].lowerBound == -180)
        #expect(abs(east[0].upperBound + 179.8302) < 0.001)
        #expect(east[1].upperBound == 180)
        let touching = try #require(BoundingBox(around: .init(-180, 10), within: 1)?.longitudes)
        #expect(touching.count == 2)
        #expect(touching.allSatisfy { $0.contains(-180) || $0.contains(180) })
        let pole = try #require(BoundingBox(around: .init(10, 89.9), within: 30_000))
        #expect(pole.longitudes == nil)
        #expect(pole.latitudes.upperBound == 90)
    }

    @Test func `what leaves nothing out, or is no place on the globe, has no box`() {
        #expect(BoundingBox(around: .init(0, 0), within: 30_000_000) == nil)
        #expect(BoundingBox(around: .init(0, 91), within: 1) == nil)
        #expect(BoundingBox(around: .init(-180.5, 0), within: 1) == nil)
        #expect(BoundingBox(around: .init(0, 0), within: -1) == nil)
        #expect(BoundingBox(around: .init(0, 0), within: .nan) == nil)
    }
}
