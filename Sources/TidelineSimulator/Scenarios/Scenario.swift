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
            /// A transaction of the device: acknowledged when the step has ended, and found by its mark.
            case write
            /// Afterwards the device and the service are in step, and what was written before is on disk.
            case sync
            /// Something that can be done again without harm.
            case act
            /// The same, and it takes what the device wrote before away.
            case forget
        }

        var kind: Kind
        /// For a write its mark.
        var name: String
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
        Self(kind: .write, name: mark) { world in
            guard try !world.marks().contains(mark) else { return }
            try await world.device().write { transaction in
                _ = try transaction.insert(["Name": .string(mark)], into: Harbour.marks)
                try body(transaction)
            }
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
        Self(kind: .forget, name: name, run: run)
    }
}
