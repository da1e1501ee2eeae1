// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// What a handler answers, before it is known where the bytes go: to the client alone, or into a batch.
struct Answer {
    /// A body, made or still to be made inside the transaction.
    enum Body {
        case none
        case bytes([UInt8])
        /// Writes the body. The second argument is called between rows, so that a spool can take what is there.
        case stream((ByteWriter, ((ByteWriter) -> Void)?) throws -> Void)
        /// What a file holds, or a part of it.
        case file(SpoolFile)
    }

    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: Body
    /// The entity that the answer is about: what `$id` means in later requests of a batch.
    var entity: Call.Reference?

    init(
        _ status: HTTPResponse.Status,
        fields: HTTPFields = HTTPFields(),
        body: Body = .none,
        entity: Call.Reference? = nil
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.entity = entity
    }

    /// The largest file that becomes a part of a larger answer: that one stands in memory.
    private static let fileLimit = 4_194_304

    /// The most of an answer that stands in memory while it is made; what is more goes to a file.
    private static let memoryLimit = 8_388_608

    /// The same with a body that is made: nothing of the transaction is needed any more.
    ///
    /// - Parameter folder: where a body may become a file, which goes to the client piece by piece; without it all stands
    ///   in memory.
    /// - Throws: `NotSupported` for a large file where it may not stay one.
    func finished(spoolingIn folder: String? = nil) throws -> Answer {
        if case .file(let file) = body, folder == nil {
            guard file.count <= Self.fileLimit else {
                throw ODataError(.notSupported, "A file of this size is answered to a request of its own.")
            }
            var answer = self
            answer.body = .bytes(try file.bytes(at: 0, count: file.count))
            return answer
        }
        guard case .stream(let write) = body else { return self }
        if let folder {
            let spool = SpoolWriter(folder: folder, memoryLimit: Self.memoryLimit)
            try write(spool.output) { _ in spool.drain() }
            var answer = self
            switch try spool.finish() {
            case .bytes(let bytes): answer.body = .bytes(bytes)
            case .spool(let file): answer.body = .file(file)
            }
            return answer
        }
        // A page of a hundred rows, about.
        let output = ByteWriter(capacity: 1 << 15)
        try write(output, nil)
        var answer = self
        answer.body = .bytes(output.bytes)
        return answer
    }

    /// The bytes of a finished answer.
    var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    /// The answer to a method that something does not take which is no resource of OData.
    static func notAllowed(_ message: String, allow: String, _ fields: HTTPFields) throws(ODataError) -> Answer {
        var answer = Answer(ReadHandler.notAllowed(message), version: try ODataVersion.negotiate(fields))
        answer.fields[.allow] = allow
        return answer
    }

    /// An error's answer.
    init(_ error: ODataError, version: ODataVersion) {
        var fields = HTTPFields()
        fields[.contentType] = "application/json"
        fields[.odataVersion] = version.rawValue
        self.init(Status.of(error), fields: fields, body: .bytes(ErrorBody.write(error)))
    }
}
