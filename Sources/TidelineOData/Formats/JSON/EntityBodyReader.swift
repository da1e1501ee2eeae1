// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Reads the body of a POST, PATCH or PUT for an entity.
public struct EntityBodyReader {
    private let type: EntityType
    private let version: ODataVersion

    public init(type: EntityType, version: ODataVersion = .v401) {
        self.type = type
        self.version = version
    }

    public func read(_ body: ArraySlice<UInt8>) throws(ODataError) -> EntityBody { EntityBody() }
}
