// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineOData

extension EntityModel {
    /// The model as CSDL in JSON: what `tideline create --model` makes a database from.
    ///
    ///     print(EntityModel(Order.self, Client.self, namespace: "Shop").csdl())
    ///
    /// Source: OData CSDL JSON Representation 4.01.
    public func csdl() -> String { String(decoding: CSDLJSON.write(self), as: UTF8.self) }
}
