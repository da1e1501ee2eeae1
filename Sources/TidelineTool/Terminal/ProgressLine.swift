// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One line on standard error that shows how far long work has come: figures, rate and time left.
///
///     Orders  12,000 of 60,000 rows  5,400/s  9 s left
///
/// Silent unless standard error is a terminal, but for what is waited for.
final class ProgressLine: Sendable {
    private struct State {
        var lastShown: ContinuousClock.Instant?
        /// What is being done, since when, and how far it was then: the rate is that of this alone.
        var work: (label: String, begin: ContinuousClock.Instant, done: Int)?
        var isVisible = false
        /// The sentence about a wait that was said last.
        var wait = ""
    }

    private let isOn: Bool
    private let clock = ContinuousClock()
    private let state = Mutex(State())

    init() { isOn = StandardStream.error.isTerminal }

    /// Shows the figures of now, ten times a second at most.
    ///
    /// - Parameters:
    ///   - label: what is being done: an entity set, a file.
    ///   - done: the units done so far.
    ///   - total: all units, or `nil` where nobody knows.
    ///   - unit: the name of the units, in the plural.
    func show(_ label: String, done: Int, of total: Int? = nil, unit: String = "rows") {
        guard isOn else { return }
        let rate = rate(of: label, done)
        guard isDue() else { return }
        var text = "\(label)  \(Self.grouped(done))"
        if let total { text += " of \(Self.grouped(total))" }
        text += " \(unit)"
        if let rate {
            text += "  \(Self.grouped(Int(rate)))/s"
            if let total, total > done { text += "  \(Self.time(Double(total - done) / rate)) left" }
        }
        LastLine.show(text)
    }

    /// The units a second since this work was shown first; `nil` where half a second has not told yet.
    private func rate(of label: String, _ done: Int) -> Double? {
        let now = clock.now
        return state.withLock { state in
            guard let work = state.work, work.label == label, work.done <= done else {
                state.work = (label, now, done)
                return nil
            }
            let elapsed = (now - work.begin) / .seconds(1)
            return elapsed >= 0.5 && done > work.done ? Double(done - work.done) / elapsed : nil
        }
    }

    /// Says what is waited for, whatever was shown a moment before; to who is no terminal once for each reason.
    func wait(_ sentence: String) {
        let isNew = state.withLock { state in
            defer { state.wait = sentence }
            state.isVisible = state.isVisible || isOn
            return state.wait != sentence
        }
        if isOn { LastLine.show(sentence) } else if isNew { StandardStream.error.write(sentence + ".\n") }
    }

    private func isDue() -> Bool {
        let now = clock.now
        return state.withLock { state in
            if let last = state.lastShown, now - last < .milliseconds(100) { return false }
            state.lastShown = now
            state.isVisible = true
            return true
        }
    }

    /// Takes the line away.
    func finish() {
        let wasVisible = state.withLock { state in
            defer { state.isVisible = false }
            return state.isVisible
        }
        if wasVisible { LastLine.clear() }
    }

    /// A count with a comma after each three digits.
    static func grouped(_ count: Int) -> String {
        var result = ""
        for (place, digit) in String(count.magnitude).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return (count < 0 ? "-" : "") + String(result.reversed())
    }

    /// Seconds as people say them.
    static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        return whole < 90 ? "\(whole) s" : "\((whole + 59) / 60) min"
    }
}
