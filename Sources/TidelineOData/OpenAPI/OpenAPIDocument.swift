// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The OpenAPI document of a domain: what its addresses take and answer, for tools that do not know OData.
///
/// A subset of what the service does: the usual requests, in their usual form.
/// Source: OpenAPI Specification 3.1.0.
public enum OpenAPIDocument {
    /// What the document tells beside the model.
    public struct Options: Hashable, Sendable {
        /// The name of the domain.
        public var title: String
        /// Where the service is, without a slash at the end: `/odata/shop`.
        public var address: String
        /// Whether everybody may use it without sign-in.
        public var isOpen: Bool
        public var capabilities: ServiceCapabilities

        public init(
            title: String,
            address: String,
            isOpen: Bool = false,
            capabilities: ServiceCapabilities = ServiceCapabilities()
        ) {
            self.title = title
            self.address = address
            self.isOpen = isOpen
            self.capabilities = capabilities
        }
    }

    /// The document in JSON.
    public static func write(_ model: EntityModel, options: Options) -> [UInt8] {
        let schemas = OpenAPISchemas(model: model)
        let paths = OpenAPIPaths(model: model, options: options)
        let security: [(String, JSONTree)] = [
            (
                "bearer",
                .object([
                    ("type", .text("http")), ("scheme", .text("bearer")),
                    ("description", .text("An access token from the domain's sign-in.")),
                ])
            )
        ]
        var requirements: [JSONTree] = [.object([("bearer", .list([]))])]
        if options.isOpen { requirements.insert(.object([]), at: 0) }
        let components: [(String, JSONTree)] = [
            ("schemas", .object(schemas.all())), ("responses", .object(OpenAPIPaths.responses)),
            ("securitySchemes", .object(security)),
        ]
        let info: [(String, JSONTree)] = [
            ("title", .text(options.title)), ("version", .text("1.0.0")),
            (
                "description",
                .text(
                    (model.description.map { $0 + "\n\n" } ?? "")
                        + "An OData 4.01 service. Its whole model is at `$metadata`; this document has the usual requests."
                )
            ),
        ]
        return JSONTree.object([
            ("openapi", .text("3.1.0")), ("info", .object(info)),
            ("jsonSchemaDialect", .text("https://spec.openapis.org/oas/3.1/dialect/base")),
            ("servers", .list([.object([("url", .text(options.address))])])),
            ("security", .list(requirements)), ("tags", .list(paths.tags())), ("paths", .object(paths.all())),
            ("components", .object(components)),
        ]).bytes
    }
}
