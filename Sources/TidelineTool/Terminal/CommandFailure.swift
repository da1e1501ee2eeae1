// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a command did not do what was asked, in three sentences: what, why, and what to do next.
struct CommandFailure: Error {
    /// What went wrong, as a sentence.
    var what: String
    /// The cause, or `nil` where the first sentence says it.
    var why: String?
    /// What the reader can do, or `nil`.
    var next: String?
    /// The exit status of the process.
    var status: Int32

    init(_ what: String, why: String? = nil, next: String? = nil, status: Int32 = 1) {
        self.what = what
        self.why = why
        self.next = next
        self.status = status
    }

    /// Prints the sentences on standard error.
    func write() {
        let stream = StandardStream.error
        let mark = Style.apply(.refused, "error:", colour: stream.allowsColour)
        var text = "\(mark) \(what)\n"
        if let why { text += indented(why) }
        if let next { text += indented(next) }
        stream.write(text)
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }
}

extension CommandFailure: CustomStringConvertible {
    /// The sentences in a line, for the log of a server.
    var description: String { [what, why, next].compactMap { $0 }.joined(separator: " ") }
}
