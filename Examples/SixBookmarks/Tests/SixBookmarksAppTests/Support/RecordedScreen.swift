// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarksModels
import SixBookmarksTerminal
import Testing

/// A screen that keeps what is shown, and somebody who types and reads.
@MainActor
final class RecordedScreen: Surface {
    /// How large it is.
    var size = ScreenSize(columns: 80, rows: 24)
    /// The rows that are shown, without blanks at their ends.
    private(set) var rows: [String] = []
    private(set) var layout: Layout?
    /// How often something was shown.
    private(set) var frames = 0
    private var waiting: (isShown: ([String]) -> Bool, resume: CheckedContinuation<Void, Never>)?
    private var program: TerminalApp?
    private var running: Task<Void, Never>?

    func show(_ frame: Frame) {
        let layout = Layout(frame, size)
        self.layout = layout
        rows = layout.rows.map { row in
            String(row.text.reversed().drop { $0 == " " }.reversed())
        }
        frames += 1
        if let waiting, waiting.isShown(rows) {
            self.waiting = nil
            waiting.resume.resume()
        }
    }

    /// Starts an app on it.
    func run(_ app: AppModel) {
        let program = TerminalApp(app, on: self)
        self.program = program
        running = Task { await program.run() }
    }

    /// Types keys, the letters of a text one by one.
    func type(_ text: String) { for character in text { press(.character(character)) } }

    /// Presses keys.
    func press(_ keys: Key...) { for key in keys { program?.send(.key(key)) } }

    /// Makes it another size.
    func resize(_ columns: Int, _ rows: Int) {
        size = ScreenSize(columns: columns, rows: rows)
        program?.send(.redraw)
    }

    /// Waits until what is shown is as it should be.
    ///
    /// What never comes is told, with what is there instead; nothing is waited for but that.
    func wait(until isShown: @escaping ([String]) -> Bool) async {
        if isShown(rows) { return }
        let watch = Task {
            try await Task.sleep(for: .seconds(300))
            Issue.record("The screen shows something else:\n\(rows.joined(separator: "\n"))")
            let waiting = waiting
            self.waiting = nil
            waiting?.resume.resume()
        }
        await withCheckedContinuation { waiting = (isShown, $0) }
        watch.cancel()
    }

    /// Waits until a row has a text.
    func wait(for text: String) async { await wait { $0.contains { $0.contains(text) } } }

    /// Waits until the program has ended.
    func end() async { await running?.value }

    /// The row with a text.
    func row(_ text: String) -> String? { rows.first { $0.contains(text) } }
}
