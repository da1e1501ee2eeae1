// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a request or an answer, as an OData error body tells it.
///
/// Source: OData JSON Format 4.01, section 21.1; OData Protocol 4.01, section 9.4.
public struct ODataError: Error, Hashable, Sendable {
    /// The codes that this target gives; the service adds its own as plain text.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The URL is not well formed: a bad percent-encoding, bytes that are not UTF-8, too long.
        case invalidURL = "InvalidURL"
        /// The path has a segment that leads nowhere.
        case notFound = "NotFound"
        case invalidKey = "InvalidKey"
        case invalidFilter = "InvalidFilter"
        case invalidOrderBy = "InvalidOrderBy"
        case invalidSelect = "InvalidSelect"
        case invalidExpand = "InvalidExpand"
        /// The value of another query option does not follow its grammar.
        case invalidQueryOption = "InvalidQueryOption"
        case unknownQueryOption = "UnknownQueryOption"
        /// The standard has it, this service does not yet: answered with status 501.
        case notSupported = "NotSupported"
        /// The request goes beyond a limit of depth, length or number.
        case tooComplex = "TooComplex"
        case invalidJSON = "InvalidJSON"
        /// The body is JSON, but not what the request needs.
        case invalidBody = "InvalidBody"
        case unknownProperty = "UnknownProperty"
        /// A value that does not belong to the property's type.
        case invalidValue = "InvalidValue"
        case invalidBatch = "InvalidBatch"
        case invalidHeader = "InvalidHeader"
        /// `OData-Version` or `OData-MaxVersion` asks for what the service does not speak.
        case unsupportedVersion = "UnsupportedVersion"
        /// The request's body is in a format that is not read: status 415.
        case unsupportedMediaType = "UnsupportedMediaType"
        /// The answer cannot be given in any format that is accepted: status 406.
        case notAcceptable = "NotAcceptable"
        /// A metadata document that cannot be read.
        case invalidMetadata = "InvalidMetadata"
        /// A parameter that the operation does not have.
        case unknownParameter = "UnknownParameter"
        /// A parameter that a call must give and does not.
        case missingParameter = "MissingParameter"
    }

    /// One more thing that is wrong.
    public struct Detail: Hashable, Sendable {
        public var code: String
        public var message: String
        public var target: String?

        public init(code: String, message: String, target: String? = nil) {
            self.code = code
            self.message = message
            self.target = target
        }
    }

    /// Stable, for programs.
    public var code: String
    /// One sentence, for people.
    public var message: String
    /// What it is about: a property, a query option, the id of a request.
    public var target: String?
    public var details: [Detail]
    /// Where in the decoded text of the option, path segment or body it was noticed, in UTF-8 bytes.
    ///
    /// Not on the wire.
    public var offset: Int?
    /// Where in the URL as it was sent, percent-encoded, it was noticed, in UTF-8 bytes; `nil` where that is not known.
    ///
    /// Not on the wire.
    public var position: Int?

    public init(code: String, message: String, target: String? = nil, details: [Detail] = []) {
        self.code = code
        self.message = message
        self.target = target
        self.details = details
        offset = nil
    }

    public init(_ code: Code, _ message: String, target: String? = nil, at offset: Int? = nil) {
        self.code = code.rawValue
        self.message = message
        self.target = target
        details = []
        self.offset = offset
    }
}
