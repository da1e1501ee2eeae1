// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What stands inside a row, and what is gone.
extension JSONEntityWriter {
    /// Has rows after the first `count` of the outermost level passed over.
    ///
    /// - Parameter bytes: where the answer has so many, rows are passed over too; the first never is.
    public func limitRows(to count: Int, bytes: Int = .max) {
        unsafe state.pointee.level.limit = count
        byteLimit = bytes
    }

    /// Whether rows were passed over by that.
    public var hasMoreRows: Bool { frame.isCut }

    /// A row or an expansion that is not written has ended.
    func leaveSkipped() {
        skipped -= 1
        if skipped == 0 { mode = frame.shape.isCaptured ? .captured : .direct }
    }

    public func beginExpansion(_ index: Int) {
        if mode == .skipped {
            skipped += 1
            return
        }
        if frame.isPending { writeCaptured() }
        let expansion = frame.shape.expansions[index]
        let type = expansion.source.declaringType
        if frame.isReferred || type.map({ frame.kind?.lineage.contains($0) != true }) ?? false {
            mode = .skipped
            skipped = 1
            return
        }
        let isCount = expansion.source.content == .count
        let start = output.count
        let startsWithComma = frame.shape.isCaptured ? frame.hasMembers : expansion.startsWithComma
        if !isCount {
            if frame.shape.isCaptured { writeLinks(of: expansion) } else { output.append(expansion.lead) }
            if expansion.isCollection { output.append(UInt8(ascii: "[")) }
        }
        unsafe outer.append((frame, state.pointee.level))
        let parent = frame
        frame = Frame(shape: expansion.shape)
        unsafe state.pointee.level = RowState.Level(frame.shape)
        unsafe state.pointee.isOutermost = false
        frame.start = start
        frame.startsWithComma = startsWithComma
        unsafe state.pointee.level.limit = isCount ? 0 : .max
        if expansion.shape.source.isContained {
            let place = "\(base(of: expansion.source.declaringType, parent))/\(expansion.source.name)"
            if expansion.isCollection { frame.collectionURL = place } else { frame.entityURL = place }
        }
        mode = frame.shape.isCaptured ? .captured : .direct
    }

    public func endExpansion(_ index: Int, count: Int?) {
        if mode == .skipped {
            leaveSkipped()
            return
        }
        guard let (parent, level) = unsafe outer.popLast() else {
            preconditionFailure("An expansion ends that did not begin.")
        }
        let expansion = parent.shape.expansions[index]
        let (start, startsWithComma, last) = (frame.start, frame.startsWithComma, frame.last)
        if expansion.source.content != .count {
            if expansion.isCollection {
                output.append(UInt8(ascii: "]"))
            } else if levelRows == 0 {
                output.append("null")
            }
        }
        frame = parent
        unsafe state.pointee.level = level
        unsafe state.pointee.isOutermost = unsafe outer.isEmpty
        mode = frame.shape.isCaptured ? .captured : .direct
        if let count {
            // In front of what it counts, as 4.01 demands; known only now.
            let text = ByteWriter(capacity: 64)
            let name = frame.shape.names.control("count", of: expansion.source.name)
            if startsWithComma { text.append(UInt8(ascii: ",")) }
            text.appendQuoted(name)
            text.append(UInt8(ascii: ":"))
            append(count: count, to: text)
            if !startsWithComma, output.count > start { text.append(UInt8(ascii: ",")) }
            output.insert(text.bytes, at: start)
            frame.hasMembers = true
        }
        if let last, let rest = expansion.source.rest, expansion.source.content != .count {
            member(frame.shape.names.control("nextLink", of: expansion.source.name))
            let place = "\(base(of: expansion.source.declaringType, frame))/\(expansion.source.name)\(rest.segments)"
            let query = rest.query.isEmpty ? "" : rest.query + "&"
            output.appendQuoted("\(root)\(place)?\(query)$skiptoken=\(skipToken(rest, last))")
        }
    }

    public func moreFollow(after place: [Value]) {
        if mode != .skipped { frame.last = place }
    }

    // MARK: Removed entities

    public func removed(key: Key, reason: RemovalReason) {
        guard let entityType else { preconditionFailure("Removed entities need the entity type of the writer.") }
        if items > 0 { output.append(UInt8(ascii: ",")) }
        items += 1
        let place = frame.entityURL ?? frame.collectionURL ?? shape.place
        let isAlone = (frame.entityURL ?? shape.standsAt) != nil
        let id = place + (isAlone ? "" : PercentCoding.encode(segment: ResourceURL.predicate(key, type: entityType)))
        if format.version == .v40 {
            output.append("{\"@odata.context\":")
            output.appendQuoted("#\(place)/$deletedEntity")
            output.append(",\"id\":")
            output.appendQuoted(id)
            output.append(text: ",\"reason\":\"\(reason.rawValue)\"}")
        } else {
            output.append(text: "{\"@removed\":{\"reason\":\"\(reason.rawValue)\"},\"@id\":")
            output.appendQuoted(id)
            for (place, value) in zip(entityType.key, key.values) {
                output.append(UInt8(ascii: ","))
                output.appendQuoted(entityType.properties[place].names.wire)
                output.append(UInt8(ascii: ":"))
                output.append(value: value, type: entityType.properties[place].type, format: format)
            }
            output.append(UInt8(ascii: "}"))
        }
        if let onFull, output.count >= drainThreshold { onFull(output) }
    }
}
