// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

/// The rules of CSDL 4.01, section 12, on names and overloads.
struct OperationRulesTests {
    private static let int = OperationType(.primitive(.int32), isNullable: false)
    private static let text = OperationType(.primitive(.string))

    private static func parameter(_ name: String, _ type: OperationType = int, isOptional: Bool = false)
        -> OperationParameter
    {
        OperationParameter(names: Names(wire: name), type: type, isOptional: isOptional)
    }

    private static func function(
        _ name: String,
        _ parameters: [OperationParameter] = [],
        gives type: OperationType? = int,
        on binding: OperationBinding? = nil
    ) -> EdmOperation {
        EdmOperation(
            names: Names(wire: name),
            kind: .function,
            binding: binding,
            parameters: parameters,
            returnType: type,
            imports: binding == nil ? [OperationImport(name)] : []
        )
    }

    private static func action(_ name: String, on binding: OperationBinding? = nil) -> EdmOperation {
        EdmOperation(
            names: Names(wire: name),
            kind: .action,
            binding: binding,
            imports: binding == nil ? [OperationImport(name)] : []
        )
    }

    private func problems(_ operations: EdmOperation...) -> [String] {
        let id = Property(names: Names(wire: "Id"), type: .int32, isNullable: false)
        let name = Property(names: Names(wire: "Name"), type: .string)
        var type = EntityType(names: Names(wire: "Order"), properties: [id, name], key: [0])
        type.derivedTypes = [DerivedType(names: Names(wire: "Rush"), discriminatorValue: .string("R"))]
        let other = EntityType(names: Names(wire: "Client"), properties: [id], key: [0])
        var model = EntityModel(
            namespace: "Shop",
            sets: [
                EntitySet(names: Names(wire: "Orders"), type: type),
                EntitySet(names: Names(wire: "Clients"), type: other),
            ]
        )
        model.enumerations = [EnumerationType(names: Names(wire: "Mood"), members: [.init("Calm", 0)])]
        model.operations = operations
        return model.operationProblems().map { "\($0.operation): \($0.message)" }
    }

    private let onOrder = OperationBinding(set: "Orders")
    private let onOrders = OperationBinding(set: "Orders", isCollection: true)

    @Test func `overloads that differ as the standard wants are in order`() {
        let found = problems(
            Self.function("Best", [Self.parameter("year")]),
            Self.function("Best", [Self.parameter("year"), Self.parameter("kind", Self.text)]),
            // With another binding it may return another type.
            Self.function("Best", [], gives: Self.text, on: onOrder),
            Self.function("Best", [], gives: Self.text, on: onOrders),
            Self.action("Close", on: onOrder),
            Self.action("Close", on: OperationBinding(set: "Clients")),
            Self.action("Close", on: OperationBinding(set: "Orders", derivedType: "Rush")),
            Self.action("Close")
        )
        #expect(found == [])
    }

    @Test func `functions with one binding differ in the names and in the types of their parameters`() {
        #expect(
            problems(
                Self.function("Best", [Self.parameter("a"), Self.parameter("b", Self.text)]),
                Self.function("Best", [Self.parameter("b"), Self.parameter("a", Self.text)])
            ) == [
                "Best: Two overloads have parameters of the same names.",
                "Best: Two overloads have parameters of the same types in the same order.",
            ]
        )
        #expect(
            problems(Self.function("Best"), Self.function("Best", [Self.parameter("a")], gives: Self.text))
                == ["Best: Overloads with the same binding return the same type."]
        )
    }

    @Test func `actions have one overload for each binding, and a name is of functions or of actions`() {
        #expect(
            problems(Self.action("Close", on: onOrder), Self.action("Close", on: onOrder))
                == ["Close: Two actions of the name are bound to the same type."]
        )
        #expect(
            problems(Self.action("Close"), Self.action("Close")) == ["Close: Two unbound actions have the name."]
        )
        #expect(
            problems(Self.action("Close"), Self.function("Close", on: onOrder))
                == ["Close: A function and an action have the name."]
        )
    }

    @Test func `what an operation names has to be there`() {
        #expect(
            problems(Self.function("F", gives: OperationType(.entity(set: "Nothing"))))
                == ["F: There is no entity set ‘Nothing’."]
        )
        #expect(
            problems(Self.function("F", [Self.parameter("a", OperationType(.complex("Place")))]))
                == ["F: The parameter ‘a’: There is no complex type ‘Place’."]
        )
        #expect(
            problems(Self.function("F", on: OperationBinding(set: "Nothing")))
                == ["F: It is bound to ‘Nothing’, which is no entity set."]
        )
        #expect(
            problems(Self.function("F", on: OperationBinding(set: "Clients", derivedType: "Rush")))
                == ["F: It is bound to ‘Rush’, which is no derived type of ‘Clients’."]
        )
    }

    @Test func `names of types, properties, sets and parameters are not taken twice`() {
        #expect(problems(Self.action("Mood")) == ["Mood: A type has the same name."])
        #expect(
            problems(Self.action("Name", on: onOrder))
                == ["Name: ‘Orders’, to which it is bound, has a property of the same name."]
        )
        #expect(
            problems(Self.action("Orders")) == [
                "Orders: Its import has the name ‘Orders’ of an entity set or a singleton."
            ]
        )
        #expect(
            problems(Self.function("F", [Self.parameter("a"), Self.parameter("A", Self.text)]))
                == ["F: Two parameters have the name ‘A’."]
        )
        #expect(
            problems(Self.function("F", [Self.parameter("it")], on: onOrder))
                == ["F: A parameter has the name ‘it’ of the binding parameter."]
        )
    }

    @Test func `a function returns something, and optional parameters stand last`() {
        #expect(problems(Self.function("F", gives: nil)) == ["F: A function returns something."])
        #expect(
            problems(Self.function("F", [Self.parameter("a", isOptional: true), Self.parameter("b", Self.text)]))
                == ["F: The parameter ‘b’ is required and stands after an optional one."]
        )
        var listed = Self.function("F", [Self.parameter("a")])
        listed.imports = [OperationImport("F", isInServiceDocument: true)]
        #expect(problems(listed) == ["F: Only a function without parameters stands in the service document."])
    }

    @Test func `operations are found by what they are called on`() throws {
        let id = Property(names: Names(wire: "Id"), type: .int32, isNullable: false)
        var type = EntityType(names: Names(wire: "Order"), properties: [id], key: [0])
        type.derivedTypes = [
            DerivedType(names: Names(wire: "Rush"), discriminatorValue: .string("R")),
            DerivedType(names: Names(wire: "Night"), baseType: "Rush", discriminatorValue: .string("N")),
        ]
        var model = EntityModel(namespace: "Shop", sets: [EntitySet(names: Names(wire: "Orders"), type: type)])
        model.operations = [
            Self.action("Close", on: onOrder),
            Self.action("Hurry", on: OperationBinding(set: "Orders", derivedType: "Rush")),
            Self.function("Count", on: onOrders), Self.action("Clean"),
        ]
        let set = try #require(model[set: "Orders"])
        func names(_ derived: String?, isCollection: Bool = false) -> [String] {
            model.operations(boundTo: set, derivedType: derived, isCollection: isCollection).map(\.names.wire)
        }
        #expect(names(nil) == ["Close"])
        #expect(names("Night") == ["Close", "Hurry"])
        #expect(names(nil, isCollection: true) == ["Count"])
        #expect(model.operations(imported: "Clean").map(\.names.wire) == ["Clean"])
        #expect(model.operations(imported: "Close").isEmpty)
    }
}
