// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V6: who shows an effect shows its cause, and what was once seen on a device stays.
///
/// An event's causes are the events of others that its author saw when it was committed. Events are never deleted, so a
/// device that has shown one goes on showing it, its own from the commit on. A service that went back gives keys again
/// that it gave before: until a device has loaded anew, its rows are of both times.
struct CauseCheck: Check {
    static let number = "V6"

    private let model: EntityModel
    /// The events that each device showed when it was looked at last.
    private var shown: [String: Set<Int>] = [:]
    /// The events whose causes were found, by node.
    private var explained: [String: Set<Int>] = [:]
    /// The events that an older state of the service may lack.
    private var lost: Set<Int> = []
    /// The events that a device may lack since it got another file.
    private var replaced: [String: Set<Int>] = [:]
    /// The devices that have not loaded anew since the service went back, and those of them whose sync began since.
    private var stale: Set<String> = []
    private var renewing: Set<String> = []
    /// The events that the service showed.
    private var arrived: Set<Int> = []
    /// The events of other devices that waited in the file of which a device got a copy.
    private var inherited: [String: Set<Int>] = [:]

    init(model: EntityModel) { self.model = model }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state):
            arrived.formUnion(events(state))
            return unexplained(state, "the service", writes)
        case .device(let name, let state, _): return unexplained(state, name, writes) + vanished(state, name, writes)
        case .restored:
            lost = Set(writes.keys)
            explained = [:]
            stale = Set(shown.keys).union(writes.values.map(\.author))
            renewing = []
            return []
        case .syncing(let name, let isDone):
            if !isDone { renewing.insert(name) } else if renewing.contains(name) { stale.remove(name) }
            return []
        case .replaced(let name, let source):
            replaced[name] = Set(writes.keys)
            let waiting = writes.values.filter { $0.author == source && !arrived.contains($0.event) }.map(\.event)
            inherited[name] = (inherited[source] ?? []).union(waiting)
            (shown[name], explained[name]) = ([], [])
            return []
        default: return []
        }
    }

    private func events(_ state: NodeState) -> Set<Int> {
        Set(OnceCheck.marks(Regatta.events, state, model).compactMap { WrittenValue.event(of: $0.text) })
    }

    private func isExcused(_ event: Int, _ writes: [Int: WriteRecord]) -> Bool {
        lost.contains(event) || writes[event]?.isGivenUp != false
    }

    private mutating func unexplained(_ state: NodeState, _ node: String, _ writes: [Int: WriteRecord]) -> [String] {
        let here = events(state)
        var found: [String] = []
        for event in here.subtracting(explained[node] ?? []).sorted() {
            guard let write = writes[event] else { continue }
            for cause in write.seen.subtracting(here).sorted() where !isExcused(cause, writes) {
                // What waited on the same device is no cause: it may be held while others go on.
                guard writes[cause]?.author != write.author, inherited[write.author]?.contains(cause) != true else {
                    continue
                }
                found.append("\(node) shows w\(event) of \(write.author), and not w\(cause), which it was made after")
            }
        }
        explained[node] = here
        return found
    }

    private mutating func vanished(_ state: NodeState, _ name: String, _ writes: [Int: WriteRecord]) -> [String] {
        let here = events(state)
        let own = writes.values.filter { $0.author == name && $0.isMarked }.map(\.event)
        let known = (shown[name] ?? []).union(own)
        shown[name] = here
        guard !stale.contains(name) else { return [] }
        return known.subtracting(here).sorted().filter {
            !isExcused($0, writes) && replaced[name]?.contains($0) != true
        }
        .map { "\(name) does not show w\($0) any more" }
    }
}
