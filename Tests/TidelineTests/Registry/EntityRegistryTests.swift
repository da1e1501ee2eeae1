// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline

struct EntityRegistryTests {
    @Test func `a type is found by its set and registered once`() throws {
        var registry = try EntityRegistry(Client.self, Order.self)
        try registry.register(Client.self)
        #expect(registry.types.count == 2)
        #expect(registry[set: "Orders"] == Order.self)
        #expect(registry[set: "Order"] == nil)
    }

    @Test func `two types of one set are an error that names both`() {
        #expect(throws: ModelClash(set: "Orders", message: "Order and OrderHead both are the entities of Orders.")) {
            try EntityRegistry(Order.self, OrderHead.self)
        }
    }

    @Test func `a relationship that leads out of the model is an error`() {
        let clash = ModelClash(
            set: "Orders",
            property: "Client",
            message: "Orders.Client leads to Clients, which is not in the model."
        )
        #expect(throws: clash) { try EntityRegistry(Order.self).model() }
    }

    @Test func `a collection without a way back is an error`() {
        let clash = ModelClash(
            set: "Shelves",
            property: "Parts",
            message: "Part has no reference Shelf that leads back to Shelves, as Shelves.Parts says."
        )
        #expect(throws: clash) { try EntityRegistry(Shelf.self, Part.self).model() }
    }

    @Test func `ends that disagree are an error`() {
        let clash = ModelClash(
            set: "Rooms",
            property: "House",
            message: "Rooms.House and Houses.Rooms are said to be two ends of one relationship, but do not agree in "
                + "target, inverse or delete rule."
        )
        #expect(throws: clash) { try EntityRegistry(House.self, Room.self).model() }
    }

    @Test func `a calculation or a rule of nothing is an error`() throws {
        let sum = #expect(throws: ModelClash.self) { try EntityRegistry(Tower.self).model() }
        #expect(sum?.set == "Towers")
        #expect(sum?.property == "Height")
        #expect(sum?.message.hasPrefix("Towers.Height cannot be calculated: ") == true)
        let type = #expect(throws: ModelClash.self) { try EntityRegistry(Gate.self).model() }
        #expect(type?.property == "Width")
        let rule = #expect(throws: ModelClash.self) { try EntityRegistry(Bridge.self).model() }
        #expect(rule?.set == "Bridges")
        #expect(rule?.message.hasPrefix("The rule Long of Bridges cannot be checked: ") == true)
        let mark = ModelClash(
            set: "Tunnels",
            property: "Size",
            message: "The rule Long marks Size, which is no stored property of Tunnels."
        )
        #expect(throws: mark) { try EntityRegistry(Tunnel.self).model() }
    }

    @Test func `an end that one side alone declares is made for the other`() throws {
        let model = try EntityRegistry(Wheel.self, Car.self).model(namespace: "Cars")
        #expect(model.namespace == "Cars")
        let made = try #require(model[set: "Cars"]?.type.navigationProperties.first)
        #expect(made.names == Names(wire: "Wheels", code: "wheels"))
        #expect(made.targetSet == "Wheels")
        #expect(made.isCollection)
        #expect(made.constraints == [.init(source: 0, target: 1)])
        #expect(made.onDelete == .setNull)
        #expect(made.partner == "Car")
    }
}

@Entity("Orders")
private struct OrderHead {
    @Key(generated: true) @Name("OrderId") var id: Int32
}

@Entity("Shelves")
@HasMany("Parts", of: Part.self, inverse: "Shelf")
private struct Shelf {
    @Key var id: Int32
}

@Entity("Houses")
@HasMany("Rooms", of: Room.self, inverse: "House", onDelete: .cascade)
private struct House {
    @Key var id: Int32
}

@Entity("Rooms")
private struct Room {
    @Key var id: Int32
    @Reference("House", to: House.self, onDelete: .setNull) var houseId: Int32?
}

@Entity("Towers")
private struct Tower {
    @Key var id: Int32
    @Calculated("Floors mul 3") var height: Int32?
}

@Entity("Gates")
private struct Gate {
    @Key var id: Int32
    @Calculated("Id add 1") var next: Int32?
    @Calculated("Next add 1") var second: Int32?
    @Calculated("'wide'") var width: Int32?
}

@Entity("Bridges")
private struct Bridge {
    @Key var id: Int32
    static let rules = [rule("Long", "Length gt 0", message: "A bridge is long.")]
}

@Entity("Tunnels")
private struct Tunnel {
    @Key var id: Int32
    @Calculated("Id add 1") var size: Int32?
    static let rules = [rule("Long", message: "A tunnel is long.", marking: \.size) { $0.id > 0 }]
}

@Entity("Cars")
private struct Car {
    @Key var id: Int32
}

@Entity("Wheels")
private struct Wheel {
    @Key var id: Int32
    @Reference("Car", to: Car.self, onDelete: .setNull, inverse: "Wheels") var carId: Int32?
}
