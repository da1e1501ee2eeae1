// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V4: the transactions of a device take effect in the order in which they were committed.
///
/// The service numbers the events as they come. What a person sent again from the quarantine comes later than its turn.
struct OrderCheck: Check {
    static let number = "V4"

    private let model: EntityModel

    init(model: EntityModel) { self.model = model }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        guard case .service(let state) = observation else { return [] }
        var marks: [(number: Int64, event: Int)] = []
        for (key, text) in OnceCheck.marks(Regatta.events, state, model) {
            guard case .integer(let number)? = key.values.first, let event = WrittenValue.event(of: text) else {
                continue
            }
            marks.append((number, event))
        }
        var last: [String: Int] = [:]
        var found: [String] = []
        for (_, event) in marks.sorted(by: { $0.number < $1.number }) {
            guard let write = writes[event], !write.wasHeld else { continue }
            if let before = last[write.author], before > event {
                found.append("\(write.author)'s w\(event) took effect after its w\(before)")
            }
            last[write.author] = max(event, last[write.author] ?? 0)
        }
        return found
    }
}
