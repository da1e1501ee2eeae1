// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore

/// Turns one local transaction into the atomicity group that asks the service for the same.
///
///     { "id": "7.0", "atomicityGroup": "t7", "method": "post", "url": "Orders", … }
///     { "id": "7.1", "atomicityGroup": "t7", "method": "patch", "url": "Clients(3)", "if-match": "W/…" … }
///
/// A write after another pending write of the same row sends `If-Match: $7.1`. What does not have its key yet is
/// addressed as `$7.0`, and referred to as `"Order": {"@id": "$7.0"}`. The first request lists the transactions that this
/// one comes after, though nothing in its changes says so any more.
struct GroupBuilder {
    let model: EntityModel
    /// The client that a transaction is sent as, by its number.
    let client: (Int64) -> GUID
    /// The text of `Repeatability-First-Sent`; nothing depends on it.
    let firstSent: String
    /// How the service names the state of it that a transaction was made in, by its number.
    var known: (Int64) -> String? = { _ in nil }

    /// The identifier of a request: the transaction and the place of the change in it.
    static func requestID(_ number: Int64, _ place: Int) -> String { "\(number).\(place)" }

    /// The name of a transaction's group.
    static func groupName(_ number: Int64) -> String { "t\(number)" }

    /// The group of a transaction, as it is sent now and on every retry.
    ///
    /// - Parameter pending: all transactions before it that wait, by number: what its references lead to.
    func group(_ transaction: PendingTransaction, pending: [Int64: PendingTransaction]) throws -> FrozenGroup {
        let client = client(transaction.number)
        let identifier = RequestIdentifier.make(client: client, number: transaction.number)
        var bytes: [UInt8] = []
        for (place, change) in transaction.changes.enumerated() {
            var item = try self.item(change, place, transaction, pending)
            if place == 0 {
                item.headers[.repeatabilityRequestID] = identifier.text
                item.headers[.repeatabilityClientID] = client.text
                item.headers[.repeatabilityFirstSent] = firstSent
                if transaction.changes.contains(where: { deletesKnown($0) || refersToMadeKeys($0) }) {
                    item.headers[.tidelineKnown] = known(transaction.number)
                }
            }
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += BatchRequestWriter.encode(item)
        }
        return FrozenGroup(number: transaction.number, requestID: identifier, bytes: bytes)
    }

    private func item(
        _ pending: PendingChange,
        _ place: Int,
        _ transaction: PendingTransaction,
        _ all: [Int64: PendingTransaction]
    ) throws -> BatchRequest.Item {
        let change = pending.change
        guard let set = model[set: change.set] else {
            throw SyncError(.unknownSet, "The model has no set \(change.set).", advice: "Clone the data again.")
        }
        var item = BatchRequest.Item(
            id: Self.requestID(transaction.number, place),
            method: .post,
            url: ResourceLink.set(set),
            atomicityGroup: Self.groupName(transaction.number)
        )
        var references = pending.temporaryReferences.map(\.target) + pending.earlierInserts + pending.earlierMoves
        if let previous = pending.previous { references.append(previous) }
        switch change.operation {
        case .insert:
            item.body = body(pending, set)
        case .update, .delete:
            item.method = change.operation == .update ? .patch : .delete
            if let insert = insert(before: pending, all), pending.hasTemporaryKey {
                item.url = "$" + Self.requestID(insert.number, insert.place)
                references.append(insert)
            } else {
                item.url = ResourceLink.entity(change.key, in: set)
            }
            if let previous = pending.previous {
                item.headers[.ifMatch] = "$" + Self.requestID(previous.number, previous.place)
            } else {
                item.headers[.ifMatch] = pending.baseETag?.text ?? "*"
            }
            if change.operation == .update { item.body = body(pending, set) }
        }
        if change.operation != .delete {
            item.headers[.contentType] = "application/json"
            item.headers[.prefer] = "return=representation"
        }
        item.dependsOn = dependencies(references, transaction.number)
        if place == 0 {
            let names = transaction.earlier.sorted().map(Self.groupName)
            item.dependsOn += names.filter { !item.dependsOn.contains($0) }
        }
        return item
    }

