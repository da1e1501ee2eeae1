// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// The answers of a group as bytes, to be given again word for word.
enum AnswerCodec {
    static func encode(_ answers: [Answer]) -> [UInt8] {
        var writer = PackedWriter()
        writer.byte(1)
        writer.number(answers.count)
        for answer in answers {
            writer.number(answer.status.code)
            writer.number(answer.fields.count)
            for field in answer.fields {
                writer.text(field.name.rawName)
                writer.text(field.value)
            }
            writer.bytes(answer.bytes)
            writer.text(answer.entity?.set.names.wire ?? "")
            writer.number(answer.entity?.key.values.count ?? 0)
            for value in answer.entity?.key.values ?? [] { writer.value(value) }
            writer.text(answer.entity?.etag?.text ?? "")
        }
        return writer.bytes
    }

    /// - Returns: `nil` for bytes that ``encode(_:)`` did not make.
    static func decode(_ bytes: [UInt8], _ model: EntityModel) -> [Answer]? {
        var reader = PackedReader(bytes)
        guard reader.byte() == 1, let count = reader.number(), count <= bytes.count else { return nil }
        var answers: [Answer] = []
        for _ in 0..<count {
            guard let answer = decode(&reader, model) else { return nil }
            answers.append(answer)
        }
        return reader.isAtEnd ? answers : nil
    }

    private static func decode(_ reader: inout PackedReader, _ model: EntityModel) -> Answer? {
        guard let code = reader.number(), (100...599).contains(code), let fieldCount = reader.number(),
            fieldCount < 1_000
        else { return nil }
        var fields = HTTPFields()
        for _ in 0..<fieldCount {
            guard let name = reader.text().flatMap({ HTTPField.Name($0) }), let value = reader.text() else {
                return nil
            }
            fields.append(HTTPField(name: name, value: value))
        }
        guard let body = reader.bytes(), let set = reader.text(), let keyCount = reader.number(), keyCount < 64
        else { return nil }
        var key: [Value] = []
        for _ in 0..<keyCount {
            guard let value = reader.value() else { return nil }
            key.append(value)
        }
        guard let etag = reader.text() else { return nil }
        return Answer(
            HTTPResponse.Status(code: code),
            fields: fields,
            body: body.isEmpty ? .none : .bytes(body),
            entity: model[set: set].map { Call.Reference(set: $0, key: Key(key), etag: ETag(text: etag)) }
        )
    }
}
