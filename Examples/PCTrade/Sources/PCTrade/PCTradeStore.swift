// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// The shop's data on this device.
public enum PCTradeStore {
    /// What is stored.
    public static let model = EntityModel(
        Client.self,
        Product.self,
        Order.self,
        OrderDetail.self,
        namespace: "PCTrade"
    )

    /// Opens the file; makes it at the first time.
    public static func open(path: String) throws -> LocalStore { try LocalStore.open(path: path, model: model) }
}
