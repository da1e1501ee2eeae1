// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Whether two values are the same structure: numbers by value, members by name, null members as if absent.
    package func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.boolean(let one), .boolean(let two)): return one == two
        case (.string(let one), .string(let two)): return one.utf8.elementsEqual(two.utf8)
        case (.number(let one), .number(let two)):
            if let first = EdmDecimal(one), let second = EdmDecimal(two) {
                return EdmDecimal.compare(first, second) == 0
            }
            return Double(one) == Double(two)
        case (.array(let one), .array(let two)):
            return one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
        case (.object(let one), .object(let two)):
            let names = Set((one + two).map { Array($0.name.utf8) })
            return names.allSatisfy { name in
                let name = [String(decoding: name, as: UTF8.self)]
                return member(name).isSame(as: other.member(name))
            }
        default: return false
        }
    }
}
