// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// What a client asks for with `Prefer`, read with and without the `odata.` prefix.
///
///     Prefer: track-changes, maxpagesize=5000
///
/// Unknown preferences are ignored, and so is a known one whose value does not follow its grammar; of several with one
/// name the first counts, but one without `odata.` counts before one with it.
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
    /// The names that were written with `odata.`: an answer names them in the same way.
    private var prefixedNames: Set<String> = []

    public init() {}

    /// No preferences, whose names will be written as these were: for an answer to say which it follows.
    public var none: Preferences {
        var none = Preferences()
        none.prefixedNames = prefixedNames
        return none
    }

    /// Takes over what holds for each request of a batch that asks for nothing else.
    ///
    /// Source: OData Protocol 4.01, sections 8.2.8.1 and 8.2.8.4.
    public mutating func inherit(_ batch: Preferences) {
        if batch.allowsEntityReferences { allowsEntityReferences = true }
        if annotations == nil { annotations = batch.annotations }
    }

    /// Reads every `Prefer` field of a request.
    public init(_ fields: HTTPFields) {
        let written = fields[values: .prefer].flatMap(Self.read)
        let plain = Set(written.filter { !$0.isPrefixed }.map(\.name))
        var seen: Set<String> = []
        for one in written where !one.isPrefixed || !plain.contains(one.name) {
            if seen.insert(one.name).inserted { apply(one) }
        }
    }

    private static func read(_ text: String) -> [PreferenceReader.Written] {
        var reader = PreferenceReader(text)
        var written: [PreferenceReader.Written] = []
        while true {
            do throws(ODataError) {
                guard let one = try reader.next() else { return written }
                written.append(one)
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
        if written.isPrefixed { prefixedNames.insert(written.name) }
    }

    /// The value of `Prefer` or of `Preference-Applied` for what is set, or `nil` when nothing is.
    public var headerValue: String? {
        var parts: [String] = []
        func add(_ name: String, _ value: String? = nil) {
            let prefix = prefixedNames.contains(name) ? "odata." : ""
            parts.append(prefix + name + (value.map { "=\($0)" } ?? ""))
        }
        if tracksChanges { add("track-changes") }
        if let maxPageSize { add("maxpagesize", "\(maxPageSize)") }
        if let returns { add("return", returns.rawValue) }
        if let omits { add("omit-values", omits.rawValue) }
        if let continuesOnError { add("continue-on-error", "\(continuesOnError)") }
        if respondsAsync { add("respond-async") }
        if allowsEntityReferences { add("allow-entityreferences") }
        if let annotations {
            add("include-annotations", "\"\(annotations.map(\.text).joined(separator: ","))\"")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
