// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Reads entity by entity and pushes each as a row.
///
/// Columns in the shape's order are pushed at once. From the first that is out of order on, only the places of values
/// are noted, and pushed when the entity is complete; so are expansions, whose count may follow them.
struct RowReader<Sink: RowSink> {
    private let sink: Sink
    private let deltaSink: (any DeltaSink)?
    private var values: ValueReader<Sink>
    private(set) var rows = 0
    private(set) var removed = 0
    /// How many values of each property were told as exceptions.
    private(set) var exceptions: [String: Int] = [:]

    init(sink: Sink, tracksRemoved: Bool = true) {
        self.sink = sink
        deltaSink = tracksRemoved ? sink as? any DeltaSink : nil
        values = ValueReader(sink: sink)
    }

    /// What was noted of one entity.
    private struct Entity {
        var etag: ETag?
        var hasBegun = false
        /// How many columns were pushed.
        var pushed = 0
        /// Where the values of columns stand that could not be pushed yet, or -1; empty while all are in order.
        var places: [Int] = []
        var expansions: [Int] = []
        var counts: [Int?] = []
        var isRemoved = false
        /// Neither an entity nor a removed one: an added or deleted link, which is passed over.
        var isLink = false
    }

    /// Reads one entity of the outermost collection.
    mutating func read(_ reader: inout JSONReader, _ shape: ReadableShape) throws(ODataError) {
        try read(&reader, shape, isNested: false)
    }

    private mutating func read(
        _ reader: inout JSONReader,
        _ shape: ReadableShape,
        isNested: Bool
    ) throws(ODataError) {
        reader.skipBlanks()
        let start = reader.offset
        var entity = Entity()
        // In a delta nothing is pushed before it is sure that the entity is no removed one: an ETag in front says so.
        var isSure = isNested || deltaSink == nil
        try reader.beginObject()
        var isFirst = true
        while let name = try reader.nextName(&isFirst) {
            if isSure, entity.places.isEmpty, entity.pushed < shape.columns.count,
                reader.matches(name, shape.columns[entity.pushed].name)
            {
                if !entity.hasBegun {
                    sink.beginRow()
                    entity.hasBegun = true
                }
                try values.push(&reader, shape.columns[entity.pushed])
                entity.pushed += 1
            } else if reader.isETag(name) {
                entity.etag = try reader.etagValue()
                isSure = true
            } else {
                try note(name, &reader, shape, &entity)
            }
        }
        let end = reader.offset
        if entity.isLink { return }
        if entity.isRemoved {
            guard !entity.hasBegun, !isNested, let deltaSink else {
                throw ODataError(.invalidBody, "A removed entity stands where none can be.", at: start)
            }
            reader.offset = start
            let (key, reason) = try RemovedEntity.read(&reader, key: shape.key)
            deltaSink.removed(key: key, reason: reason)
            removed += 1
        } else {
            try complete(&reader, shape, &entity)
            if !isNested { rows += 1 }
        }
        reader.offset = end
    }

    /// Looks at a member that could not be pushed at once.
    private mutating func note(
        _ name: JSONReader.Text,
        _ reader: inout JSONReader,
        _ shape: ReadableShape,
        _ entity: inout Entity
    ) throws(ODataError) {
        let text = try reader.string(name)
        switch ControlName(text) {
        case .control("removed"):
            entity.isRemoved = true
            try reader.skipValue()
        case .control("context"):
            let context = try reader.stringValue()
            if context.hasSuffix("/$deletedEntity") { entity.isRemoved = true }
            if context.hasSuffix("/$link") || context.hasSuffix("/$deletedLink") { entity.isLink = true }
        case .annotation(let property, "count"):
            guard let place = shape.expansion(property) else { return try reader.skipValue() }
            if entity.counts.isEmpty { entity.counts = Array(repeating: nil, count: shape.expansions.count) }
            entity.counts[place] = try reader.countValue()
        case .annotation(let property, "Core.ValueException") where shape.column(property) != nil:
            exceptions[property, default: 0] += 1
            try reader.skipValue()
        case .plain:
            if let place = shape.column(text) {
                if entity.places.isEmpty { entity.places = Array(repeating: -1, count: shape.columns.count) }
                guard place >= entity.pushed, entity.places[place] < 0 else {
                    throw ODataError(.invalidBody, "\(text) is there twice.", target: text, at: reader.offset)
                }
                entity.places[place] = reader.offset
            } else if let place = shape.expansion(text) {
                if entity.expansions.isEmpty { entity.expansions = Array(repeating: -1, count: shape.expansions.count) }
                entity.expansions[place] = reader.offset
            }
            try reader.skipValue()
        default: try reader.skipValue()
        }
    }

    /// Pushes what was noted.
    private mutating func complete(
        _ reader: inout JSONReader,
        _ shape: ReadableShape,
        _ entity: inout Entity
    ) throws(ODataError) {
        if !entity.hasBegun { sink.beginRow() }
        for column in entity.pushed..<shape.columns.count {
            guard !entity.places.isEmpty, entity.places[column] >= 0 else {
                sink.null()
                continue
            }
            reader.offset = entity.places[column]
            try values.push(&reader, shape.columns[column])
        }
        for (place, expansion) in shape.expansions.enumerated() {
            sink.beginExpansion(place)
            if !entity.expansions.isEmpty, entity.expansions[place] >= 0 {
                reader.offset = entity.expansions[place]
                try related(&reader, expansion)
            }
            sink.endExpansion(place, count: entity.counts.isEmpty ? nil : entity.counts[place])
        }
        sink.endRow(etag: entity.etag)
    }

    private mutating func related(
        _ reader: inout JSONReader,
        _ expansion: ReadableShape.Expansion
    ) throws(ODataError) {
        switch try reader.kind() {
        case .null where !expansion.isCollection: try reader.null()
        case .object where !expansion.isCollection: try read(&reader, expansion.shape, isNested: true)
        case .array where expansion.isCollection:
            try reader.beginArray()
            var isFirst = true
            while try reader.nextElement(&isFirst) { try read(&reader, expansion.shape, isNested: true) }
        default:
            throw ODataError(
                .invalidBody,
                "\(expansion.name) is not what its relationship says.",
                target: expansion.name,
                at: reader.offset
            )
        }
    }
}
