// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Runs a group of requests in one transaction, exactly once where it is repeatable.
///
/// The mark of the client and the answer are written in the transaction of the effect. So whatever is cut, a repeated
/// group finds either nothing done, or all done and the answer kept.
struct GroupHandler {
    let core: Core
    let store: any Store

    /// A request of the group.
    struct Member {
        var id: String
        var call: Call
        /// What the request is, byte for byte, for telling a repetition from another request with its identifier.
        var identity: [UInt8]
    }

    /// Answers every request of the group.
    ///
    /// - Parameters:
    ///   - acknowledged: the last transaction of this client whose answer it has stored.
    ///   - epoch: the one that the client knows. In another one nothing is done: the client may have heard of a decision
    ///     that went with the epoch, and have sent another request since in place of this one, which arrives late.
    /// - Throws: what is no answer: a store that is locked, full or broken, which decides nothing.
    func run(_ members: [Member], acknowledged: Int64? = nil, epoch: String? = nil) throws -> [Answer] {
        guard let first = members.first else { return [] }
        let repeatable: RepeatableRequest?
        do throws(ODataError) {
            repeatable = try RepeatableRequest.read(first.call.fields, user: first.call.userName)
            try Self.checkPairs(members)
            if let now = core.now { try repeatable?.checkWindow(now: now()) }
        } catch {
            return rejected(members, error)
        }
        let members = reading(members, isRepeatable: repeatable != nil)
        guard let repeatable else { return try runOnce(members) }
        return try run(members, repeatable, acknowledged: acknowledged, epoch: epoch)
    }

    /// The requests with what their bodies say.
    private func reading(_ members: [Member], isRepeatable: Bool) -> [Member] {
        var reader = ReadBody.Reader(core: core)
        var members = members
        let event = isRepeatable ? members.first?.call.fields[.tidelineKnown] : nil
        let known = event.flatMap(core.position(ofEvent:))
        for place in members.indices {
            members[place].call.read = reader.read(members[place].call)
            members[place].call.known = known
        }
        return members
    }

    /// Members of a group that name an identifier name the same one as the first.
    private static func checkPairs(_ members: [Member]) throws(ODataError) {
        let names: [HTTPField.Name] = [.repeatabilityRequestID, .repeatabilityFirstSent, .repeatabilityClientID]
        for member in members.dropFirst() {
            for name in names {
                guard let value = member.call.fields[name] else { continue }
                guard value == members[0].call.fields[name] else {
                    throw ODataError(
                        service: ServiceCode.invalidRepeatability,
                        "All requests of a group carry the same \(name.rawName).",
                        target: name.rawName
                    )
                }
            }
        }
    }

    private func runOnce(_ members: [Member]) throws -> [Answer] {
        do {
            let answers = try transaction(mayBeGuarded: Self.hasOrder(members)) { writer, isGuarded in
                let group = GroupWriter(
                    core: core,
                    writer: writer,
                    isGuarded: isGuarded,
                    looksAtVersions: isGuarded
                )
                let answers = try group.run(members.map { ($0.id, $0.call) })
                try core.alongside?(writer)
                FailPoint.visit("server.before-commit")
                return answers
            }
            FailPoint.visit("server.after-commit")
            return answers
        } catch {
            return refused(members, try failure(error))
        }
    }

    /// Whether another order may help: of the requests of a group, or of the changes of a delta.
    private static func hasOrder(_ members: [Member]) -> Bool {
        members.count > 1 || members[0].call.read?.isDelta == true
    }

    /// Runs the group in a transaction as if nothing failed, and where something does again from the start, with
    /// savepoints that tell what, and let its refusal be kept.
    ///
    /// A database pays for a savepoint with all that is changed after it: SQLite copies each page out first, and
    /// PostgreSQL is asked twice more.
    private func transaction(
        mayBeGuarded: Bool = true,
        _ body: (_ writer: any StoreWriter, _ isGuarded: Bool) throws -> [Answer]
    ) throws -> [Answer] {
        do {
            return try store.write { try body($0, false) }
        } catch let error as GroupFailure {
            guard mayBeGuarded else { throw error }
            return try store.write { try body($0, true) }
        }
    }

