// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a domain's file.
public struct DomainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// The file cannot be read or written.
        case unreadable
        /// The text is not YAML.
        case syntax
        /// The file is of another format version.
        case unknownFormat
        /// A key is missing, unknown or given twice.
        case key
        /// A value is of the wrong kind or out of range.
        case value
        /// A name leads to nothing, or two things have one name.
        case name
        /// A policy cannot be used.
        case policy
    }

    public var code: Code
    /// The file's name, where there is a file.
    public var file: String?
    /// The line, from 1, where one is known.
    public var line: Int?
    /// One sentence, for the administrator.
    public var message: String

    public init(_ code: Code, file: String? = nil, line: Int? = nil, message: String) {
        self.code = code
        self.file = file
        self.line = line
        self.message = message
    }

    /// The place and the problem: `domain.yaml:12: what is wrong`.
    public var description: String {
        var place = file ?? "domain.yaml"
        if let line { place += ":\(line)" }
        return "\(place): \(message)"
    }
}