    /// Whether a change deletes a row of a version that the service told: one that the device's own transactions may have
    /// changed since, by what the database makes of them.
    private func deletesKnown(_ pending: PendingChange) -> Bool {
        pending.change.operation == .delete && pending.previous == nil && pending.baseETag != nil
    }

    /// Whether a change may name a row whose key the service gives, and may give again.
    private func refersToMadeKeys(_ pending: PendingChange) -> Bool {
        guard pending.change.operation != .delete, let type = model[set: pending.change.set]?.type else { return false }
        return type.navigationProperties.contains { navigation in
            navigation.isDependent && model[set: navigation.targetSet]?.type.hasGeneratedKey == true
                && navigation.constraints.contains { constraint in
                    type.key.contains(constraint.source)
                        || pending.change.assignments.contains { $0.property == constraint.source }
                }
        }
    }

    /// Requests of the same group, and groups of other transactions.
    ///
    /// Source: OData JSON Format 4.01, section 19.1: a request that depends on one of another group lists that group.
    private func dependencies(_ references: [PendingChange.Reference], _ number: Int64) -> [String] {
        var names: [String] = []
        for reference in references {
            let name =
                reference.number == number
                ? Self.requestID(number, reference.place) : Self.groupName(reference.number)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The pending insert that a row with a temporary key goes back to.
    private func insert(before change: PendingChange, _ all: [Int64: PendingTransaction]) -> PendingChange.Reference? {
        var reference = change.previous
        while let here = reference, let changes = all[here.number]?.changes, changes.indices.contains(here.place) {
            if changes[here.place].change.operation == .insert { return here }
            reference = changes[here.place].previous
        }
        return nil
    }

    /// Whether an insert does not say that a property is null.
    ///
    /// The service makes the value, or the row has none where none is given. Said all the same, it would have the insert
    /// refused once the service has the property no more. Where there is a default, the null has to be said; the model does
    /// not tell that of structured values and streams.
    private func isLeftOut(_ place: Int, _ type: EntityType) -> Bool {
        let property = type.properties[place]
        if property.generation == .onInsert { return true }
        return property.isNullable && !type.key.contains(place) && property.structure == nil && property.stream == nil
            && property.defaultValue?.isNull ?? true
    }

    private func body(_ pending: PendingChange, _ set: EntitySet) -> [UInt8] {
        let type = set.type
        let output = ByteWriter()
        var isFirst = true
        func member(_ name: String) {
            output.append(isFirst ? "{" : ",")
            isFirst = false
            output.appendQuoted(name)
            output.append(":")
        }
        let bound = Set(
            pending.temporaryReferences.flatMap { type.navigationProperties[$0.navigation].constraints.map(\.source) }
        )
        for assignment in pending.change.assignments {
            let property = type.properties[assignment.property]
            guard property.isRecorded, !type.isMade(assignment.property), !bound.contains(assignment.property) else {
                continue
            }
            if pending.change.operation == .insert, assignment.after.isNull, isLeftOut(assignment.property, type) {
                continue
            }
            if pending.change.operation == .update, type.key.contains(assignment.property) { continue }
            member(property.names.wire)
            EntityContent.append(assignment.after, of: property, to: output)
        }
        for reference in pending.temporaryReferences {
            // In 4.01 a relation is made by a reference; `@odata.bind` is for 4.0 alone (JSON Format 4.01, section 8.5).
            member(type.navigationProperties[reference.navigation].names.wire)
            output.append("{\"@id\":")
            output.appendQuoted("$" + Self.requestID(reference.target.number, reference.target.place))
            output.append("}")
        }
        output.append(isFirst ? "{}" : "}")
        return output.bytes
    }
}
