// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// What one change of a row replaced: the values of before and those of after.
struct ReplacedValues {
    /// The most changes of one request that are remembered; a request that changes more does so on purpose.
    static let most = 1_000

    typealias Assignment = (place: Int, value: Value)

    let entity: Resource.Entity
    /// The version that the row had.
    let version: ETag
    /// The row as it was, by place.
    let row: [Value]
    let before: [Assignment]
    /// `nil` where the row was deleted.
    let after: [Assignment]?

    /// - Parameter values: the values that the row gets, by place; `nil` when it is deleted.
    init(_ entity: Resource.Entity, _ current: StoredEntity, by values: [Int: Value]?) {
        self.entity = entity
        version = current.etag
        row = current.values
        guard let values else {
            before = current.values.enumerated().map { ($0, $1) }
            after = nil
            return
        }
        let places = values.keys.filter { values[$0] != current.values[$0] }.sorted()
        before = places.map { ($0, current.values[$0]) }
        after = places.map { ($0, values[$0] ?? .null) }
    }

    private init(_ later: ReplacedValues, of row: [Value]) {
        entity = later.entity
        version = later.version
        self.row = row
        let after = later.after?.filter { row[$0.place] != $0.value }
        before = (after ?? later.before).map { ($0.place, row[$0.place]) }
        self.after = after
    }

    private init(_ whole: ReplacedValues, _ isKept: (Int) -> Bool) {
        entity = whole.entity
        version = whole.version
        row = whole.row
        before = whole.before.filter { isKept($0.place) }
        after = whole.after?.filter { isKept($0.place) }
    }

    var isEmpty: Bool { before.isEmpty }

    /// The values of some properties alone.
    func only(_ isKept: (Int) -> Bool) -> ReplacedValues { ReplacedValues(self, isKept) }

    /// The same replacement of an earlier state of the row, by place: what it had already is not replaced.
    func replacing(_ row: [Value]) -> ReplacedValues { ReplacedValues(self, of: row) }

    /// Values as a JSON object of OData that a PATCH takes; what no PATCH takes is left out.
    static func json(_ values: [Assignment], of type: EntityType, in model: EntityModel) -> String {
        let output = ByteWriter()
        var isFirst = true
        for (place, value) in values {
            let property = type.properties[place]
            if property.isLocalOnly || property.stream?.isFile == true || type.isCounted(place) { continue }
            if place == type.dynamicProperty {
                guard case .string(let bag) = value, bag.count > 2 else { continue }
                output.append(isFirst ? "{" : ",")
                output.append(text: String(bag.dropFirst().dropLast()))
            } else {
                output.append(isFirst ? "{" : ",")
                output.appendQuoted(property.names.wire)
                output.append(":")
                if case .integer(let number) = value, let members = model.enumeration(of: property) {
                    output.appendQuoted(members.text(of: number))
                } else {
                    EntityContent.append(value, of: property, to: output)
                }
            }
            isFirst = false
        }
        output.append(isFirst ? "{}" : "}")
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
