// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreFixture {
    /// The rows of a fresh world by set: the canonical text of each value, `nil` for null, `-` for what the database
    /// makes.
    ///
    /// Orders get the keys 1 to 6, in this order.
    static let rows: [(set: String, rows: [[String?]])] = [
        ("Clients", [["k1", "Ann", "4.5"], ["k2", "Bob", nil], ["k3", "Émile", "3"], ["É", "Zoë", "4.5"]]),
        ("Profiles", [["k1", "first"], ["k3", nil]]),
        (
            "Sellers",
            [
                ["1", "Chief", nil, nil], ["2", "Second", "1", "1"], ["3", "Third", "1", "2"], ["4", nil, "2", nil],
            ]
        ),
        (
            "Orders",
            [
                ["-", "a", "k1", "2", "10.5", "2024-01-01T10:00:00Z"],
                ["-", "b", "k1", "3", "250", "2024-01-01T10:00:00.25Z"],
                ["-", nil, "k2", nil, "100", nil],
                ["-", nil, nil, "2", "10.5", "1969-12-31T23:59:59.999Z"],
                ["-", "e", "k3", nil, "0.01", nil],
                ["-", "f", "k1", "2", "99999999.99", "2024-01-01T10:00:00Z"],
            ]
        ),
        (
            "Products",
            [
                [product(1), "Bolt", "S", "0.05", "-"], [product(2), "Bolt", "L", "0.1", "-"],
                [product(255), "Nut", nil, nil, "-"],
            ]
        ),
        (
            "Lines",
            [
                ["1", "1", product(1), "5", nil], ["1", "2", product(2), "7", "soon"],
                ["2", "1", product(255), "1", "a|b"], ["6", "10", product(1), "2", nil],
                ["6", "9", product(255), "3", ""],
            ]
        ),
        (
            "Albums",
            [
                ["1", "T1", #"[{"Text":"b","Weight":5},{"Text":"a","Weight":null}]"#, "[1,2,3]"],
                ["2", "T2", #"[{"Text":"a \"q\"","Weight":-1}]"#, "[]"], ["3", "T3", "-", "-"],
            ]
        ),
        ("Samples", samples(of: [sampleFull, sampleLow, [String?](repeating: nil, count: 16)])),
    ]

    /// The text of a product's key.
    static func product(_ number: UInt8) -> String {
        "00000000-0000-4000-8000-0000000000" + (number < 16 ? "0" : "") + String(number, radix: 16)
    }

    /// The texts of the rows of Samples that have no null.
    static let sampleTexts: [[String?]] = Array(samples(of: [sampleFull, sampleLow]))

    private static let sampleFull: [String?] = [
        "AAH_", "true", "255", "2024-02-29", "2024-02-29T12:30:15.25Z", "1234567.8901", "0.1", "P1DT12H0.5S",
        "abcdef00-0000-4000-8000-0000000000ff", "32767", "2147483647", "9223372036854775807", "127", "1.5",
        "straße \u{1F30A} ' \" \\", "23:59:59.999",
    ]

    private static let sampleLow: [String?] = [
        "", "false", "0", "0001-01-01", "1901-01-01T00:00:00Z", "-0.0001", "-2.5e-300", "-PT1S",
        "00000000-0000-0000-0000-000000000000", "-32768", "-2147483648", "-9223372036854775808", "-128", "-0.5", "",
        "00:00:00",
    ]

    private static func samples(of rows: [[String?]]) -> [[String?]] {
        rows.enumerated().map { ["\($0 + 1)"] + $1 }
    }

    /// The values to insert of a row of texts.
    static func values(_ texts: [String?], _ set: EntitySet) throws -> [Int: Value] {
        var values: [Int: Value] = [:]
        for (place, text) in texts.enumerated() where text != "-" {
            let type = set.type.properties[place].type
            values[place] = try text.map { try #require(Value(text: $0, as: type)) } ?? .null
        }
        return values
    }

    /// Inserts the rows of the fixture in one transaction.
    static func fill(_ store: any Store) throws {
        try store.write { writer in
            for (name, rows) in rows {
                let set = try #require(store.model[set: name])
                for row in rows { _ = try writer.insert(values(row, set), into: set) }
            }
        }
    }
}