    private func run(
        _ members: [Member],
        _ request: RepeatableRequest,
        acknowledged: Int64?,
        epoch: String?
    ) throws -> [Answer] {
        let hash = Self.hash(members, user: members.first?.call.userName)
        // Who gives no numbers is no device, and has no policy to ask.
        let sender = request.number == nil ? nil : request
        // Refusals that were found in a transaction which could not be committed with them.
        var refusal: [Answer]?
        let decide = { (writer: any StoreWriter, execute: () throws -> [Answer]) throws -> [Answer] in
            if let answers = try self.earlier(request, hash, members, writer) { return answers }
            let start = epoch == nil && sender == nil ? nil : try writer.position()
            if let epoch, start?.epoch != EpochText.epoch(of: epoch) { throw Self.otherEpoch }
            let answers = try execute()
            if sender != nil, let start { try writer.setAuthor(request.client, since: start) }
            if request.number == nil {
                try writer.forgetAnswers(olderThan: RepeatableRequest.window + 2 * RepeatableRequest.slack)
            }
            if let acknowledged { try writer.forgetAnswers(client: request.client, through: acknowledged) }
            try writer.keep(
                KeptAnswer(transaction: request.number, requestHash: hash, bytes: AnswerCodec.encode(answers)),
                client: request.client,
                request: request.id
            )
            if let number = request.number {
                try writer.setMark(ClientMark(user: self.user(members), transaction: number), client: request.client)
            }
            FailPoint.visit("server.before-commit")
            return answers
        }
        do {
            let answers = try transaction { writer, isGuarded in
                refusal = nil
                let group = GroupWriter(
                    core: core,
                    writer: writer,
                    isGuarded: isGuarded && Self.hasOrder(members),
                    looksAtVersions: isGuarded,
                    sender: sender
                )
                return try decide(writer) {
                    guard isGuarded else {
                        return accepted(try group.run(members.map { ($0.id, $0.call) }), members)
                    }
                    do {
                        let answers = try writer.savepoint { try group.run(members.map { ($0.id, $0.call) }) }
                        return accepted(answers, members)
                    } catch let error as GroupFailure {
                        let answers = accepted(refused(members, error), members)
                        refusal = answers
                        if let sender {
                            let recorder = ConflictRecorder(core: core, writer: writer, sender: sender)
                            try recorder.record(error, of: members[error.place].call)
                        }
                        return answers
                    }
                }
            }
            FailPoint.visit("server.after-commit")
            return answers
        } catch let error as ODataError {
            return rejected(members, error)
        } catch {
            // A trigger may have ended the transaction, or the commit was refused: the refusal is kept by itself.
            let answers = try refusal ?? accepted(refused(members, try failure(error)), members)
            let kept = try store.write { writer in try decide(writer) { answers } }
            FailPoint.visit("server.after-commit")
            return kept
        }
    }

    private static var otherEpoch: ODataError {
        ODataError(
            service: ServiceCode.epochChanged,
            "The service went back to a backup, or began its record of changes anew, since it told its epoch.",
            target: HTTPField.Name.tidelineEpoch.rawName
        )
    }

    /// The answer given before, if the request was decided.
    ///
    /// - Throws: an error of the protocol when it was, but the answer cannot be given again.
    private func earlier(
        _ request: RepeatableRequest,
        _ hash: [UInt8],
        _ members: [Member],
        _ writer: any StoreWriter
    ) throws -> [Answer]? {
        let mark = try writer.mark(client: request.client)
        if let mark, !mark.admits(user(members)) {
            throw ODataError(service: ServiceCode.clientOfOtherUser, "This client is another user's: make a new one.")
        }
        if let number = request.number, number > mark?.transaction ?? 0 { return nil }
        guard let kept = try writer.answer(client: request.client, request: request.id) else {
            if request.number == nil { return nil }
            throw ODataError(
                service: ServiceCode.alreadyDecided,
                "This request was decided before, and its answer is not kept any more.",
                target: "Repeatability-Request-ID"
            )
        }
        // Nobody may have sent it, while the domain was open, who is signed in now.
        guard kept.requestHash == hash || kept.requestHash == Self.hash(members, user: nil),
            let answers = AnswerCodec.decode(kept.bytes, core.planner.model), answers.count == members.count
        else {
            throw ODataError(
                service: ServiceCode.repeatabilityMismatch,
                "Another request was sent with this identifier before.",
                target: "Repeatability-Request-ID"
            )
        }
        return answers
    }

    /// The failure as an answer.
    ///
    /// - Throws: the error when it decides nothing.
    private func failure(_ error: any Error) throws -> GroupFailure {
        if let failure = error as? GroupFailure { return failure }
        return GroupFailure(place: 0, error: try GroupWriter.answerable(error))
    }

    private func user(_ members: [Member]) -> String? {
        members.first.flatMap { Self.user($0.call.user, $0.call.userName) }
    }

    /// How the marks of clients name a user; nobody is `nil`.
    static func user(_ user: UserContext, _ name: String?) -> String? {
        user.id.isNull ? nil : name ?? user.id.text ?? ""
    }

    static func user(_ calls: CallReader) -> String? { user(calls.user, calls.userName) }

    /// The user is part of it: a kept answer is nobody else's.
    private static func hash(_ members: [Member], user: String?) -> [UInt8] {
        var hasher = SHA256()
        var writer = PackedWriter()
        writer.text(user ?? "")
        for member in members { writer.bytes(member.identity) }
        hasher.update(data: writer.bytes)
        return Array(hasher.finalize())
    }

    private func accepted(_ answers: [Answer], _ members: [Member]) -> [Answer] { marked(answers, members, "accepted") }

    /// The answers with the result on the first, and on each whose request asks for one.
    private func marked(_ answers: [Answer], _ members: [Member], _ result: String) -> [Answer] {
        var answers = answers
        for place in answers.indices
        where place == 0 || members[place].call.fields[.repeatabilityRequestID] != nil {
            answers[place].fields[.repeatabilityResult] = result
        }
        return answers
    }

    /// The group was not executed now.
    private func rejected(_ members: [Member], _ error: ODataError) -> [Answer] {
        marked(refused(members, GroupFailure(place: 0, error: error)), members, "rejected")
    }

    /// The request that failed is answered with its error, the others with 424.
    private func refused(_ members: [Member], _ failure: GroupFailure) -> [Answer] {
        members.enumerated().map { place, member in
            if place == failure.place { return ODataService.answer(failure.error, member.call, core.planner.model) }
            let error = ODataError(
                service: ServiceCode.failedDependency,
                "Another request of the group failed, so nothing was done.",
                target: members.indices.contains(failure.place) ? members[failure.place].id : nil
            )
            return Answer(error, version: member.call.version)
        }
    }
}
