// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The functions whose values have a type that is an argument, and those of JSON and shapes.
extension SQLFunction {
    func scaled(_ name: Expression.BinaryOperator, _ call: SQLiteCall) -> Int64? {
        guard let nanoseconds = call.integer(0), let factor = call.decimal(1) else { return nil }
        return Arithmetic.scaled(name, nanoseconds, factor)
    }

    func cast(_ call: SQLiteCall) {
        guard let source = call.text(1).flatMap(PrimitiveType.init),
            let target = call.text(2).flatMap(PrimitiveType.init),
            let value = Value(computedSQL: call.stored(0), type: source)
        else { return }
        call.result(Casting.cast(value, to: target))
    }

    /// The text of JSON where the members lead to, or the value there.
    func json(_ call: SQLiteCall) {
        guard let text = call.text(0), let json = JSONValue(text) else { return }
        let first = self == .json ? 2 : 1
        var names: [String] = []
        for place in first..<max(first, call.count) {
            guard let name = call.text(place) else { return }
            names.append(name)
        }
        let found = json.member(names)
        if self == .json {
            guard let type = call.text(1).flatMap(PrimitiveType.init) else { return }
            call.result(found.value(as: type))
        } else if found != .null {
            call.result(found.text)
        }
    }

    func arrays(_ call: SQLiteCall) {
        guard let whole = call.text(0).flatMap(JSONValue.init), let part = call.text(1).flatMap(JSONValue.init) else {
            return
        }
        let holds =
            self == .hasSubset
            ? Collections.isSubset(part.items, of: whole.items) : Collections.isSubsequence(part.items, of: whole.items)
        call.result(holds)
    }

    func isSame(_ call: SQLiteCall) -> Bool? {
        guard let one = call.text(0).flatMap(JSONValue.init), let two = call.text(1).flatMap(JSONValue.init) else {
            return nil
        }
        return one.isSame(as: two)
    }

    func member(_ call: SQLiteCall) {
        guard let text = call.text(0), let names = call.text(1) else { return }
        var members: [EnumerationType.Member] = []
        for member in names.split(separator: ";") {
            guard let sign = member.lastIndex(of: "="), let value = Int64(member[member.index(after: sign)...]) else {
                return
            }
            members.append(.init(String(member[..<sign]), value))
        }
        let type = EnumerationType(names: Names(wire: ""), underlyingType: .int64, isFlags: true, members: members)
        call.result(type.value(of: text))
    }

    // MARK: - Shapes

    func shape(_ call: SQLiteCall) -> Geography? {
        guard let text = call.text(0) else { return nil }
        if call.text(1) == StorageForm.geoJSON.rawValue {
            return JSONValue(text).flatMap { Geography(geoJSON: $0, srid: call.integer(2).map(Int.init) ?? 4326) }
        }
        guard var shape = Geography(text) else { return nil }
        if !text.utf8.starts(with: "SRID=".utf8), !text.utf8.starts(with: "srid=".utf8), let srid = call.integer(2) {
            shape.srid = Int(srid)
        }
        return shape
    }

    func measure(_ call: SQLiteCall) {
        guard var first = call.text(0).flatMap({ Geography($0) }) else { return }
        first.isFlat = call.integer(call.count - 1) == 1
        if self == .geoLength {
            call.result(first.length)
        } else if let second = call.text(1).flatMap({ Geography($0) }) {
            if self == .geoDistance {
                call.result(Geography.distance(first, second))
            } else {
                call.result(Geography.intersects(first, second))
            }
        }
    }
}

extension SQLiteCall {
    /// A value in its computed form.
    func result(_ value: Value) {
        switch value.computedSQL {
        case .null: break
        case .integer(let number): result(number)
        case .real(let number): result(number)
        case .text(let text), .typed(let text, _): result(text)
        case .blob(let bytes): result(bytes)
        }
    }
}
