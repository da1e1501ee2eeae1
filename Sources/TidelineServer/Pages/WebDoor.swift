// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The apps that run in a browser: the files of the folder `Web`, as they were when the program was built.
///
/// A browser asks each time whether a file has changed, so that no page runs with the script of another release.
struct WebDoor {
    private let files: [String: WebFile]

    init(_ files: [(path: String, text: String)] = WebFiles.all) {
        self.files = Dictionary(
            uniqueKeysWithValues: files.map { ("/" + $0.path, WebFile(path: $0.path, text: $0.text)) }
        )
    }

    /// The file at the path, or a redirection from a folder's name to it; nil where nothing is.
    ///
    /// - Throws: ``Refusal`` 405 for a method that changes.
    func respond(to request: Request, at path: Substring) throws -> Response? {
        let path = String(path)
        if files[path + "/index.html"] != nil {
            return Response(status: .movedPermanently, headers: [.location: "\(path)/"])
        }
        guard let file = files[path.hasSuffix("/") ? path + "index.html" : path] else { return nil }
        guard request.method == .get || request.method == .head else { throw Refusal.methodNotAllowed("GET, HEAD") }
        var fields = Self.fields
        fields[.eTag] = file.etag
        fields[.contentType] = file.type
        let known = request.headers[.ifNoneMatch]?.split(separator: ",").contains { tag in
            // The compression of the answer makes the tag a weak one. Source: RFC 9110, section 13.1.2.
            tag.drop { $0 == " " }.drop { "W/".contains($0) } == file.etag
        }
        let status: HTTPResponse.Status = known == true ? .notModified : .ok
        let head = HTTPResponse(status: status, headerFields: fields)
        return Answer.whole(file.bytes, head, isHead: request.method == .head)
    }

    /// Scripts, styles, pictures and data of this server, nothing from elsewhere, and no frame around it.
    ///
    /// `blob:` is what a script of ours has read with the token of a person, and shows.
    private static let fields: HTTPFields = {
        var fields = PageDoor.pageFields
        fields[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
            + "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        fields[.cacheControl] = "no-cache"
        return fields
    }()
}
