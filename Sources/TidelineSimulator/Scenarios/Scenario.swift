// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// A story of one device and one service, told in steps that can be taken again.
package struct Scenario: Sendable {
    /// What there is before the first step.
    enum Beginning: Sendable {
        /// A device with a store that is in step with the service.
        case cloned
        /// A device with no store.
        case nothing
        /// A device with a store of the same model that knows no service.
        case local
    }

    /// One step; a crash may end it anywhere, and it is taken again then.
    struct Step: Sendable {
        enum Kind: Sendable {
            /// Something that the device keeps: acknowledged when the step has ended, and found by `isThere`.
            case write
            /// Afterwards the device and the service are in step, and what was written before is on disk.
            case sync
            /// Something that can be done again without harm.
            case act
        }

        var kind: Kind
        var name: String
        /// Whether it takes what the device wrote before away.
        var forgets = false
        /// Whether a sync sends what it wrote, which is on disk then; what stays on the device may be gone longer.
        var isSent = true
        /// Whether the device has what a step wrote.
        var isThere: @Sendable (ScenarioWorld) throws -> Bool = { _ in true }
        var run: @Sendable (ScenarioWorld) async throws -> Void
    }

    package var name: String
    var beginning = Beginning.cloned
    var steps: [Step]

    init(_ name: String, from beginning: Beginning = .cloned, _ steps: [Step]) {
        self.name = name
        self.beginning = beginning
        self.steps = steps
    }
}

extension Scenario.Step {
    /// A transaction of the device, with its mark.
    static func write(_ mark: String, _ body: @escaping @Sendable (LocalTransaction) throws -> Void) -> Self {
        Self(kind: .write, name: mark, isThere: { try $0.marks().contains(mark) }) { world in
            guard try !world.marks().contains(mark) else { return }
            try await world.device().write { transaction in
                _ = try transaction.insert(["Name": .string(mark)], into: Harbour.marks)
                try body(transaction)
            }
        }
    }

    /// What a person decides on the device: as durable as a transaction, and decided again when the power took it.
    static func decide(
        _ name: String,
        forgets: Bool = false,
        isSent: Bool = true,
        isThere: @escaping @Sendable (LocalStore) throws -> Bool,
        _ run: @escaping @Sendable (LocalStore) throws -> Void
    ) -> Self {
        Self(kind: .write, name: name, forgets: forgets, isSent: isSent, isThere: { try isThere($0.device()) }) {
            try run($0.device())
        }
    }

    static var sync: Self { Self(kind: .sync, name: "sync") { try await $0.sync() } }

    /// Another program writes to the service's database.
    static func edit(_ name: String, _ sql: String) -> Self {
        Self(kind: .act, name: name) { try $0.edit(name, sql) }
    }

    static func act(_ name: String, _ run: @escaping @Sendable (ScenarioWorld) async throws -> Void) -> Self {
        Self(kind: .act, name: name, run: run)
    }

    static func forget(_ name: String, _ run: @escaping @Sendable (ScenarioWorld) async throws -> Void) -> Self {
        Self(kind: .act, name: name, forgets: true, run: run)
    }
}
