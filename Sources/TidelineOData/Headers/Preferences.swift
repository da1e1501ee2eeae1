// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// What a client asks for with `Prefer`, read with and without the `odata.` prefix.
///
///     Prefer: track-changes, maxpagesize=5000
///
/// Unknown preferences are ignored, and so is a known one whose value does not follow its grammar; of several with one
/// name the first counts.
/// Source: RFC 7240, section 2; OData Protocol 4.01, section 8.2.8.
public struct Preferences: Hashable, Sendable {
    /// What a successful write is answered with.
    public enum Return: String, Hashable, Sendable {
        case minimal, representation
    }

    /// Which members an answer may leave out.
    public enum Omission: String, Hashable, Sendable {
        case nulls, defaults
    }

    /// Whether a delta link is asked for: `track-changes`.
    public var tracksChanges = false
    /// The most entities on a page, at least 1.
    public var maxPageSize: Int?
    public var returns: Return?
    public var continuesOnError: Bool?
    /// Whether the service may answer later: `respond-async`.
    public var respondsAsync = false
    /// Whether members that are null, or have their defaults, may be left out: `omit-values`.
    public var omits: Omission?
    /// Written with `odata.`: the answer then names preferences in the same way.
    public var usesPrefix = false

    public init() {}

    /// Reads every `Prefer` field of a request.
    public init(_ fields: HTTPFields) {
        var seen: Set<String> = []
        for text in fields[values: .prefer] { read(text, seen: &seen) }
    }

    private mutating func read(_ text: String, seen: inout Set<String>) {
        var scanner = HeaderScanner(text)
        while true {
            scanner.skipBlanks()
            if scanner.skip(",") { continue }
            guard !scanner.isAtEnd, let name = scanner.token() else { return }
            scanner.skipBlanks()
            var value: String?
            if scanner.skip("=") {
                scanner.skipBlanks()
                value = scanner.tokenOrQuoted()
            }
            apply(name.lowercased(), value, seen: &seen)
            // Parameters of a preference are not looked at.
            guard skipToComma(&scanner) else { return }
        }
    }

    private func skipToComma(_ scanner: inout HeaderScanner) -> Bool {
        while let byte = scanner.next {
            if byte == UInt8(ascii: "\"") {
                guard scanner.quoted() != nil else { return false }
            } else if scanner.skip(",") {
                return true
            } else {
                _ = scanner.rest(until: [UInt8(ascii: ","), UInt8(ascii: "\"")])
            }
        }
        return false
    }

    private mutating func apply(_ written: String, _ value: String?, seen: inout Set<String>) {
        let isPrefixed = written.hasPrefix("odata.")
        let name = isPrefixed ? String(written.dropFirst(6)) : written
        guard !seen.contains(name) else { return }
        switch name {
        case "track-changes" where value == nil: tracksChanges = true
        case "maxpagesize":
            guard let value, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let size = Int(value), size > 0
            else { return }
            maxPageSize = size
        case "return" where !isPrefixed:
            guard let value, let choice = Return(rawValue: value.lowercased()) else { return }
            returns = choice
        case "continue-on-error":
            switch value?.lowercased() {
            case nil, "true": continuesOnError = true
            case "false": continuesOnError = false
            default: return
            }
        case "omit-values":
            guard let value, let choice = Omission(rawValue: value.lowercased()) else { return }
            omits = choice
        case "respond-async" where !isPrefixed: respondsAsync = true
        default: return
        }
        if isPrefixed { usesPrefix = true }
        seen.insert(name)
    }

    /// The value of `Prefer` or of `Preference-Applied` for what is set, or `nil` when nothing is.
    public var headerValue: String? {
        let prefix = usesPrefix ? "odata." : ""
        var parts: [String] = []
        if tracksChanges { parts.append("\(prefix)track-changes") }
        if let maxPageSize { parts.append("\(prefix)maxpagesize=\(maxPageSize)") }
        if let returns { parts.append("return=\(returns.rawValue)") }
        if let omits { parts.append("\(prefix)omit-values=\(omits.rawValue)") }
        if let continuesOnError { parts.append("\(prefix)continue-on-error=\(continuesOnError)") }
        if respondsAsync { parts.append("respond-async") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
