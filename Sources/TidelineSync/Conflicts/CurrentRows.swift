// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore

/// The rows of transactions that met a failed precondition, as the service has them now: what a merge needs.
struct CurrentRows {
    /// One row of one transaction.
    private struct Wanted {
        var number: Int64
        var set: EntitySet
        var key: Key
        /// Whether the transaction inserts it, and met one that is there.
        var isInserted: Bool
    }

    /// What the service says of the rows.
    struct Found {
        /// Of each transaction, the rows that are there, and those that are not.
        var rows: [Int64: [RemoteRow]] = [:]
        /// Of transactions that cannot be merged, what the service says of a row that it does not give.
        var refusals: [Int64: TransactionOutcome.Refusal] = [:]
        /// Whether one that a change is of is not there.
        var isMissing = false
    }

    private var wanted: [Wanted] = []
    private let duplicates: Set<Int64>
    private let narrowed: Set<String>

    /// - Parameters:
    ///   - transactions: those in conflict.
    ///   - duplicates: of these, the ones that insert a row which is there: it is wanted too, where it may be seen.
    ///   - narrowed: the sets of which the device does not follow all properties.
    init(
        of transactions: [PendingTransaction],
        duplicates: Set<Int64> = [],
        narrowed: Set<String> = [],
        model: EntityModel
    ) {
        self.duplicates = duplicates
        self.narrowed = narrowed
        for transaction in transactions {
            var seen: Set<[Value]> = []
            for pending in transaction.changes where !pending.hasTemporaryKey {
                guard let set = model[set: pending.change.set] else { continue }
                let mark = [.string(pending.change.set)] + pending.change.key.values
                // A row that this transaction itself inserted has nothing to be merged with.
                let isOld = pending.change.operation != .insert || duplicates.contains(transaction.number)
                guard seen.insert(mark).inserted, isOld else { continue }
                let isInserted = pending.change.operation == .insert
                wanted.append(
                    Wanted(number: transaction.number, set: set, key: pending.change.key, isInserted: isInserted)
                )
            }
        }
    }

    /// The batch that reads all rows from one snapshot.
    var body: [UInt8] {
        var writer = BatchRequestWriter()
        for (place, row) in wanted.enumerated() {
            let link = ResourceLink.entity(row.key, in: row.set)
            writer.append(BatchRequest.Item(id: "\(place)", method: .get, url: link))
        }
        return writer.finish()
    }

    var isEmpty: Bool { wanted.isEmpty }

    /// Reads the answer.
    ///
    /// - Throws: ``ClientError`` when the service may give a row later that it did not give now; ``UnreadableEntity``.
    func found(_ response: BatchResponse) throws -> Found {
        let items = Dictionary(response.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var found = Found()
        for (place, wanted) in wanted.enumerated() {
            let name = wanted.set.names.wire
            guard let item = items["\(place)"] else {
                if duplicates.contains(wanted.number) { continue }
                throw ClientError(
                    .unreadableAnswer,
                    "\(name): the service did not say what a row is now.",
                    advice: "Sync again later."
                )
            }
            switch item.status {
            case 200:
                guard let entity = try entity(item, of: wanted) else { continue }
                var row = RemoteRow(set: name, key: wanted.key, etag: entity.etag, values: entity.values)
                row.unread = entity.unread
                row.served = served(item.body, of: wanted.set)
                found.rows[wanted.number, default: []].append(row)
            case 204, 404, 410:
                if !wanted.isInserted { found.isMissing = true }
                let row = RemoteRow(set: name, key: wanted.key, etag: nil, values: nil)
                found.rows[wanted.number, default: []].append(row)
            default:
                let error = ClientError.answer(item).naming(name)
                guard item.status >= 400, !PushAnswer.isUndecided(item.status) else { throw error }
                // Nobody could ever merge with it; what an insert met, its own answer tells.
                if duplicates.contains(wanted.number) { continue }
                found.refusals[wanted.number] = .init(
                    code: error.service?.code ?? "Refused",
                    message: "It meets a change on the service, which does not give the row. \(error.message)",
                    status: item.status
                )
            }
        }
        return found
    }

    /// The properties that the service has of a row; `nil` where it has others than the device follows, or where that cannot
    /// be told.
    private func served(_ body: [UInt8], of set: EntitySet) -> Set<Int>? {
        // The content of a stream is in the version of a row and in no answer, and a complex property that is there does not
        // tell of its parts.
        guard !narrowed.contains(set.names.wire), set.type.complexProperties.isEmpty,
            !set.type.properties.contains(where: { $0.stream != nil }),
            case .object(let members)? = JSONValue(String(decoding: body, as: UTF8.self)),
            !members.contains(where: { $0.name.contains("@media") || $0.name.contains("@odata.media") })
        else { return nil }
        var named = Set<Int>()
        // Names with an `@` are those of annotations and control information.
        for member in members where !member.name.contains("@") {
            guard let place = set.type.propertyIndex(wire: member.name, in: nil),
                !set.type.properties[place].isLocalOnly
            else { return nil }
            named.insert(place)
        }
        // Without a dynamic property the entity has none of them.
        if let dynamic = set.type.dynamicProperty { named.insert(dynamic) }
        return named
    }

    /// The row as it is; `nil` where an insert met one that cannot be read: that is not the row that was inserted.
    private func entity(_ item: BatchResponse.Item, of wanted: Wanted) throws -> EntityAnswer? {
        do {
            return try EntityAnswer(item.body, set: wanted.set)
        } catch {
            if duplicates.contains(wanted.number) { return nil }
            throw error
        }
    }
}
