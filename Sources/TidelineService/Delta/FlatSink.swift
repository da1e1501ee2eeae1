// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Writes rows and what they expand as a flat list, for deltas of version 4.0: nothing stands in anything there.
///
///     {"ClientId":1,…}   {"@odata.context":"#Orders/$entity",…}   {"@odata.context":"#Clients/$link","source":…}
///
/// After a row come the entities that it is related to, the links to them, and the links that went.
/// Source: OData JSON Format 4.01, section 15: in 4.0 a delta is flat.
final class FlatSink: RowSink {
    private struct Part {
        let name: String
        let navigation: Int
        /// What follows the URL of the entity in that of the navigation property: a cast and the name.
        let path: String
        let isCollection: Bool
        let sink: FlatSink
    }

    private let writer: JSONEntityWriter
    private let set: EntitySet
    private let columns: [Int]
    private let parts: [Part]
    private let lost: [ExpansionChanges.Way: Set<Key>]
    /// The URL of what contains the rows, where they are contained entities, and whether they have their keys there.
    private var place: String?
    private var isAlone = false
    private let receive: (Key) -> Void
    private lazy var rows = NotingSink(writer, set.type, columns: columns) { [unowned self] key, _ in self.ended(key) }
    /// The keys of the rows that belong to the row around them.
    private var keys: [Key] = []
    /// Where rows go while an expansion is open, and how many stand open inside it.
    private var active: FlatSink?
    private var depth = 0

    /// - Parameters:
    ///   - writer: for the rows without their expansions.
    ///   - shape: of the rows with their expansions.
    ///   - lost: the related entities that a row may have had and has no more.
    ///   - receive: called with the key of each row.
    init(
        _ writer: JSONEntityWriter,
        _ plan: ReadPlan,
        _ shape: RowShape,
        format: JSONFormat,
        contextRoot: String,
        lost: [ExpansionChanges.Way: Set<Key>],
        receive: @escaping (Key) -> Void = { _ in }
    ) {
        self.writer = writer
        self.lost = lost
        self.receive = receive
        set = plan.set
        columns = plan.columns
        place = shape.standsAt ?? shape.containedIn
        isAlone = shape.standsAt != nil
        let type = plan.set.type
        parts = zip(plan.expansions, shape.expansions).map { expansion, shape in
            let inner = JSONEntityWriter(shape: shape.shape.flat, format: format, type: expansion.plan.set.type)
            inner.transforms = writer.transforms
            inner.begin(.none, contextRoot: contextRoot)
            inner.nameSet()
            let sink = FlatSink(
                inner,
                expansion.plan,
                shape.shape,
                format: format,
                contextRoot: contextRoot,
                lost: lost
            )
            let navigation = type.navigationProperties[expansion.navigation]
            let cast = navigation.declaringType.map { "\(plan.model.namespace).\($0)/" } ?? ""
            return Part(
                name: shape.name,
                navigation: expansion.navigation,
                path: cast + navigation.names.wire,
                isCollection: navigation.isCollection,
                sink: sink
            )
        }
    }

    private func url(_ key: Key) -> String {
        guard let place else { return ResourceURL.entity(set: set.names.wire, key: key, type: set.type) }
        return isAlone ? place : place + PercentCoding.encode(segment: ResourceURL.predicate(key, type: set.type))
    }

    private func ended(_ key: Key) {
        receive(key)
        keys.append(key)
        let source = url(key)
        for part in parts {
            writer.take(from: part.sink.writer)
            let url = part.sink.url
            let now = part.sink.keys
            part.sink.keys = []
            for key in now { writer.link(from: source, part.name, to: url(key)) }
            let way = ExpansionChanges.Way(set: set.names.wire, key: key, navigation: part.navigation)
            // Whatever stands alone behind a navigation property has one address.
            let gone = part.sink.isAlone && !now.isEmpty ? [] : (lost[way] ?? []).subtracting(now).map(url).sorted()
            for target in gone { writer.link(from: source, part.name, to: target, isDeleted: true) }
        }
    }

    /// Has the rows that come stand in an entity that contains them.
    private func stand(at url: String, _ isCollection: Bool) {
        (place, isAlone) = (url, !isCollection)
        writer.nameSet(at: url, isCollection: isCollection)
    }

    private var current: any RowSink {
        if let active { return active }
        return rows
    }

    func beginRow() { current.beginRow() }
    func null() { current.null() }
    func boolean(_ value: Bool) { current.boolean(value) }
    func integer(_ value: Int64) { current.integer(value) }
    func double(_ value: Double) { current.double(value) }
    func text(_ utf8: UnsafeRawBufferPointer) { unsafe current.text(utf8) }
    func binary(_ bytes: UnsafeRawBufferPointer) { unsafe current.binary(bytes) }
    func exception(_ held: String?) { current.exception(held) }
    func endRow(etag: ETag?) { current.endRow(etag: etag) }

    func beginExpansion(_ index: Int) {
        guard let active else {
            let part = parts[index]
            if part.sink.set.isContained { part.sink.stand(at: "\(url(rows.current))/\(part.path)", part.isCollection) }
            active = part.sink
            return
        }
        depth += 1
        active.beginExpansion(index)
    }

    func endExpansion(_ index: Int, count: Int?) {
        guard depth > 0 else {
            active = nil
            return
        }
        depth -= 1
        active?.endExpansion(index, count: count)
    }
}

extension RowShape {
    /// The rows without what they expand.
    var flat: RowShape {
        var copy = self
        copy.expansions = []
        return copy
    }
}
