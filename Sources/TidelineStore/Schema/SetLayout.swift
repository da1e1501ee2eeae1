// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One entity set in the file: its columns, its ties to other sets, and the SQL that touches it.
struct SetLayout: Sendable {
    /// A foreign key: the columns of the dependent set that hold the values of columns of the principal.
    struct Reference: Hashable, Sendable {
        var child: Int
        var childPlaces: [Int]
        var parent: Int
        var parentPlaces: [Int]
        var rule: NavigationProperty.DeleteRule
        /// The navigation property of the dependent, or `nil` where only the principal has one.
        var navigation: Int?

        /// The values that the delete rule gives a row of the dependents when its principal goes; none where it gives none.
        func released(_ layout: StoreLayout) -> [Int: Value] {
            guard rule == .setNull || rule == .setDefault else { return [:] }
            var values: [Int: Value] = [:]
            for place in childPlaces {
                let standard = layout.sets[child].columns[place].property.defaultValue
                values[place] = rule == .setDefault ? standard ?? .null : .null
            }
            return values
        }
    }

    let index: Int
    let set: EntitySet
    let columns: [DeviceColumn]
    let rules: [DeviceColumn.Rule]
    let key: [Int]
    /// Properties that take part in the key, a unique value or a foreign key: their changes are never folded.
    let tied: Set<Int>
    /// Of these, what takes part in the key or a foreign key.
    let bound: Set<Int>
    /// The foreign keys that this set holds.
    var outgoing: [Reference] = []
    /// The foreign keys that refer to this set.
    var incoming: [Reference] = []

    let insertSQL: String
    let selectSQL: String
    let updateSQL: String
    let deleteSQL: String

    var name: String { self.set.names.wire }
    /// Whether the entity type has rules of its own.
    var hasConditions: Bool { !self.set.type.rules.isEmpty }
    var table: String { SetLayout.quoted(name) }
    var isGenerated: Bool { self.set.type.hasGeneratedKey }
    var loadTable: String { SetLayout.quoted("tideline_load_" + name) }
    var stageTable: String { SetLayout.quoted("tideline_stage_" + name) }

    init(index: Int, set: EntitySet) {
        self.index = index
        self.set = set
        let type = set.type
        columns = type.properties.enumerated().map { place, property in
            var property = property
            // Which derived type an entity is of, it stays of: the service leaves a change of that out.
            if place == type.discriminator { property.isImmutable = true }
            return DeviceColumn(property, place: place, isKey: type.key.contains(place))
        }
        rules = columns.map(\.rule)
        key = type.key
        var bound = Set(type.key)
        for navigation in type.navigationProperties where navigation.isDependent {
            bound.formUnion(navigation.constraints.map(\.source))
        }
        self.bound = bound
        tied = type.uniqueKeys.reduce(into: bound) { $0.formUnion($1) }
        let table = SetLayout.quoted(set.names.wire)
        let names = type.properties.map { SetLayout.quoted($0.names.wire) }
        let matches = type.key.map { "\(names[$0]) = ?" }.joined(separator: " AND ")
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        insertSQL = "INSERT INTO main.\(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
        selectSQL = "SELECT \(names.joined(separator: ", ")), tideline_etag FROM main.\(table) WHERE \(matches)"
        let settings = names.map { "\($0) = ?" }.joined(separator: ", ")
        updateSQL = "UPDATE main.\(table) SET \(settings), tideline_etag = ? WHERE \(matches)"
        deleteSQL = "DELETE FROM main.\(table) WHERE \(matches)"
    }

    static func quoted(_ name: String) -> String { name.quoted(by: "\"") }

    func column(_ place: Int) -> String { SetLayout.quoted(columns[place].property.names.wire) }

    func list(_ places: some Sequence<Int>, prefix: String = "") -> String {
        places.map { prefix + column($0) }.joined(separator: ", ")
    }

    /// What `WHERE` takes: `"a" = ? AND "b" = ?`.
    func matches(_ places: [Int]) -> String {
        places.map { "\(column($0)) = ?" }.joined(separator: " AND ")
    }

    /// What a property of a new entity has where no value is given: its default, or null.
    ///
    /// A key that the database would make at random, this device makes itself: nothing has to wait for the service.
    func initialValue(_ place: Int) -> Value {
        if let value = columns[place].property.defaultValue { return value }
        guard isRandomKey(place) else { return .null }
        var random = SystemRandomNumberGenerator()
        return .guid(GUID(randomHigh: random.next(), low: random.next()))
    }

    /// Whether a property is what tells the rows of the set apart, and the service makes it at random.
    ///
    /// A service says that there is a default, not which. A GUID that is one of several parts with a default, or refers to
    /// another row, may as well say whose the row is, as that of a tenant does: that one nobody may invent.
    private func isRandomKey(_ place: Int) -> Bool {
        let property = columns[place].property
        guard property.type == .guid, property.structure == nil, property.generation == .onInsert else { return false }
        guard key.filter({ columns[$0].property.generation != .none }) == [place] else { return false }
        return !outgoing.contains { $0.childPlaces.contains(place) }
    }

    /// The columns and the primary key of a table of this shape.
    func declaration(staging: Bool) -> String {
        var parts = columns.map { "\(column($0.place)) \($0.declaration)" }
        parts.append("tideline_etag TEXT")
        if staging { parts.append("tideline_reason INTEGER NOT NULL DEFAULT 0") }
        let isRowID = key.count == 1 && rules[key[0]].form == .integer
        parts.append("PRIMARY KEY (\(list(key)))")
        return "(\(parts.joined(separator: ", ")))" + (isRowID ? "" : " WITHOUT ROWID")
    }

    /// The statements that make the indexes of foreign keys and unique values; they constrain nothing.
    var indexSQL: [String] {
        var lists: [[Int]] = []
        for places in outgoing.map(\.childPlaces) + set.type.uniqueKeys where !lists.contains(places) && places != key {
            lists.append(places)
        }
        return lists.enumerated().map { number, places in
            let name = SetLayout.quoted("tideline_\(set.names.wire)_\(number + 1)")
            return "CREATE INDEX main.\(name) ON \(table) (\(list(places)))"
        }
    }

    /// The statements that drop those indexes.
    var dropIndexSQL: [String] {
        indexSQL.indices.map { "DROP INDEX IF EXISTS main.\(SetLayout.quoted("tideline_\(set.names.wire)_\($0 + 1)"))" }
    }
}
