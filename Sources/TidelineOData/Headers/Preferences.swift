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
    /// How long the client waits for an answer that comes at once: `wait`.
    public var waitsFor: Duration?
    /// Whether an entity that occurs twice may be a reference the second time: `allow-entityreferences`.
    public var allowsEntityReferences = false
    /// Where the service is asked to call, `callback`.
    ///
    /// Who calls checks the address first.
    public var callback: String?
    /// The annotations that are asked for: `include-annotations`; `nil` when the service decides.
    public var annotations: [AnnotationPattern]?
    /// Written with `odata.`: the answer then names preferences in the same way.
    public var usesPrefix = false

    public init() {}

    /// Reads every `Prefer` field of a request.
    public init(_ fields: HTTPFields) {
        var seen: Set<String> = []
        for text in fields[values: .prefer] { read(text, seen: &seen) }
    }

    private mutating func read(_ text: String, seen: inout Set<String>) {
        var reader = PreferenceReader(text)
        while true {
            do throws(ODataError) {
                guard let written = try reader.next() else { return }
                if seen.insert(written.name).inserted { apply(written) }
            } catch {
                // What is malformed counts as not there.
                continue
            }
        }
    }

    private mutating func apply(_ written: PreferenceReader.Written) {
        switch written.preference {
        case .trackChanges: tracksChanges = true
        case .maxPageSize(let size): maxPageSize = size
        case .returns(let choice): returns = choice
        case .continueOnError(let choice): continuesOnError = choice
        case .omitValues(let choice): omits = choice
        case .respondAsync: respondsAsync = true
        case .wait(let seconds): waitsFor = .seconds(seconds)
        case .allowEntityReferences: allowsEntityReferences = true
        case .callback(let url): callback = url
        case .includeAnnotations(let patterns): annotations = patterns
        case .other: return
        }
        if written.isPrefixed { usesPrefix = true }
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
        if allowsEntityReferences { parts.append("\(prefix)allow-entityreferences") }
        if let annotations {
            parts.append("\(prefix)include-annotations=\"\(annotations.map(\.text).joined(separator: ","))\"")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
