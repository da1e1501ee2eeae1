// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes expressions over a set: conditions, and values of each family.
struct RandomExpressions {
    let dice: Dice
    let values: RandomValues
    let model: EntityModel

    /// Where paths start: a set, and the name of the lambda variable that stands for its entity.
    struct Scope {
        var set: EntitySet
        var variable: String?

        func path(_ names: [String]) -> Expression { .path((variable.map { [$0] } ?? []) + names) }
    }

    init(dice: Dice, model: EntityModel) {
        self.dice = dice
        self.model = model
        values = RandomValues(dice: dice)
    }

    private typealias Node = Expression

    /// A condition.
    func condition(_ scope: Scope, depth: Int) -> Expression {
        switch dice.below(depth > 0 ? 12 : 7) {
        case 0: return .binary(dice.pick([.equal, .notEqual]), anything(scope), .literal(.null))
        case 1: return path(.boolean, scope) ?? .literal(.boolean(dice.chance(1, in: 2)))
        case 2: return textTest(scope, depth)
        case 3: return list(scope)
        case 4...6: return comparison(scope, depth)
        case 7: return .unary(.not, condition(scope, depth: depth - 1))
        case 8: return related(scope, depth)
        default:
            return .binary(
                dice.pick([.and, .or]),
                condition(scope, depth: depth - 1),
                condition(scope, depth: depth - 1)
            )
        }
    }

    private func comparison(_ scope: Scope, _ depth: Int) -> Expression {
        let type = dice.pick(
            [
                .int32, .int32, .int64, .decimal, .double, .string, .string, .date, .dateTimeOffset, .timeOfDay,
                .duration, .guid, .binary, .boolean,
            ] as [PrimitiveType]
        )
        let name = dice.pick(
            [.equal, .notEqual, .lessThan, .lessOrEqual, .greaterThan, .greaterOrEqual] as [Expression.BinaryOperator]
        )
        let other = dice.chance(2, in: 3) ? Node.literal(values.value(of: type)) : value(type, scope, depth)
        return dice.chance(1, in: 4)
            ? .binary(name, other, value(type, scope, depth)) : .binary(name, value(type, scope, depth), other)
    }

    private func textTest(_ scope: Scope, _ depth: Int) -> Expression {
        .call(
            dice.pick([.contains, .startswith, .endswith]),
            [
                value(.string, scope, depth),
                dice.chance(3, in: 4) ? .literal(values.value(of: .string)) : value(.string, scope, 0),
            ]
        )
    }

    private func list(_ scope: Scope) -> Expression {
        let type = dice.pick([.int32, .string, .decimal, .guid, .date] as [PrimitiveType])
        var items = (0..<dice.number(1...3)).map { _ in Node.literal(values.value(of: type)) }
        if dice.chance(1, in: 4) { items.append(.literal(.null)) }
        return .isIn(value(type, scope, 0), items)
    }

    /// A question about related entities, or a plain comparison where the set has none.
    private func related(_ scope: Scope, _ depth: Int) -> Expression {
        let collections = scope.set.type.navigationProperties.filter(\.isCollection)
        guard !collections.isEmpty else { return comparison(scope, depth) }
        let navigation = dice.pick(collections)
        guard let target = model[set: navigation.targetSet] else { return .literal(.boolean(true)) }
        let names = (scope.variable.map { [$0] } ?? []) + [navigation.names.wire]
        let variable = "v\(depth)"
        let inner = Scope(set: target, variable: variable)
        switch dice.below(4) {
        case 0: return .lambda(.any, over: names, variable: nil, nil)
        case 1:
            let limit = Node.literal(.integer(Int64(dice.below(3))))
            return .binary(
                dice.pick([.equal, .greaterThan, .lessOrEqual]),
                .count(of: names, filter: nil, search: nil),
                limit
            )
        default:
            return .lambda(
                dice.pick([.any, .all]),
                over: names,
                variable: variable,
                condition(inner, depth: depth - 1)
            )
        }
    }

