// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Answers a batch whose reads all see one snapshot: `Isolation: snapshot`.
///
/// The answer goes into a spool while the snapshot is open, whole results without pages, and is sent when it is closed.
/// `Tideline-Decided` tells the client's last decided transaction in that very snapshot, and `Tideline-Event-ID` the event
/// that would tell of nothing more than is in it.
struct SnapshotBatch {
    let batch: BatchHandler
    let version: ODataVersion

    func respond(to request: BatchRequest) throws -> ServiceResponse {
        for item in request.items where item.method != .get {
            throw ODataError(
                service: ServiceCode.snapshotUnsupported,
                "A batch with Isolation: snapshot only reads.",
                target: item.id
            )
        }
        var failures = BatchFailures()
        // Whoever is told may take long, and must not hold the snapshot open meanwhile. What failed is told also where the
        // batch fails after it.
        defer { batch.tell(failures) }
        return try batch.store.read { reader -> ServiceResponse in
            let spool = SpoolWriter(folder: batch.core.spoolFolder)
            var run = BatchRun(keepsBodies: request.items.contains { $0.condition != nil })
            // A store may have to read again, from the start.
            defer { failures = run.failures }
            let multipart = BatchAnswerWriter(.multipart, output: spool.output)
            let isJSON = request.form == .json
            let continues = Preferences(batch.fields).continuesOnError ?? isJSON
            if isJSON { spool.output.append(text: "{\"responses\":[") }
            for (place, item) in request.items.enumerated() {
                if isJSON {
                    if place > 0 { spool.output.append(text: ",") }
                    try write(item, &run, reader, to: spool, isStopped: !continues && run.hasFailed)
                } else {
                    let answer = try self.answer(item, &run, reader)
                    multipart.append([item], [answer])
                    if answer.status.code >= 400, !continues { break }
                }
                spool.drain()
            }
            if isJSON { spool.output.append(text: "]}") } else { multipart.end() }
            var head = batch.head(version, isJSON ? "application/json" : multipart.contentType)
            if let client = batch.fields[.repeatabilityClientID] {
                head.headerFields[.tidelineDecided] = "\(try decided(client, reader))"
                head.headerFields[.tidelineEpoch] = try EpochText.text(reader)
                head.headerFields[.tidelineEventID] = batch.core.eventID(at: try reader.position())
            }
            return ServiceResponse(head: head, body: try spool.finish())
        }
    }

    /// The last decided transaction of a client, 0 for one that is unknown or another user's.
    private func decided(_ client: String, _ reader: any StoreReader) throws -> Int64 {
        guard let mark = try reader.mark(client: client), mark.admits(GroupHandler.user(batch.calls)) else { return 0 }
        return mark.transaction
    }

    private func checkDependencies(
        _ item: BatchRequest.Item,
        _ run: BatchRun,
        isStopped: Bool = false
    ) throws(ODataError) {
        guard !isStopped else { throw ODataError(service: ServiceCode.failedDependency, "An earlier request failed.") }
        var failed = item.dependsOn.first { !run.succeeded.contains($0) }
        if let condition = item.condition {
            failed = try run.holds(condition, batch.core, batch.calls.user) ? nil : item.id
        }
        if let failed {
            throw ODataError(
                service: ServiceCode.failedDependency,
                "The request \(failed), on which this depends, did not succeed.",
                target: failed
            )
        }
    }

    /// One answer, finished.
    private func answer(
        _ item: BatchRequest.Item,
        _ run: inout BatchRun,
        _ reader: any StoreReader
    ) throws -> Answer {
        var call: Call?
        var answer: Answer
        do {
            try checkDependencies(item, run)
            var request = try batch.call(of: item, run)
            request.isPaged = false
            call = request
            answer = try ReadHandler(core: batch.core, reader: reader, call: request).answer().finished()
        } catch {
            let error = batch.report(error)
            answer =
                call.map { ODataService.answer(error, $0, batch.core.planner.model) } ?? Answer(error, version: version)
        }
        run.note(item, answer)
        return answer
    }

    /// Writes one answer; when it fails in the middle, the error takes the place of what was written.
    private func write(
        _ item: BatchRequest.Item,
        _ run: inout BatchRun,
        _ reader: any StoreReader,
        to spool: SpoolWriter,
        isStopped: Bool
    ) throws {
        let mark = spool.count
        var call: Call?
        do {
            try checkDependencies(item, run, isStopped: isStopped)
            var request = try batch.call(of: item, run)
            request.isPaged = false
            call = request
            let answer = try ReadHandler(core: batch.core, reader: reader, call: request).answer()
            try write(item, answer, to: spool)
            run.note(item, answer)
        } catch {
            if error is SpoolError { throw error }
            spool.truncate(to: mark)
            let error = batch.report(error)
            let answer =
                call.map { ODataService.answer(error, $0, batch.core.planner.model) } ?? Answer(error, version: version)
            try write(item, answer, to: spool)
            run.note(item, answer)
        }
    }

    private func write(_ item: BatchRequest.Item, _ answer: Answer, to spool: SpoolWriter) throws {
        // A writer of its own for each item: it puts no comma before its first, so an item can be taken back.
        let writer = BatchResponseWriter(output: spool.output)
        var answer = answer
        if case .file = answer.body { answer = try answer.finished() }
        let status = answer.status.code
        if case .stream(let write) = answer.body {
            writer.beginItem(
                id: item.id,
                atomicityGroup: item.atomicityGroup,
                status: status,
                headers: answer.fields,
                body: .json
            )
            try write(spool.output) { _ in spool.drain() }
            writer.endItem()
        } else {
            writer.append(
                BatchResponse.Item(
                    id: item.id,
                    atomicityGroup: item.atomicityGroup,
                    status: status,
                    headers: answer.fields,
                    body: answer.bytes
                )
            )
        }
    }
}
