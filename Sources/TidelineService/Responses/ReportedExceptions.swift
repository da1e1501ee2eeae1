// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineOData

/// Tells the log of which properties values are told as exceptions: of each once, for every device reads them.
final class ReportedExceptions: Sendable {
    private let told = Mutex<Set<String>>([])
    private let report: @Sendable (_ id: String, _ error: any Error) -> Void

    init(_ report: @escaping @Sendable (_ id: String, _ error: any Error) -> Void) {
        self.report = report
    }

    /// Reports what an answer tells as exceptions.
    func note(_ writer: JSONEntityWriter) {
        guard !writer.exceptions.isEmpty else { return }
        let fresh = told.withLock { told in
            defer { told.formUnion(writer.exceptions) }
            return writer.exceptions.subtracting(told)
        }
        for property in fresh.sorted() { report("", UnreadableValues(property: property)) }
    }
}
