// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Answers a `$batch`, in JSON or multipart: single requests one after the other, groups in one transaction each.
///
/// Source: OData JSON Format 4.01, section 19; OData Protocol 4.01, section 11.7.
struct BatchHandler {
    let core: Core
    let store: any Store
    let calls: CallReader
    let fields: HTTPFields
    let report: (any Error) -> ODataError

    func respond(to body: [UInt8]) throws -> ServiceResponse {
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch, .repeatabilityRequestID, .repeatabilityFirstSent]
        where fields[name] != nil {
            if name == .repeatabilityRequestID || name == .repeatabilityFirstSent { return rejected(name) }
            throw ODataError(.invalidHeader, "\(name.rawName) belongs to a request of the batch.", target: name.rawName)
        }
        guard body.count <= core.planner.limits.batchBytes else {
            throw ODataError(
                service: ServiceCode.tooLarge,
                "The batch is larger than \(core.planner.limits.batchBytes) bytes."
            )
        }
        let version = try ODataVersion.negotiate(fields)
        let batch = try BatchRequestReader.read(
            body,
            contentType: fields[.contentType],
            limit: core.planner.limits.batchRequests
        )
        guard MediaTypes.accepts(batch.form == .json ? "application/json" : "multipart/mixed", fields: fields) else {
            throw ODataError(.notAcceptable, "A batch is answered in its own format.", target: "Accept")
        }
        if Preferences(fields).returns != nil {
            throw ODataError(.invalidHeader, "return belongs to the requests of the batch.", target: "Prefer")
        }
        return try Isolation.isAsked(fields)
            ? try SnapshotBatch(batch: self, version: version).respond(to: batch)
            : try individual(batch, body, version)
    }

    /// A batch as a whole is not repeatable.
    private func rejected(_ name: HTTPField.Name) -> ServiceResponse {
        let error = ODataError(
            service: ServiceCode.invalidRepeatability,
            "\(name.rawName) belongs to a request of the batch.",
            target: name.rawName
        )
        let answer = Answer(error, version: (try? ODataVersion.negotiate(fields)) ?? .v40)
        var head = HTTPResponse(status: answer.status, headerFields: answer.fields)
        head.headerFields[.repeatabilityResult] = "rejected"
        return ServiceResponse(head: head, body: .bytes(answer.bytes))
    }

    /// The header fields of a batch's answer.
    func head(_ version: ODataVersion, _ contentType: String) -> HTTPResponse {
        var head = HTTPResponse(status: .ok)
        head.headerFields[.odataVersion] = version.rawValue
        head.headerFields[.contentType] = contentType
        let preferences = Preferences(fields)
        var applied = preferences.none
        applied.continuesOnError = preferences.continuesOnError
        head.headerFields[.preferenceApplied] = applied.headerValue
        return head
    }

    /// Tells the log what failed, which the status of the batch does not say.
    func tell(_ failures: BatchFailures) {
        if failures.count > 0 { core.tell(failures) }
    }

    /// The last transaction whose answer the client says it has stored.
    private func acknowledged() throws(ODataError) -> Int64? {
        guard let text = fields[.tidelineAcknowledged] else { return nil }
        guard let number = Int64(text), number >= 0, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            throw ODataError(
                .invalidHeader,
                "Tideline-Acknowledged is no transaction number.",
                target: "Tideline-Acknowledged"
            )
        }
        return number
    }

    private func individual(_ batch: BatchRequest, _ body: [UInt8], _ version: ODataVersion) throws -> ServiceResponse {
        let spool = SpoolWriter(folder: core.spoolFolder)
        let writer = BatchAnswerWriter(batch.form, output: spool.output)
        var run = BatchRun(keepsBodies: batch.items.contains { $0.condition != nil })
        let acknowledged = try acknowledged()
        let continues = Preferences(fields).continuesOnError ?? (batch.form == .json)
        writer.begin()
        var place = 0
        while place < batch.items.count {
            let group = batch.items[place].atomicityGroup
            var end = place + 1
            while group != nil, end < batch.items.count, batch.items[end].atomicityGroup == group { end += 1 }
            let items = Array(batch.items[place..<end])
            let isStopped = !continues && run.hasFailed
            // In multipart what comes after the first error has no answer at all.
            if isStopped, batch.form == .multipart { break }
            let answers = try answer(items, body, run, version, acknowledged, isStopped: isStopped)
            for (item, answer) in zip(items, answers) { run.note(item, answer) }
            writer.append(items, answers)
            run.note(group: group, answers)
            spool.drain()
            place = end
        }
        writer.end()
        tell(run.failures)
        var head = head(version, writer.contentType)
        if fields[.repeatabilityClientID] != nil {
            // What was done is told in any case.
            head.headerFields[.tidelineEpoch] = try? store.read { try EpochText.text($0) }
        }
        return ServiceResponse(head: head, body: try spool.finish())
    }

    /// Answers one request, or the requests of one group.
    private func answer(
        _ items: [BatchRequest.Item],
        _ body: [UInt8],
        _ run: BatchRun,
        _ version: ODataVersion,
        _ acknowledged: Int64?,
        isStopped: Bool
    ) throws -> [Answer] {
        // A client's transactions are decided in their order: none may pass one that is not decided.
        let isRepeatable = items.contains { $0.headers[.repeatabilityRequestID] != nil }
        if isRepeatable, run.isUndecided {
            let error = ODataError(service: ServiceCode.busy, "An earlier transaction of the batch was not decided.")
            return items.map { _ in Answer(error, version: version) }
        }
        let ids = Set(items.map(\.id))
        let failed = items.filter { $0.condition == nil }.flatMap(\.dependsOn).first {
            !ids.contains($0) && !run.succeeded.contains($0)
        }
        if let unmet = try unmetCondition(items, run, version) { return unmet }
        if isStopped || failed != nil {
            let message =
                failed.map { "The request \($0), on which this depends, did not succeed." }
                ?? "An earlier request failed."
            let error = ODataError(service: ServiceCode.failedDependency, message, target: failed)
            return items.map { _ in Answer(error, version: version) }
        }
        var members: [GroupHandler.Member] = []
        for (place, item) in items.enumerated() {
            do throws(ODataError) {
                let before = place == 0 ? nil : (items[place - 1], members[place - 1].call)
                let call = try call(of: item, run, after: before)
                let isPlain = item.headers[.repeatabilityFirstSent] == nil
                let hasSource = !item.source.isEmpty && item.source.upperBound <= body.count
                let identity = isPlain && hasSource ? Array(body[item.source]) : Self.identity(of: item)
                members.append(GroupHandler.Member(id: item.id, call: call, identity: identity))
            } catch {
                return items.indices.map {
                    let other = ODataError(
                        service: ServiceCode.failedDependency,
                        "Another request of the group failed, so nothing was done.",
                        target: item.id
                    )
                    return Answer($0 == place ? error : other, version: version)
                }
            }
        }
        do {
            if items[0].atomicityGroup == nil, [.get, .head].contains(members[0].call.method) {
                return [try read(members[0].call)]
            }
            // What a client sends for another, of whose store it is a copy, acknowledges nothing of that one.
            let isOwn = members[0].call.fields[.repeatabilityClientID] == fields[.repeatabilityClientID]
            return try GroupHandler(core: core, store: store)
                .run(members, acknowledged: isOwn ? acknowledged : nil, epoch: fields[.tidelineEpoch])
        } catch {
            let error = report(error)
            return items.map { _ in Answer(error, version: version) }
        }
    }

    /// The answers when a request's `if` does not hold, or cannot be read; `nil` when all hold.
    private func unmetCondition(
        _ items: [BatchRequest.Item],
        _ run: BatchRun,
        _ version: ODataVersion
    ) throws -> [Answer]? {
        for item in items {
            guard let condition = item.condition else { continue }
            var error = ODataError(
                service: ServiceCode.failedDependency,
                "The condition of the request \(item.id) does not hold.",
                target: item.id
            )
            do throws(ODataError) {
                if try run.holds(condition, core, calls.user) { continue }
            } catch let problem {
                error = problem
            }
            return items.map { other in
                if other.id == item.id { return Answer(error, version: version) }
                let dependent = ODataError(
                    service: ServiceCode.failedDependency,
                    "Another request of the group was not carried out, so nothing was done.",
                    target: item.id
                )
                return Answer(dependent, version: version)
            }
        }
        return nil
    }

    private func read(_ call: Call) throws -> Answer {
        do {
            let isIsolated = try Isolation.isAsked(call.fields)
            return try store.read { reader in
                if isIsolated { return try Isolation(core: core, reader: reader).answer(to: call).finished() }
                return try ReadHandler(core: core, reader: reader, call: call).answer().finished()
            }
        } catch let error as ODataError {
            return ODataService.answer(error, call, core.planner.model)
        }
    }

    /// The call that an item of a batch stands for.
    ///
    /// - Parameter before: the item before it and its call: many items in a row differ by their bodies alone.
    func call(
        of item: BatchRequest.Item,
        _ run: BatchRun,
        after before: (item: BatchRequest.Item, call: Call)? = nil
    ) throws(ODataError) -> Call {
        guard item.body.count <= core.planner.limits.bodyBytes else {
            throw ODataError(
                service: ServiceCode.tooLarge,
                "The body is larger than \(core.planner.limits.bodyBytes) bytes.",
                target: item.id
            )
        }
        // Where the call has another method, the body was the query.
        if let before, item.method == before.item.method, item.method == before.call.method,
            item.url == before.item.url, item.headers.elementsEqual(before.item.headers)
        {
            var call = before.call
            call.body = item.body
            return call
        }
        var fields = item.headers
        if fields[.odataMaxVersion] == nil { fields[.odataMaxVersion] = self.fields[.odataMaxVersion] }
        if fields[.odataVersion] == nil { fields[.odataVersion] = self.fields[.odataVersion] }
        // A batch of another type accepts what is no answer to its requests.
        let isJSON = self.fields[.contentType]?.lowercased().hasPrefix("application/json") ?? false
        if fields[.accept] == nil, isJSON { fields[.accept] = self.fields[.accept] }
        let text = try Address(calls.root).relative(item.url)
        var call = try calls.call(item.method, text, fields, item.body, inheriting: Preferences(self.fields))
        guard [.get, .head, .post, .patch, .put, .delete].contains(item.method),
            call.target.path.segments.first != .batch
        else {
            throw ReadHandler.notAllowed("A batch holds GET, POST, PATCH, PUT and DELETE, and no batch.")
        }
        call.references = run.references
        return call
    }

    /// What a request is, whenever it was first sent and whatever its client knew: two copies of a device's store may send the
    /// same with another of these.
    private static func identity(of item: BatchRequest.Item) -> [UInt8] {
        var item = item
        item.headers[.repeatabilityFirstSent] = nil
        item.headers[.tidelineKnown] = nil
        return BatchRequestWriter.encode(item)
    }
}
