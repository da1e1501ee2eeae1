// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension RowShape {
    /// An operation that can be called on a row, or on the collection of the rows.
    public struct Operation: Hashable, Sendable {
        /// The qualified name.
        public var name: String
        /// The wire name of the derived type whose rows alone have it.
        public var declaringType: String?

        public init(name: String, declaringType: String? = nil) {
            self.name = name
            self.declaringType = declaringType
        }
    }
}

/// Operations that answers advertise in full metadata.
///
///     "#Shop.Close":{"title":"Close","target":"Orders(1)/Shop.Close"}
///
/// Source: OData JSON Format 4.01, sections 16 and 17.
extension JSONEntityWriter {
    /// Writes the operations of the row at hand.
    func writeOperations(_ shape: RowShape, _ kind: RowShape.Derivation.Kind?) {
        for operation in shape.operations {
            if let type = operation.declaringType, kind?.lineage.contains(type) != true { continue }
            member("#\(operation.name)")
            let cast = operation.declaringType == nil ? "" : kind.map { "/\($0.name)" } ?? ""
            write(operation, at: frame.url + cast)
        }
    }

    /// Writes the operations of the collection.
    func writeCollectionOperations() {
        for operation in shape.collectionOperations {
            output.append(",")
            output.appendQuoted("#\(operation.name)")
            output.append(":")
            write(operation, at: (shape.containedIn ?? shape.set) + (shape.castType.map { "/\($0)" } ?? ""))
        }
    }

    private func write(_ operation: RowShape.Operation, at url: String) {
        output.append("{\"title\":")
        output.appendQuoted(operation.name.split(separator: ".").last.map(String.init) ?? operation.name)
        output.append(",\"target\":")
        output.appendQuoted("\(url)/\(operation.name)")
        output.append("}")
    }
}
