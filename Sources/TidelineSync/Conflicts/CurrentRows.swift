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
    }

    private var wanted: [Wanted] = []
    private let duplicates: Set<Int64>

    /// - Parameters:
    ///   - transactions: those in conflict.
    ///   - duplicates: of these, the ones that insert a row which is there: it is wanted too, where it may be seen.
    init(of transactions: [PendingTransaction], duplicates: Set<Int64> = [], model: EntityModel) {
        self.duplicates = duplicates
        for transaction in transactions {
            var seen: Set<[Value]> = []
            for pending in transaction.changes where !pending.hasTemporaryKey {
                guard let set = model[set: pending.change.set] else { continue }
                let mark = [.string(pending.change.set)] + pending.change.key.values
                // A row that this transaction itself inserted has nothing to be merged with.
                let isOld = pending.change.operation != .insert || duplicates.contains(transaction.number)
                guard seen.insert(mark).inserted, isOld else { continue }
                wanted.append(Wanted(number: transaction.number, set: set, key: pending.change.key))
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
    /// - Throws: ``ClientError`` when a row was neither given nor said to be absent.
    func rows(_ response: BatchResponse) throws -> [Int64: [RemoteRow]] {
        let items = Dictionary(response.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var rows: [Int64: [RemoteRow]] = [:]
        for (place, wanted) in wanted.enumerated() {
            let row: RemoteRow
            switch items["\(place)"] {
            case .some(let item) where item.status == 200:
                let answer = Result { try EntityAnswer(item.body, set: wanted.set) }
                // One that cannot be read is not the same.
                if case .failure = answer, duplicates.contains(wanted.number) { continue }
                let entity = try answer.get()
                row = RemoteRow(set: wanted.set.names.wire, key: wanted.key, etag: entity.etag, values: entity.values)
            case .some(let item) where item.status == 404 || item.status == 410 || item.status == 204:
                row = RemoteRow(set: wanted.set.names.wire, key: wanted.key, etag: nil, values: nil)
            default:
                if duplicates.contains(wanted.number) { continue }
                throw ClientError(
                    .busy,
                    "The service did not give a row that has changed.",
                    advice: "Sync again later."
                )
            }
            rows[wanted.number, default: []].append(row)
        }
        return rows
    }
}
