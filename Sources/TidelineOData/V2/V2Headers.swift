// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The header fields of v2.
public enum V2Headers {
    /// `DataServiceVersion`.
    public static let version: HTTPField.Name = {
        guard let name = HTTPField.Name("DataServiceVersion") else { preconditionFailure("It is a token.") }
        return name
    }()

    static func with(_ fields: HTTPFields, _ contentType: String) -> HTTPFields {
        var fields = fields
        fields[.contentType] = contentType
        return fields
    }
}
