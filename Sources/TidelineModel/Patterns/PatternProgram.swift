// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A regular expression as steps of a machine that follows all its ways at once.
struct PatternProgram: Hashable, Sendable {
    private enum Step: Hashable, Sendable {
        case characters(ScalarSet)
        case split(Int, Int)
        case jump(Int)
        case start, end
        case boundary(isNegated: Bool)
        case match
    }

    private static let limit = 5000
    private var steps: [Step] = []

    init(_ root: PatternNode) throws(Pattern.Failure) {
        try append(root)
        steps.append(.match)
    }

    // MARK: - Compiling

    private mutating func append(_ node: PatternNode) throws(Pattern.Failure) {
        guard steps.count < PatternProgram.limit else {
            throw .unsupported("a pattern of more than \(PatternProgram.limit) steps")
        }
        switch node {
        case .empty: break
        case .characters(let set): steps.append(.characters(set))
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .boundary(let isNegated): steps.append(.boundary(isNegated: isNegated))
        case .sequence(let terms):
            for term in terms { try append(term) }
        case .alternatives(let branches):
            var exits: [Int] = []
            for (place, branch) in branches.enumerated() {
                guard place < branches.count - 1 else {
                    try append(branch)
                    continue
                }
                let split = steps.count
                steps.append(.split(split + 1, 0))
                try append(branch)
                exits.append(steps.count)
                steps.append(.jump(0))
                steps[split] = .split(split + 1, steps.count)
            }
            for exit in exits { steps[exit] = .jump(steps.count) }
        case .repetition(let inner, let least, let most):
            for _ in 0..<least { try append(inner) }
            guard let most else {
                let split = steps.count
                steps.append(.split(split + 1, 0))
                try append(inner)
                steps.append(.jump(split))
                steps[split] = .split(split + 1, steps.count)
                return
            }
            var splits: [Int] = []
            for _ in 0..<(most - least) {
                splits.append(steps.count)
                steps.append(.split(steps.count + 1, 0))
                try append(inner)
            }
            for split in splits { steps[split] = .split(split + 1, steps.count) }
        }
    }

    // MARK: - Matching

    /// The places of the machine at one moment, each once.
    private struct Threads {
        var places: [Int] = []
        var marks: [Int]
        var generation = 0

        init(count: Int) { marks = Array(repeating: -1, count: count) }

        mutating func clear() {
            places.removeAll(keepingCapacity: true)
            generation += 1
        }
    }

    func matches(_ text: String) -> Bool {
        var current = Threads(count: steps.count)
        var following = Threads(count: steps.count)
        var pending: [Int] = []
        var before: UInt32?
        var scalars = text.unicodeScalars.makeIterator()
        var next = scalars.next()?.value
        while true {
            // A match may begin at each place of the text.
            if follow(0, before, next, &current, &pending) { return true }
            guard let scalar = next else { return false }
            let after = scalars.next()?.value
            following.clear()
            for place in current.places {
                guard case .characters(let set) = steps[place], set.contains(scalar) else { continue }
                if follow(place + 1, scalar, after, &following, &pending) { return true }
            }
            swap(&current, &following)
            (before, next) = (scalar, after)
        }
    }

    /// Adds a place and all that are reached from it without a character; whether the match is among them.
    private func follow(
        _ start: Int,
        _ before: UInt32?,
        _ after: UInt32?,
        _ threads: inout Threads,
        _ pending: inout [Int]
    ) -> Bool {
        pending.append(start)
        while let place = pending.popLast() {
            guard threads.marks[place] != threads.generation else { continue }
            threads.marks[place] = threads.generation
            switch steps[place] {
            case .match:
                pending.removeAll(keepingCapacity: true)
                return true
            case .characters: threads.places.append(place)
            case .jump(let target): pending.append(target)
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .start: if before == nil { pending.append(place + 1) }
            case .end: if after == nil { pending.append(place + 1) }
            case .boundary(let isNegated):
                let isBoundary =
                    (before.map(ScalarSet.word.contains) ?? false) != (after.map(ScalarSet.word.contains) ?? false)
                if isBoundary != isNegated { pending.append(place + 1) }
            }
        }
        return false
    }
}
