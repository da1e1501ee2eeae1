// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Flat deltas: entities of several sets, and the links between them, in one list.
///
/// Source: OData JSON Format 4.01, sections 15.2 to 15.5.
extension JSONEntityWriter {
    /// Writes a relation that is there, or that is there no more, as an item of a delta.
    ///
    /// - Parameters:
    ///   - source: the URL of an entity of the writer's set, relative to the service root.
    ///   - target: the URL of the related entity.
    public func link(from source: String, _ relationship: String, to target: String, isDeleted: Bool = false) {
        if items > 0 { output.append(UInt8(ascii: ",")) }
        items += 1
        output.append(text: "{\"@\(format.version.controlPrefix)context\":")
        let place = frame.entityURL ?? frame.collectionURL ?? shape.place
        output.appendQuoted("#\(place)/\(isDeleted ? "$deletedLink" : "$link")")
        output.append(text: ",\"source\":")
        output.appendQuoted(source)
        output.append(text: ",\"relationship\":")
        output.appendQuoted(relationship)
        output.append(text: ",\"target\":")
        output.appendQuoted(target)
        output.append(UInt8(ascii: "}"))
    }

    /// Moves the items that another writer has written to this one's.
    public func take(from other: JSONEntityWriter) {
        guard other.items > 0 else { return }
        if items > 0 { output.append(UInt8(ascii: ",")) }
        output.append(other.output.bytes)
        items += other.items
        other.items = 0
        other.output.truncate(to: 0)
        exceptions.formUnion(other.exceptions)
    }

    /// Has each row name the set that it is of, because the list is of several, or the place where it stands.
    ///
    /// - Parameters:
    ///   - place: the URL of what contains the rows, where they are contained entities.
    ///   - isCollection: whether that is a collection, in which the rows have their keys.
    public func nameSet(at place: String? = nil, isCollection: Bool = true) {
        if isCollection { frame.collectionURL = place } else { frame.entityURL = place }
        let line = ByteWriter()
        line.append(text: "\"@\(format.version.controlPrefix)context\":")
        line.appendQuoted("#\(place ?? shape.set)/$entity")
        line.append(UInt8(ascii: ","))
        rowLead = line.bytes
    }
}
