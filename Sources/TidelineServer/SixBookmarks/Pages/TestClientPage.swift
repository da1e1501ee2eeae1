// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import TidelineAccounts

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `test`: one request to this server, and its answer as text.
struct TestClientPage: Sendable {
    /// Sends a request through the doors of this server.
    typealias Send = @Sendable (Request) async throws -> Response

    static let userField = HTTPField.Name("x-amx-apiusername")
    static let tokenField = HTTPField.Name("x-amx-token")
    /// As much of an answer as is shown.
    private static let shownBytes = 64 * 1024
    /// As much of a target as is sent.
    private static let mostBytes = 2048

    let renderer: PageRenderer

    func respond(to request: PageRequest, authority: String?, send: Send) async throws -> PageReply {
        let form = request.form
        let fill = form["fill"]
        let url = fill.isEmpty ? form["url"] : fill
        var typed = Typed(
            url: request.isForm ? url : Self.links[0].url,
            user: request.isForm ? form["user"] : request.account?.name ?? "",
            token: form["token"]
        )
        guard request.isForm, fill.isEmpty else { return page(request, typed, nil, nil, .ok) }
        guard let target = Self.target(typed.url, authority: authority, base: request.base) else {
            let problem =
                typed.url.utf8.count > Self.mostBytes
                ? "The URL is longer than \(Self.mostBytes) bytes, the most that is sent."
                : "Enter a path of this server, such as /healthz. Other servers and these pages are not called."
            return page(request, typed, ("url", problem), nil, .unprocessableContent)
        }
        var head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: target)
        let headers = [("user", Self.userField, typed.user), ("token", Self.tokenField, typed.token)]
        for (field, name, text) in headers where !text.isEmpty {
            guard let name, HTTPField.isValidValue(text) else {
                let problem = "This has a character that no header can carry, such as a line break. Leave it out."
                return page(request, typed, (field, problem), nil, .unprocessableContent)
            }
            head.headerFields[name] = text
        }
        let clock = ContinuousClock()
        let start = clock.now
        let response = try await send(Request(head: head, body: .init(buffer: ByteBuffer())))
        let collector = Collector(limit: Self.shownBytes)
        let count = response.body.contentLength
        try await response.body.write(collector)
        let time = (clock.now - start) / Duration.milliseconds(1)
        var answer = Answered(response: response, bytes: collector.bytes, count: count ?? collector.total, time: time)
        if let address = BookmarksAddress(target: target), address.service != .data {
            let read = Self.read(answer.bytes)
            answer.told = read.told
            // The next request needs it.
            if let token = read.token { typed.token = token }
        }
        return page(request, typed, nil, answer, .ok)
    }

    /// What an answer of the services of accounts and users says, in a sentence, and the token that it gives.
    private static func read(_ bytes: [UInt8]) -> (told: String, token: String?) {
        do throws(AmxResponse.Unreadable) {
            let answer = try AmxResponse(reading: bytes)
            if let error = answer.error { return ("The service refused it: \(error.prefix { $0 != "\n" })", nil) }
            let told = [
                "Result: \(answer.result ?? "").", answer.message, answer.token.map { _ in "The token is taken over." },
            ]
            return (told.compactMap(\.self).joined(separator: " "), answer.token)
        } catch {
            return ("A client of 2010 could not read this. \(error.message)", nil)
        }
    }

    /// What was typed.
    private struct Typed {
        var url: String
        var user: String
        var token: String
    }

    /// What came back.
    private struct Answered {
        var response: Response
        var bytes: [UInt8]
        var count: Int
        var time: Double
        /// What the answer comes to, where it is one that is read.
        var told: String?
    }

    /// The quick links of the client of 2010.
    private static let links: [(text: String, url: String)] = [
        ("API logon", "/services/apirest.aspx?operation=logon&password="),
        ("User logon", "/services/usersrest.aspx?operation=logon&username=&password="),
        ("Bookmarks", "/services/Bookmarks.svc/Bookmark"),
        ("Service document", "/services/Bookmarks.svc/"),
        ("$metadata", "/services/Bookmarks.svc/$metadata"),
        ("API logoff", "/services/apirest.aspx?operation=logoff"),
    ]

    /// The target of a request to this server: a path, or a URL of this server's own name; none of another, and not a
    /// page of these, which would call itself.
    static func target(_ text: String, authority: String?, base: String) -> String? {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
            let afterScheme = rest.dropFirst(scheme.count)
            let host = afterScheme.prefix { $0 != "/" && $0 != "?" }
            guard let authority, host.lowercased() == authority.lowercased() else { return nil }
            rest = afterScheme.dropFirst(host.count)
        }
        guard rest.hasPrefix("/"), !rest.hasPrefix("//"), rest.utf8.count <= mostBytes else { return nil }
        var target: [UInt8] = []
        for byte in rest.utf8 {
            guard byte >= 0x20, byte != 0x7F else { return nil }
            // As a browser writes what an address cannot hold.
            if byte == 0x20 || byte > 0x7E || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<") {
                let digits = Array("0123456789ABCDEF".utf8)
                target += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else if byte == UInt8(ascii: "#") {
                break
            } else {
                target.append(byte)
            }
        }
        let path = String(decoding: target, as: UTF8.self)
        return path.lowercased().hasPrefix("/service/") || path.contains("/$events") ? nil : path
    }

    private func page(
        _ request: PageRequest,
        _ typed: Typed,
        _ problem: (field: String, message: String)?,
        _ answered: Answered?,
        _ status: HTTPResponse.Status
    ) -> PageReply {
        var url = FieldView(name: "url", label: "URL", value: typed.url)
        url.isRequired = true
        url.isFocused = answered == nil
        var user = FieldView(name: "user", label: "API username header", value: typed.user)
        user.help = "x-amx-apiusername: the account."
        var token = FieldView(name: "token", label: "Token header", value: typed.token)
        token.help = "x-amx-token: what API logon answered. Empty for API logon itself."
        var form = FormView(
            action: request.base + "test",
            signature: request.signature,
            submit: "Send request",
            fields: [url, user, token]
        )
        if let problem { form.mark([problem]) }
        var values: [String: Any] = [
            "hasAnswer": answered != nil,
            "links": Self.links.map { ["text": $0.text, "url": $0.url] },
        ]
        if let answered {
            values["status"] = "\(answered.response.status.code) \(answered.response.status.reasonPhrase)"
            values["size"] = answered.count == 1 ? "1 byte" : "\(answered.count) bytes"
            values["milliseconds"] =
                answered.time < 10 ? "\((answered.time * 10).rounded() / 10)" : "\(Int(answered.time))"
            values["answerFields"] = answered.response.headers.map { ["line": "\($0.name.rawName): \($0.value)"] }
            values["told"] = answered.told
            values["body"] = String(decoding: answered.bytes, as: UTF8.self)
            if answered.count > answered.bytes.count { values["cut"] = "The first \(answered.bytes.count) bytes." }
        }
        let html = renderer.html("test", request, values, form: form)
        return .page(title: "Test client", html: html, status: status)
    }
}

/// Keeps the beginning of an answer.
private final class Collector: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var total = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func write(_ buffer: ByteBuffer) async throws {
        total += buffer.readableBytes
        bytes += buffer.readableBytesView.prefix(max(0, limit - bytes.count))
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
