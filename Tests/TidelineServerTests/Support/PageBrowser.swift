// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore

/// A browser without scripts: it keeps cookies, follows redirects, and sends the hidden fields of the form it looks at.
final class PageBrowser {
    static let base = "/service/sixbookmarks/"

    private let client: any TestClientProtocol
    private(set) var cookies: [String: String] = [:]
    /// What each answer set, as it stood there.
    private(set) var setCookies: [String] = []
    /// The path of the page that is looked at, with its query.
    private(set) var path = ""
    private(set) var page = ""
    private(set) var fields = HTTPFields()

    init(_ client: any TestClientProtocol) { self.client = client }

    /// Opens a page, and those that it redirects to.
    @discardableResult
    func open(_ path: String) async throws -> HTTPResponse.Status {
        try await go(Self.base + path, .get, nil, [:])
    }

    /// Sends the form of the page that is looked at.
    @discardableResult
    func send(
        _ path: String,
        _ values: [String: String],
        headers: HTTPFields = [:],
        withHidden: Bool = true
    ) async throws -> HTTPResponse.Status {
        let all = (withHidden ? hidden : [:]).merging(values) { $1 }
        let body = all.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }.joined(separator: "&")
        return try await go(Self.base + path, .post, body, headers)
    }

    /// Forgets a cookie.
    func forget(_ cookie: String) { cookies[cookie] = nil }

    /// What a field of the page holds, as the reader sees it.
    func value(of field: String) -> String? {
        let tag = page.matches(of: /<input [^>]*>/).map(\.output).first { $0.contains(" name=\"\(field)\"") }
        return tag?.firstMatch(of: /value="([^"]*)"/).map { Self.plain(String($0.1)) }
    }

    /// The tags of what takes the focus when the page opens.
    var focused: [String] { page.matches(of: /<[^>]* autofocus[^>]*>/).map { String($0.output) } }

    private var hidden: [String: String] {
        var values: [String: String] = [:]
        // The form of the page stands after that of the frame.
        for match in page.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/) {
            values[String(match.1)] = Self.plain(String(match.2))
        }
        return values
    }

    private func go(
        _ path: String,
        _ method: HTTPRequest.Method,
        _ body: String?,
        _ headers: HTTPFields
    ) async throws -> HTTPResponse.Status {
        var sent = headers
        sent[.accept] = "text/html"
        if !cookies.isEmpty { sent[.cookie] = cookies.map { "\($0)=\($1)" }.sorted().joined(separator: "; ") }
        if body != nil { sent[.contentType] = "application/x-www-form-urlencoded" }
        let answer = try await client.execute(
            uri: path,
            method: method,
            headers: sent,
            body: body.map { ByteBuffer(string: $0) }
        )
        for text in answer.headers[values: .setCookie] {
            setCookies.append(text)
            let pair = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = text.contains("Max-Age=0") ? nil : String(pair[1])
        }
        if answer.status == .seeOther, let next = answer.headers[.location] {
            return try await go(next, .get, nil, [:])
        }
        (self.path, page, fields) = (path, answer.text, answer.headers)
        return answer.status
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            return byte < 0x80 && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
                ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func plain(_ text: String) -> String {
        text.replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&lt;", with: "<")
            .replacingOccurrences(of: "&gt;", with: ">").replacingOccurrences(of: "&#39;", with: "'")
            .replacingOccurrences(of: "&#x27;", with: "'").replacingOccurrences(of: "&amp;", with: "&")
    }
}
