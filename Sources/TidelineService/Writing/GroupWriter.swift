// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Carries out the requests of one group in one transaction, in an order in which they can be.
///
/// The order is that of the requests, but for ``DeletionOrder``. A step that meets a value which is still taken, or a
/// parent which is not there yet, waits for the others and is tried again: so values are freed before they are taken.
/// Where all that are left wait for each other, as in a swap of unique values, one row lets go of its value for a moment.
/// Steps on one row keep their order. When nothing helps, the group fails with the first error and changes nothing.
///
/// What a request names with `If-Match` is the row as it was before the group, of requests that name an entity by its set
/// and key: where a step before it changed the row, as a trigger that keeps a count does, or took it along, nobody else did.
/// No other program's change comes between, for the transaction sees one state of the database. Nor did anybody else change
/// a row that a device deletes where all that changed it since the device knew it are transactions of the device.
struct GroupWriter {
    let core: Core
    let writer: any StoreWriter
    /// Whether a step that fails can be undone, each in a savepoint; else nothing is tried again, and the group fails
    /// with the first step that does.
    let isGuarded: Bool
    /// Whether the group failed before, so that it is looked at what the rows were.
    var looksAtVersions = false
    /// The device that sends the group, or `nil` for a client that is none.
    var sender: RepeatableRequest?

    /// Runs the requests and answers each with what is there at the end, after triggers.
    ///
    /// - Parameter calls: the requests with their ids, in order.
    /// - Throws: ``GroupFailure``; the store's errors that are no answer to a request (locked, full, broken).
    func run(_ calls: [(id: String, call: Call)]) throws -> [Answer] {
        var steps: [Step?] = []
        let ids = Set(calls.map(\.id))
        for (place, (id, call)) in calls.enumerated() {
            steps.append(try failing(place) { try makeStep(id, call, ids) })
        }
        if looksAtVersions { try lookAtVersions(steps) }
        let done = try execute(steps)
        for (place, step) in steps.enumerated() {
            if let step { try failing(place) { try checkAtEnd(step) } }
        }
        do {
            try core.withholdingNames { try writer.checkDeferredConstraints() }
        } catch {
            throw GroupFailure(place: 0, error: try StepFailure(error).error)
        }
        try ConflictRecorder(core: core, writer: writer, sender: sender).record(done)
        let responder = Responder(core: core, reader: writer)
        try writer.prefetch(steps.compactMap { $0 }.flatMap(responder.rows))
        var answers: [Answer] = []
        var references: [String: Call.Reference] = [:]
        for (place, step) in steps.enumerated() {
            let answer = try failing(place) {
                if let step { return try responder.answer(to: step) }
                var call = calls[place].call
                call.groupReferences = references
                return try ReadHandler(core: core, reader: writer, call: call).answer().finished()
            }
            if let entity = answer.entity { references[calls[place].id] = entity }
            answers.append(answer)
        }
        return answers
    }

    /// Notes which steps name the version that their row has before the group.
    private func lookAtVersions(_ steps: [Step?]) throws {
        guard sender != nil || steps.count(where: { $0 != nil }) > 1 else { return }
        for (place, step) in steps.enumerated() {
            if let step { try failing(place) { try lookAtVersion(of: step) } }
        }
    }

    private func lookAtVersion(of step: Step) throws {
        guard let condition = try? ETagCondition.read(.ifMatch, step.call.fields),
            let address = address(of: step), let set = core.planner.model[set: address.set]
        else { return }
        let resolver = Resolver(planner: core.planner, reader: writer, call: step.call)
        let row = try resolver.visible(Resource.Entity(set: set, key: address.key))
        if case .reference(let id) = condition {
            let etag = step.call.reference(id)?.etag
            step.wasOfItsVersion = etag != nil && etag == row?.etag
        } else {
            // A row that the user does not see is none.
            step.wasOfItsVersion =
                try condition.matches(row?.etag) || row != nil && isOwnDoing(step, address.key, set)
        }
    }

    /// Whether a device deletes a row that only its own earlier transactions have changed since it knew the row, as by a
    /// trigger.
    ///
    /// Of a row that is updated the device knows better what becomes of both.
    private func isOwnDoing(_ step: Step, _ key: Key, _ set: EntitySet) throws -> Bool {
        guard case .delete = step.verb, let sender, let known = step.call.known else { return false }
        return try !writer.isChanged(key, in: set, since: known, exceptBy: sender.client)
    }

