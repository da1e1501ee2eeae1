// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineStorage

@testable import TidelineService

/// A service whose documents have photos, and whose pictures are nothing but a file: streams that are kept in files.
///
/// Documents 1 and 3 are Alice's, document 2 is Bob's.
final class Album {
    let folder = "/tmp/tideline-album-\(UInt64.random(in: 0 ... .max))"
    let shop: Shop
    let service: ODataService

    /// - Parameter policies: `nil` for an open domain.
    init(_ policies: [Policy]? = nil, requiresIfMatch: Bool = false, deferral: Deferral? = nil) throws {
        shop = try Shop(
            open: policies == nil,
            policies: policies ?? [],
            requiresIfMatch: requiresIfMatch,
            adding: """
                CREATE TABLE Docs (Id INTEGER PRIMARY KEY, OwnerId INTEGER, Photo TEXT, PhotoKind TEXT);
                CREATE TABLE Pictures (Id INTEGER PRIMARY KEY, OwnerId INTEGER, Content TEXT, Kind TEXT);
                INSERT INTO Docs(Id, OwnerId) VALUES (1, 1), (2, 2), (3, 1);
                """,
            shaping: { sets in
                for place in sets.indices {
                    for name in ["Photo", "Content"] {
                        guard let index = sets[place].type.propertyIndex(wire: name) else { continue }
                        sets[place].type.properties[index].stream = MediaStream(
                            contentTypeProperty: index + 1,
                            isFile: true
                        )
                        if name == "Content" { sets[place].type.mediaProperty = index }
                    }
                }
            }
        )
        service = try ODataService(
            domain: shop.domain,
            store: shop.store,
            signingKey: Array(repeating: 7, count: 32),
            files: MediaFiles(folder: folder),
            deferral: deferral
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func request(_ method: HTTPRequest.Method, _ path: String, _ headers: [String: String]) -> HTTPRequest {
        var fields: HTTPFields = [.odataMaxVersion: "4.01", .contentType: "image/png"]
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value.isEmpty ? nil : value }
        }
        let target = path.hasPrefix("/") ? path : "/odata/shop/" + path
        return HTTPRequest(method: method, scheme: nil, authority: nil, path: target, headerFields: fields)
    }

    /// What becomes of a request before its body is read: `none`, `accepted`, or the status and the code of the refusal.
    func ask(_ method: HTTPRequest.Method, _ path: String, _ headers: [String: String] = [:]) throws -> String {
        switch try service.upload(for: request(method, path, headers), user: Shop.alice) {
        case .none: return "none"
        case .accepted: return "accepted"
        case .refused(let response):
            let code = ErrorBody.read(try response.body.all())?.code ?? ""
            return "\(response.head.status.code) \(code)"
        }
    }

    /// Sends a request as the server does: a stream goes into its file first.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: [UInt8] = [],
        _ headers: [String: String] = [:]
    ) throws -> ServiceResponse {
        let request = request(method, path, headers)
        switch try service.upload(for: request, user: Shop.alice) {
        case .none: return service.respond(to: request, body: body, user: Shop.alice)
        case .refused(let response): return response
        case .accepted(let upload):
            #expect(try upload.append(body))
            return service.respond(to: request, upload: upload, user: Shop.alice)
        }
    }

    /// The names of the files that are being written.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder + "/new")) ?? [] }
}
