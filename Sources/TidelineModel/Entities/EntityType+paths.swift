// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension EntityType {
    /// The path of a property on the wire: its name, after those of the complex properties that it is a part of.
    public func wirePath(of place: Int) -> String {
        let property = properties[place]
        return property.container.map { "\(wirePath(ofComplex: $0))/\(property.names.wire)" } ?? property.names.wire
    }

    /// The path of a complex property on the wire, by its place in ``complexProperties``.
    public func wirePath(ofComplex place: Int) -> String {
        let property = complexProperties[place]
        return property.parent.map { "\(wirePath(ofComplex: $0))/\(property.names.wire)" } ?? property.names.wire
    }

    /// The place of a property by its path on the wire, or `nil`.
    public func propertyIndex(path: String) -> Int? {
        properties.indices.first { wirePath(of: $0) == path }
    }

    /// The place of a complex property by its path on the wire, or `nil`.
    public func complexIndex(path: String) -> Int? {
        complexProperties.indices.first { wirePath(ofComplex: $0) == path }
    }
}