    private func failing<Result>(_ place: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw GroupFailure(place: place, error: try Self.answerable(error))
        }
    }

    /// The error as an answer to the request.
    ///
    /// - Throws: the error itself when it is not the request's fault.
    static func answerable(_ error: any Error) throws -> ODataError {
        if let failure = error as? StepFailure { return failure.error }
        if let storage = error as? StorageError, !Status.isDecision(ODataError(storage)) { throw storage }
        return try StepFailure(error).error
    }

    /// The step of a request; `nil` for one that only reads.
    private func makeStep(_ id: String, _ call: Call, _ ids: Set<String>) throws -> Step? {
        let verb: Step.Verb
        switch call.method {
        case .post: verb = .insert
        case .patch: verb = .update(replaces: false)
        case .put: verb = .update(replaces: true)
        case .delete: verb = .delete
        default: return nil
        }
        var dependencies: Set<String> = []
        if case .reference(let id) = call.target.path.segments.first, ids.contains(id) { dependencies.insert(id) }
        if let version = call.fields[.ifMatch], version.hasPrefix("$"), ids.contains(String(version.dropFirst())) {
            dependencies.insert(String(version.dropFirst()))
        }
        // A reference in the body is a text "$id"; what only looks like one makes the step wait in vain, no more. One that is
        // alone has none to refer to.
        let mayRefer =
            ids.count > 1
            && (call.options.id != nil || call.body.contains { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "\\") })
        if mayRefer {
            for reference in Self.references(in: call.body) where reference != id && ids.contains(reference) {
                dependencies.insert(reference)
            }
        }
        return Step(
            call: call,
            verb: verb,
            id: id,
            dependencies: dependencies,
            mayRefer: mayRefer || !dependencies.isEmpty
        )
    }

    /// The ids in texts that begin with `$`.
    private static func references(in body: [UInt8]) -> [String] {
        var found: [String] = []
        var place = 0
        while place + 1 < body.count {
            if body[place] == UInt8(ascii: "\""), body[place + 1] == UInt8(ascii: "$") {
                let rest = body[(place + 2)...]
                let id = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "/") }
                found.append(String(decoding: id, as: UTF8.self))
                place += id.count
            }
            place += 1
        }
        return found
    }

    /// Carries the steps out.
    ///
    /// - Returns: the steps in the order in which they went through.
    private func execute(_ steps: [Step?]) throws -> [Step] {
        var done: [Step] = []
        var references: [String: Call.Reference] = [:]
        var pending = steps.enumerated().compactMap { place, step in step.map { (place: place, step: $0) } }
        let order = DeletionOrder(reader: writer, model: core.planner.model)
        pending = try order.places(of: pending.map(\.step), address: address).map { pending[$0] }
        // Whether steps wait for deletions that their rows may fall with: not where nothing goes on any more.
        var minds = true
        while !pending.isEmpty {
            var waiting: [(place: Int, step: Step)] = []
            var failures: [(place: Int, step: Step, failure: StepFailure)] = []
            // The sets of which rows may fall with those that wait to be deleted.
            var falling = Set<String>()
            func wait(_ place: Int, _ step: Step) {
                waiting.append((place, step))
                if minds, case .delete = step.verb, let row = address(of: step) {
                    falling.formUnion(order.below([row.set]))
                }
            }
            for (place, step) in pending {
                if order.mayFall(step, in: falling) || waits(step, for: waiting) {
                    wait(place, step)
                    continue
                }
                do {
                    try run(step, references)
                    done.append(step)
                    if let entity = step.entity {
                        references[step.id] = Call.Reference(set: entity.set, key: entity.key, etag: nil)
                    }
                } catch {
                    let storage = error as? StorageError
                    if let storage, !Status.isDecision(ODataError(storage)) { throw storage }
                    let failure = try StepFailure(error)
                    guard failure.mayPassLater, isGuarded, steps.count > 1 else {
                        throw GroupFailure(place: place, error: failure.error)
                    }
                    wait(place, step)
                    failures.append((place, step, failure))
                }
            }
            if try waiting.count == pending.count && !park(failures) {
                if minds {
                    minds = false
                } else if let first = failures.first {
                    throw GroupFailure(place: first.place, error: first.failure.error)
                } else {
                    // Steps that refer to each other in a ring wait for nobody who runs.
                    let error = ODataError(.invalidBody, "Requests of the group refer to each other.")
                    throw GroupFailure(place: waiting[0].place, error: error)
                }
            }
            pending = waiting
        }
        return done
    }

    /// Whether a step must wait: it is on the row of one that waits, or refers to what that one makes.
    private func waits(_ step: Step, for waiting: [(place: Int, step: Step)]) -> Bool {
        waiting.contains { other in
            if step.dependencies.contains(other.step.id) { return true }
            // Nobody knows which rows an action looks at, so none passes it and it passes none.
            if isCall(step) || isCall(other.step) { return true }
            guard let row = address(of: step), let otherRow = address(of: other.step) else { return false }
            return row == otherRow
        }
    }

    private func isCall(_ step: Step) -> Bool {
        Methods.operation(of: step.call.target.path, in: core.planner.model) != nil
    }

    /// The row that a step names, as far as that is known before it runs.
    private func address(of step: Step) -> RowAddress? {
        step.entity.map(RowAddress.init) ?? RowAddress(step.call, core.planner.model)
    }

    private func run(_ step: Step, _ references: [String: Call.Reference]) throws {
        var call = step.call
        // Most refer to nothing, and are not copied.
        if step.mayRefer { call.groupReferences = references }
        let runner = StepRunner(core: core, writer: writer, call: call, step: step, isGuarded: isGuarded)
        guard isGuarded else { return try runner.run() }
        let (entity, effect) = (step.entity, step.effect)
        do {
            try step.attempt(on: writer) { try runner.run() }
        } catch {
            // What the step learned of its row stays: it was admitted against the row as it was.
            if entity == nil, case .insert = step.verb { step.entity = nil }
            step.effect = effect
            throw error
        }
    }

    /// Lets one waiting row go of the unique values that others wait for.
    private func park(_ failures: [(place: Int, step: Step, failure: StepFailure)]) throws -> Bool {
        for (_, step, failure) in failures where failure.error.code == ServiceCode.duplicateValue && !step.isParked {
            guard case .update = step.verb, let entity = step.entity, let current = step.current else { continue }
            step.isParked = true
            if try Parking(writer: writer).park(entity, current, failure.storage, for: step) { return true }
        }
        return false
    }

    /// What a policy allows after a change must hold at the end too: a later step may have moved a parent.
    private func checkAtEnd(_ step: Step) throws {
        let rows = RowWriter(core: core, writer: writer, call: step.call, step: step)
        for (entity, effect) in step.touched where effect != .deleted {
            guard rows.policyAfter(entity, effect) != nil, try writer.entity(entity.key, in: entity.set) != nil else {
                continue
            }
            try rows.checkPolicyAfter(entity, effect)
        }
        try rows.checkRules(step.touched[...])
    }
}
