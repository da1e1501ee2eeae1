// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The texts of a simulation name the event that wrote them: `w17.2b` is the third change of event 17, its second text.
enum WrittenValue {
    static func text(event: Int, place: Int, _ part: String = "") -> String { "w\(event).\(place)\(part)" }

    /// The number of the event that wrote a text, or `nil` for a text that nobody of the simulation writes.
    static func event(of text: String) -> Int? {
        guard text.utf8.first == UInt8(ascii: "w") else { return nil }
        var number = 0
        for byte in text.utf8.dropFirst() {
            if byte == UInt8(ascii: ".") { return number }
            guard byte >= 48, byte < 58 else { return nil }
            number = number * 10 + Int(byte - 48)
        }
        return nil
    }

    /// Those of each set of a model.
    static func places(in model: EntityModel) -> [[Int]] { model.sets.map { places(of: $0.type) } }

    /// The places of the properties of a type that hold such texts.
    static func places(of type: EntityType) -> [Int] {
        type.properties.indices.filter { place in
            type.properties[place].type == .string && !type.key.contains(place)
                && !type.navigationProperties.contains { navigation in
                    navigation.isDependent && navigation.constraints.contains { $0.source == place }
                }
        }
    }
}
