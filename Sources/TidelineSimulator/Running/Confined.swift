// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What no lock guards: used on the loop's one thread alone.
///
/// `@unchecked Sendable`: each access requires that thread, see ``Loop/requireThread()``.
@dynamicMemberLookup final class Confined<State>: @unchecked Sendable {
    private let loop: Loop
    private var state: State

    init(_ state: State, to loop: Loop) {
        self.loop = loop
        self.state = state
    }

    subscript<Value>(dynamicMember member: KeyPath<State, Value>) -> Value {
        loop.requireThread()
        return state[keyPath: member]
    }

    subscript<Value>(dynamicMember member: WritableKeyPath<State, Value>) -> Value {
        get {
            loop.requireThread()
            return state[keyPath: member]
        }
        set {
            loop.requireThread()
            state[keyPath: member] = newValue
        }
    }
}
