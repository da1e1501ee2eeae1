// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypesHTTP1

/// Compression of answers, for clients that ask for it.
///
/// The compressor does not see the request, and an empty answer to HEAD must not be compressed: so whoever makes an
/// answer says with a marker header that it may be, and the marker is taken away here.
enum Compression {
    /// Set by ``mark(_:isHead:)``, never seen on the wire.
    private static let marker = "tideline-compressible"
    /// Below this size compression costs more than it gives.
    static let leastSizeInBytes = 1024

    /// The handlers of one connection, in the order from the network to the application.
    ///
    /// - Parameters:
    ///   - bodyTimeout: how long a body may come that nobody reads.
    ///   - answerTimeout: how long a client may take nothing of an answer.
    static func handlers(bodyTimeout: Duration, answerTimeout: Duration) -> [any RemovableChannelHandler] {
        [
            SmallReadsHandler(),
            StalledReaderHandler(timeout: answerTimeout),
            HangUpHandler(),
            ProtocolErrorHandler(),
            UnreadBodyHandler(timeout: bodyTimeout),
            HTTPToHTTP1ServerCodec(),
            // The buffer is there as long as the connection, and most connections only listen; it grows where it must.
            HTTPResponseCompressor(initialByteBufferCapacity: 16) { head, isSupported in
                guard head.headers.contains(name: marker) else { return .doNotCompress }
                head.headers.remove(name: marker)
                // The length of before would be wrong; the compressor sets the new one where it is known.
                if isSupported { head.headers.remove(name: "content-length") }
                return .compressIfPossible
            },
            HTTP1ToHTTPServerCodec(secure: false),
        ]
    }

    /// Marks an answer as one that may be compressed.
    ///
    /// - Parameters:
    ///   - fields: the header fields of the answer, its Content-Type among them.
    ///   - size: the size of the body in bytes, or nil where it is not known.
    static func mark(_ fields: inout HTTPFields, size: Int?, isHead: Bool) {
        guard let type = fields[.contentType], isText(type), fields[.contentEncoding] == nil else { return }
        fields.append(HTTPField(name: .vary, value: "Accept-Encoding"))
        guard !isHead, size ?? .max >= leastSizeInBytes, let name = HTTPField.Name(marker) else { return }
        fields[name] = "1"
    }

    private static func isText(_ type: String) -> Bool {
        let type = type.lowercased()
        return type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/xml")
            || type.hasPrefix("image/svg+xml") || type.contains("+xml") || type.contains("+json")
    }
}
