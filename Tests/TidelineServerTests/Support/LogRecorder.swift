// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Keeps what was logged, as lines of message and metadata.
final class LogRecorder: Sendable {
    private let entries = Mutex<[String]>([])

    var lines: [String] { entries.withLock { $0 } }

    struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info

        init(recorder: LogRecorder) { self.recorder = recorder }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            let line = "\(event.level) \(event.message) " + all.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            recorder.entries.withLock { $0.append(line) }
        }
    }
}
