// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What makes a binary property a stream: content with a media type, read and written by a URL of its own.
///
/// Source: OData CSDL 4.01, sections 3.3 (`Edm.Stream`) and 6.5 (`HasStream`).
public struct MediaStream: Hashable, Sendable {
    /// The media type where the row does not say one.
    public var contentType: String
    /// The place of the property that holds the row's media type.
    public var contentTypeProperty: Int?
    /// Whether the column holds the path of a file in the domain's folder of files, and not the content.
    public var isFile: Bool

    public init(
        contentType: String = "application/octet-stream",
        contentTypeProperty: Int? = nil,
        isFile: Bool = false
    ) {
        self.contentType = contentType
        self.contentTypeProperty = contentTypeProperty
        self.isFile = isFile
    }
}
