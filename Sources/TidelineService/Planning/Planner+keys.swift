// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What is said of a key in a URL that cannot be read: the grammar knows the text, the model what was wanted.
extension Planner {
    /// The error with the key's properties and their types in front, where the user may know them.
    ///
    ///     Users(abc): The key property UserId is an Edm.Int64, and (abc) was given. …
    func explained(_ error: ODataError, for user: UserContext) -> ODataError {
        guard error.code == ODataError.Code.invalidKey.rawValue, let segment = error.target,
            let parenthesis = segment.firstIndex(of: "("),
            let expected = expectedKey(at: segment[..<parenthesis], for: user)
        else { return error }
        var error = error
        let given = segment[parenthesis...].prefix(KeyPredicate.givenLimit)
        error.message = "\(expected), and \(given) was given. \(error.message)"
        error.target = String(segment[..<parenthesis])
        return error
    }

    /// What a key in parentheses after a name of a path is; `nil` where that is not known, or not to be known.
    ///
    /// - Parameter name: of a set, or of a navigation property; of that, all that have the name must agree.
    func expectedKey(at name: some StringProtocol, for user: UserContext) -> String? {
        var sets = Set([String(name)])
        for set in model.sets {
            for navigation in set.type.navigationProperties where navigation.names.wire == name {
                sets.insert(navigation.targetSet)
            }
        }
        let expected = Set(
            sets.compactMap { model[set: $0] }
                .filter { policies.mayUse($0.names.wire, user) }
                .map { KeyPredicate.expected(of: $0.type) }
        )
        return expected.count == 1 ? expected.first : nil
    }

    /// Refuses a key that reads as a call: `Users(UserId=abc)` may be one, as long as the model is not looked at.
    func refuseCallsOfSets(in path: ResourcePath, for user: UserContext) throws(ODataError) {
        for segment in path.segments {
            guard case .function(let name, let arguments) = segment, !arguments.isEmpty, !isOperation(name),
                let expected = expectedKey(at: name, for: user)
            else { continue }
            let given = segment.text.dropFirst(name.count).prefix(KeyPredicate.givenLimit)
            throw ODataError(
                .invalidKey,
                "\(expected), and \(given) was given. A text stands in single quotes.",
                target: String(name.prefix(128))
            )
        }
    }

    private func isOperation(_ name: String) -> Bool {
        model.operations.contains { operation in
            operation.names.wire == name || operation.imports.contains { $0.name == name }
        }
    }
}