    /// A value of a type's family.
    func value(_ type: PrimitiveType, _ scope: Scope, _ depth: Int) -> Expression {
        if depth > 0, dice.chance(1, in: 2), let computed = computed(type, scope, depth - 1) { return computed }
        return path(type, scope) ?? .literal(values.value(of: type))
    }

    private func computed(_ type: PrimitiveType, _ scope: Scope, _ depth: Int) -> Expression? {
        func one(_ type: PrimitiveType) -> Expression { value(type, scope, depth) }
        switch type {
        case .int32, .int64, .int16:
            return dice.pick([
                .binary(dice.pick([.add, .sub, .mul]), one(.int32), one(.int64)),
                .binary(dice.pick([.div, .mod]), one(.int64), .literal(.integer(dice.pick([2, 3, -7])))),
                .binary(dice.pick([.div, .mod]), one(.int32), one(.int32)), .unary(.negate, one(.int64)),
                .call(.length, [one(.string)]), .call(.indexof, [one(.string), one(.string)]),
                .call(dice.pick([.year, .month, .day]), [one(.date)]),
                .call(dice.pick([.year, .month, .day, .hour, .minute, .second]), [one(.dateTimeOffset)]),
                .call(dice.pick([.hour, .minute, .second]), [one(.timeOfDay)]),
            ])
        case .decimal:
            return dice.pick([
                .binary(dice.pick([.add, .sub, .mul]), one(.decimal), one(.decimal)),
                .binary(dice.pick([.add, .sub, .mul]), one(.decimal), one(.int32)),
                .call(dice.pick([.round, .floor, .ceiling]), [one(.decimal)]), .unary(.negate, one(.decimal)),
                .call(.fractionalseconds, [one(.dateTimeOffset)]),
            ])
        case .double:
            return dice.pick([
                .binary(dice.pick([.add, .sub, .mul]), one(.double), one(.double)),
                .binary(dice.pick([.add, .sub, .mul]), one(.double), one(.int32)),
                .call(dice.pick([.round, .floor, .ceiling]), [one(.double)]),
            ])
        case .string:
            return dice.pick([
                .call(.concat, [one(.string), one(.string)]),
                .call(dice.pick([.tolower, .toupper, .trim]), [one(.string)]),
                .call(.substring, [one(.string), .literal(.integer(Int64(dice.number(-1...2))))]),
                .call(
                    .substring,
                    [one(.string), .literal(.integer(Int64(dice.below(2)))), .literal(.integer(Int64(dice.below(3))))]
                ),
            ])
        case .date: return .call(.date, [one(.dateTimeOffset)])
        case .timeOfDay: return .call(.time, [one(.dateTimeOffset)])
        case .dateTimeOffset:
            return .binary(dice.pick([.add, .sub]), one(.dateTimeOffset), .literal(values.value(of: .duration)))
        case .duration: return .binary(.sub, one(.dateTimeOffset), one(.dateTimeOffset))
        default: return nil
        }
    }

    /// A path to a property of a type's family, over up to two references; `nil` where there is none.
    func path(_ type: PrimitiveType, _ scope: Scope) -> Expression? {
        var names: [String] = []
        var set = scope.set
        while names.count < 2, dice.chance(1, in: 4) {
            let references = set.type.navigationProperties.filter { !$0.isCollection }
            guard !references.isEmpty, let target = model[set: dice.pick(references).targetSet] else { break }
            guard let reference = references.first(where: { $0.targetSet == target.names.wire }) else { break }
            names.append(reference.names.wire)
            set = target
        }
        let fitting = set.type.properties.filter { Self.family($0.type) == Self.family(type) }
        return fitting.isEmpty ? nil : scope.path(names + [dice.pick(fitting).names.wire])
    }

    /// A path to any property.
    func anything(_ scope: Scope) -> Expression {
        path(dice.pick(scope.set.type.properties).type, scope) ?? scope.path([scope.set.type.properties[0].names.wire])
    }

    private static func family(_ type: PrimitiveType) -> PrimitiveType {
        if type.integerRange != nil { return .int64 }
        return type == .single ? .double : type
    }
}
