// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineOData

/// Writes the answer to a batch in the format of its request.
struct BatchAnswerWriter {
    private enum Writer {
        case json(BatchResponseWriter)
        case multipart(MultipartBatchWriter)
    }

    private let writer: Writer
    let output: ByteWriter

    init(_ form: BatchForm, output: ByteWriter) {
        self.output = output
        switch form {
        case .json: writer = .json(BatchResponseWriter(output: output))
        case .multipart:
            let mark = [UInt64.random(in: 0 ... .max), .random(in: 0 ... .max)].map { String($0, radix: 36) }.joined()
            writer = .multipart(MultipartBatchWriter(output: output, mark: mark))
        }
    }

    /// The answer's own `Content-Type`.
    var contentType: String {
        switch writer {
        case .json: "application/json"
        case .multipart(let writer): writer.contentType
        }
    }

    func begin() {
        if case .json(let writer) = writer { writer.begin() }
    }

    func end() {
        switch writer {
        case .json(let writer): writer.end()
        case .multipart(let writer): writer.end()
        }
    }

    /// Writes the answers of one request, or of the requests of one group.
    func append(_ items: [BatchRequest.Item], _ answers: [Answer]) {
        switch writer {
        case .json(let writer):
            for (item, answer) in zip(items, answers) {
                writer.append(
                    BatchResponse.Item(
                        id: item.id,
                        atomicityGroup: item.atomicityGroup,
                        status: answer.status.code,
                        headers: answer.fields,
                        body: answer.bytes
                    )
                )
            }
        case .multipart(let writer): append(items, answers, to: writer)
        }
    }

    private func append(_ items: [BatchRequest.Item], _ answers: [Answer], to writer: MultipartBatchWriter) {
        let isSet = items.first?.atomicityGroup != nil
        let failures = zip(items, answers).filter { $1.status.code >= 400 }
        // A change set that failed has one answer, in the place of all: that of the request which made it fail.
        if isSet, let failure = failures.first(where: { $1.status.code != 424 }) ?? failures.first {
            return append(failure.0, failure.1, to: writer)
        }
        if isSet { writer.beginChangeSet() }
        for (item, answer) in zip(items, answers) { append(item, answer, to: writer) }
        if isSet { writer.endChangeSet() }
    }

    private func append(_ item: BatchRequest.Item, _ answer: Answer, to writer: MultipartBatchWriter) {
        writer.append(
            contentID: item.contentID,
            status: answer.status,
            headers: answer.fields,
            body: item.method == .head ? [] : answer.bytes
        )
    }
}
