// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One preference of a `Prefer` header, read strictly.
///
/// ``Preferences`` is what a request asks for altogether; it passes over what is malformed, as RFC 7240 demands.
/// Source: OData ABNF construction rules 4.01, section 8, `preference`.
public enum Preference: Hashable, Sendable {
    case allowEntityReferences
    /// Where the service is to call when it has an answer.
    case callback(url: String)
    case continueOnError(Bool)
    case includeAnnotations([AnnotationPattern])
    /// At least 1.
    case maxPageSize(Int)
    case omitValues(Preferences.Omission)
    case respondAsync
    case returns(Preferences.Return)
    case trackChanges
    case wait(seconds: Int)
    /// One that the standard does not know.
    case other(String)

    /// Reads the preferences of a header's value.
    ///
    /// - Throws: `InvalidHeader`, with the place in the text.
    public static func list(parsing text: String) throws(ODataError) -> [Preference] {
        var reader = PreferenceReader(text)
        var found: [Preference] = []
        while let written = try reader.next() { found.append(written.preference) }
        return found
    }

    /// - Parameters:
    ///   - name: in lower case, without its prefix.
    ///   - takesPrefix: whether the name was written without `odata.`, which some preferences never have.
    init(
        name: String,
        isPrefixed: Bool,
        value: String?,
        parameters: [(name: String, value: String?)]
    ) throws(ODataError) {
        func invalid(_ message: String) -> ODataError { ODataError(.invalidHeader, message, target: "Prefer") }
        func whole(_ least: Int) throws(ODataError) -> Int {
            guard let value, !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
                let number = Int(value), number >= least
            else { throw invalid("\(name) needs a number of at least \(least).") }
            return number
        }
        switch name {
        case "allow-entityreferences" where value == nil: self = .allowEntityReferences
        case "track-changes" where value == nil: self = .trackChanges
        case "respond-async" where value == nil && !isPrefixed: self = .respondAsync
        case "maxpagesize": self = .maxPageSize(try whole(1))
        case "wait" where !isPrefixed: self = .wait(seconds: try whole(0))
        case "return" where !isPrefixed:
            guard let choice = value.flatMap({ Preferences.Return(rawValue: $0.lowercased()) }) else {
                throw invalid("return is minimal or representation.")
            }
            self = .returns(choice)
        case "omit-values":
            guard let choice = value.flatMap({ Preferences.Omission(rawValue: $0.lowercased()) }) else {
                throw invalid("omit-values is nulls or defaults.")
            }
            self = .omitValues(choice)
        case "continue-on-error":
            switch value?.lowercased() {
            case nil, "true": self = .continueOnError(true)
            case "false": self = .continueOnError(false)
            default: throw invalid("continue-on-error is true or false.")
            }
        case "include-annotations":
            guard let value else { throw invalid("include-annotations needs a list.") }
            self = .includeAnnotations(try AnnotationPattern.list(parsing: value))
        case "callback":
            let url = parameters.first { $0.name == "url" }?.value
            guard value == nil, let url, let colon = url.firstIndex(of: ":"), colon > url.startIndex else {
                throw invalid("callback needs the parameter url with an absolute URL.")
            }
            self = .callback(url: url)
        case "allow-entityreferences", "track-changes": throw invalid("\(name) has no value.")
        default: self = .other((isPrefixed ? "odata." : "") + name)
        }
    }
}
