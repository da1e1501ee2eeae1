// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// What an operation gave that is no entity: values, complex values, and collections of them.
///
/// Source: OData JSON Format 4.01, sections 11 and 12; OData Protocol 4.01, section 11.5.
extension ReadHandler {
    func computed(_ value: ComputedValue) throws -> Answer {
        try checkOptions(of: value)
        switch value.form {
        case .value(_, .null): return Answer(.noContent, fields: fields())
        case .value(let property, let content):
            var named = property
            named.names.wire = "value"
            named.defaultValue = nil
            var shape = self.shape([named], type: "")
            if case .complex? = property.structure { shape.columns[0].form = .dynamic }
            return try answer([[content]], shape, .entity, value.fragment)
        case .object(let properties, let row):
            return try answer([row], shape(properties, type: value.type), .entity, value.fragment)
        case .objects(let properties, let rows):
            let shape = shape(properties, type: value.type)
            return try answer(chosen(rows), shape, .collection, value.fragment, count: rows.count)
        case .values(let property, let items):
            let output = ByteWriter()
            for item in chosen(items) {
                output.append(text: output.count == 0 ? "[" : ",")
                output.append(value: item, of: property, in: core.planner.model, format: call.format)
            }
            output.append(text: output.count == 0 ? "[]" : "]")
            var list = property
            list.names.wire = "value"
            list.structure = .collection(of: element(of: property), itemsNullable: true)
            let shape = shape([list], type: "")
            return try answer(
                [[.string(output.text)]],
                shape,
                .entity,
                value.fragment,
                count: items.count
            )
        }
    }

    /// `/$value`: the text of one value, or the bytes of a binary one.
    func computedText(_ value: ComputedValue) throws -> Answer {
        guard case .value(let property, let stored) = value.form, stored != .null else {
            return Answer(.noContent, fields: fields())
        }
        if case .binary(let bytes) = stored {
            return Answer(.ok, fields: fields(contentType: "application/octet-stream"), body: .bytes(bytes))
        }
        var text = stored.text ?? ""
        if case .integer(let number) = stored, let type = core.planner.model.enumeration(of: property) {
            text = type.text(of: number)
        }
        return Answer(.ok, fields: fields(contentType: "text/plain;charset=utf-8"), body: .bytes(Array(text.utf8)))
    }

    /// Options that would have to look into the values are refused, so that none is passed over.
    private func checkOptions(of value: ComputedValue) throws(ODataError) {
        let options = call.options
        let refused: [(String, Bool)] = [
            ("$filter", options.filter != nil), ("$orderby", !options.orderBy.isEmpty),
            ("$search", options.search != nil), ("$apply", options.apply != nil),
            ("$compute", !options.compute.isEmpty), ("$expand", !options.expand.isEmpty),
            ("$select", options.select != nil),
            ("$top", options.top != nil && value.count == nil), ("$skip", options.skip != nil && value.count == nil),
            ("$count", options.count && value.count == nil),
        ]
        guard let option = refused.first(where: \.1)?.0 else { return }
        throw ODataError(.notSupported, "\(option) does not go with values that are no entities.", target: option)
    }

    /// The items that `$skip` and `$top` leave.
    private func chosen<Item>(_ items: [Item]) -> ArraySlice<Item> {
        items.dropFirst(call.options.skip ?? 0).prefix(call.options.top ?? .max)
    }

    private func element(of property: Property) -> Structure.Element {
        property.enumeration.map { .enumeration($0) } ?? .primitive(property.type)
    }

    /// The shape of rows that are no entities: no key, no links, no versions.
    private func shape(_ properties: [Property], type: String) -> RowShape {
        let model = core.planner.model
        let row = EntityType(names: Names(wire: "value"), properties: properties, key: [])
        var shape = RowShape(EntitySet(names: Names(wire: "value"), type: row), includesETag: false, model: model)
        shape.type = type
        shape.links = []
        shape.selected = nil
        return shape
    }

    private func answer(
        _ rows: some Sequence<[Value]>,
        _ shape: RowShape,
        _ envelope: JSONEntityWriter.Envelope,
        _ fragment: String,
        count: Int? = nil
    ) throws -> Answer {
        let writer = JSONEntityWriter(shape: shape, format: call.format)
        let total = call.options.count ? count : nil
        writer.begin(envelope, contextRoot: call.contextRoot, fragment: fragment, count: total)
        for row in rows {
            writer.beginRow()
            for value in row { writer.push(value) }
            writer.endRow(etag: nil)
        }
        writer.end()
        core.exceptions.note(writer)
        return Answer(.ok, fields: dataFields(), body: .bytes(writer.output.bytes))
    }
}
