// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// Sets that a device was told not to hold: their absence is never shown as emptiness.
@Suite(.serialized)
struct UnfollowedSetTests {
    @Test(arguments: [
        "Orders", "Orders/$count", "Orders(1)", "Customers?$expand=Orders", "Customers(1)/Orders",
        "Customers?$expand=Orders($top=1)&$top=1",
    ])
    func `a query that needs a set which the store does not hold says so`(query: String) throws {
        let shop = try Shop()
        let device = try Device("a", of: shop.service, in: shop.folder, arguments: ["--set", "Customers"])
        let refused = try device.tool.run("query", device.file, query)
        #expect(refused.status == 1)
        #expect(refused.output.isEmpty, "\(refused)")
        #expect(refused.errors.contains("The store does not hold Orders; it holds Customers."), "\(refused)")
        #expect(refused.errors.contains("--set Orders"), "\(refused)")
    }

    @Test func `all that a store holds is expanded with a star`() throws {
        let shop = try Shop()
        let device = try Device("a", of: shop.service, in: shop.folder, arguments: ["--set", "Customers"])
        #expect(
            try device.query("Customers?$expand=*&$filter=Id eq 1&$select=Id,Name") == [["Id": 1, "Name": "Ada"]]
        )
    }

    @Test func `an entity of such a set can be sent, and the tool says that it does not stay`() throws {
        let shop = try Shop()
        let device = try Device("a", of: shop.service, in: shop.folder, arguments: ["--set", "Customers"])
        let sent = try device.tool.succeed("insert", device.file, "Orders", #"{"CustomerId":1,"Note":"new"}"#, "--json")
        #expect(sent.output == #"{"set":"Orders","key":"-1","stays":false}"# + "\n")
        let stays = try device.tool.succeed("insert", device.file, "Customers", #"{"Name":"Eve"}"#, "--json")
        #expect(stays.output == #"{"set":"Customers","key":"-2","stays":true}"# + "\n")
        for command in [["update", "Orders", "1", #"{"Note":"x"}"#], ["delete", "Orders", "1"]] {
            let refused = try device.tool.run(arguments: [command[0], device.file] + command.dropFirst())
            #expect(refused.status == 1)
            #expect(refused.errors.contains("The store does not hold Orders; it holds Customers."), "\(refused)")
        }
        try device.update("Orders", "(-1)", #"{"Note":"newer"}"#)
        #expect(try device.values(of: "Note", in: "Orders(-1)") == ["newer"])
        try device.insert("Orders", #"{"CustomerId":1,"Note":"never"}"#)
        try device.delete("Orders", "(-3)")
        try device.sync()
        let notes = "SELECT Note FROM Orders WHERE CustomerId = 1 ORDER BY Id"
        #expect(try shop.database.texts(notes) == ["first", "second", "newer"])
        try device.verify()
    }
}
