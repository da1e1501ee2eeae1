// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The last line of the terminal: words that change, or a question that stands; what stays is written above it.
///
///     10:02:11  sent 1, received 0
///     Password of ann at example.org: █
enum LastLine {
    private struct State {
        /// The words that change, empty where there are none; they wait while a question stands.
        var words = ""
        /// What a person is asked.
        var question: String?
    }

    private static let state = Mutex(State())
    private static let erase = "\r\u{1B}[2K"

    /// Shows words in place of those that were there, as many as the line holds.
    static func show(_ words: String) {
        let room = max(20, StandardStream.error.width - 1)
        let words = words.count > room ? words.prefix(room - 1) + "…" : words
        state.withLock { state in
            guard state.words != words else { return }
            state.words = words
            if state.question == nil { put(erase + words) }
        }
    }

    /// Takes the words away.
    static func clear() {
        state.withLock { state in
            guard !state.words.isEmpty else { return }
            state.words = ""
            if state.question == nil { put(erase) }
        }
    }

    /// Asks a person, on standard error, in place of the words.
    static func ask(_ question: String) {
        let isTerminal = StandardStream.error.isTerminal
        state.withLock { state in
            put((isTerminal ? erase : "") + question)
            if isTerminal { state.question = question }
        }
    }

    /// Ends the question.
    ///
    /// - Parameter isAnswered: whether the cursor is on the next line, and the words that waited are shown; else they go.
    static func endQuestion(isAnswered: Bool) {
        state.withLock { state in
            guard state.question != nil else { return }
            state.question = nil
            // Erased first: what was written since the answer may have asked again.
            if isAnswered { put(erase + state.words) } else { state.words = "" }
        }
    }

    /// Writes what stays: the words are gone then, and a question stands below it.
    ///
    /// - Parameter write: writes whole lines to the stream.
    static func above<Result>(_ stream: StandardStream, _ write: () -> Result) -> Result {
        state.withLock { state in
            guard stream.isTerminal, state.question != nil || !state.words.isEmpty else { return write() }
            put(erase)
            defer { if let question = state.question { put(question) } }
            if state.question == nil { state.words = "" }
            return write()
        }
    }

    private static func put(_ text: String) { _ = StandardStream.error.put(text) }
}
