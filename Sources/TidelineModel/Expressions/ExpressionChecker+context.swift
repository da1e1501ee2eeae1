// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ExpressionChecker {
    /// Where a part of an expression stands: the scopes around it, and how deep it is.
    struct Context {
        /// One thing that paths can start from.
        struct Scope {
            /// The name of the lambda variable; `nil` for the instance that bare names belong to.
            let variable: String?
            let place: Place

            init(variable: String?, content: Content) {
                self.variable = variable
                switch content {
                case .entity(let set, let type): place = .entity(SharedSet(set), type: type)
                case .item(let element): place = .item(element)
                }
            }

            init(_ set: SharedSet, type: String?) {
                variable = nil
                place = .entity(set, type: type)
            }

            var content: Content {
                switch place {
                case .entity(let shared, let type): .entity(shared.set, type: type)
                case .item(let element): .item(element)
                }
            }
        }

        /// A ``Content`` that is cheap to copy.
        enum Place {
            case entity(SharedSet, type: String?)
            case item(Structure.Element)
        }

        enum Content {
            /// An entity, cast to a derived type.
            case entity(EntitySet, type: String?)
            /// An item of a JSON array.
            case item(Structure.Element)
        }

        /// The outermost first.
        var scopes: [Scope]
        private let counter = Counter()

        init(_ set: SharedSet, type: String? = nil) { scopes = [Scope(set, type: type)] }

        /// Goes one level further in; ``leave()`` comes out again.
        func enter() throws(ExpressionError) {
            counter.nodes += 1
            guard counter.depth < ExpressionChecker.maxDepth else { throw Self.tooDeep }
            guard counter.nodes <= ExpressionChecker.maxNodes else {
                throw ExpressionError(
                    .tooDeep,
                    message: "The expression has more than \(ExpressionChecker.maxNodes) parts."
                )
            }
            counter.depth += 1
        }

        func leave() { counter.depth -= 1 }

        /// Goes into the expression of a calculated property; ``calculated()`` comes out again.
        func begin(_ set: String, _ name: String) throws(ExpressionError) {
            let step = Calculation(set: set, name: name)
            if let start = counter.calculations.firstIndex(of: step) {
                let round = (counter.calculations[start...] + [step]).map { "\($0.set)/\($0.name)" }
                throw ExpressionError(
                    .invalidPath,
                    message: "The calculated property '\(name)' of \(set) is made of itself: "
                        + round.joined(separator: ", then ") + ".",
                    target: name
                )
            }
            // What stands around the expression in its place is two levels more.
            guard counter.depth + 2 < ExpressionChecker.maxDepth else { throw Self.tooDeep }
            counter.depth += 2
            counter.calculations.append(step)
        }

        /// Comes out of the expression of a calculated property.
        func calculated() {
            counter.depth -= 2
            counter.calculations.removeLast()
        }

        /// One more call of a function of the model.
        func calling(_ name: String) throws(ExpressionError) {
            counter.calls += 1
            guard counter.calls <= ExpressionChecker.maxCalls else {
                throw ExpressionError(
                    .tooDeep,
                    message: "The expression calls more than \(ExpressionChecker.maxCalls) functions.",
                    target: name
                )
            }
        }

        /// The body of a lambda or a count.
        func entering(_ content: Content, variable: String?) -> Context {
            var context = self
            context.scopes.append(Scope(variable: variable, content: content))
            return context
        }

        private static var tooDeep: ExpressionError {
            ExpressionError(.tooDeep, message: "The expression has more than \(ExpressionChecker.maxDepth) levels.")
        }

        private final class Counter {
            var nodes = 0
            var depth = 0
            var calls = 0
            /// The calculated properties whose expressions are being checked, the outermost first.
            var calculations: [Calculation] = []
        }

        private struct Calculation: Equatable {
            let set: String
            let name: String
        }
    }
}
