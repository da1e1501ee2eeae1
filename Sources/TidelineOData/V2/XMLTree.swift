// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An element with all that is in it: for bodies of requests, which are small.
package struct XMLTree {
    package var namespace: String
    package var name: String
    package var attributes: [(name: String, value: String)]
    package var children: [XMLTree] = []
    /// The text of an element without children.
    package var text = ""

    /// An attribute by its name without a prefix.
    package subscript(_ attribute: String) -> String? {
        attributes.first { $0.name == attribute || $0.name.hasSuffix(":\(attribute)") }?.value
    }

    /// The first child of that name.
    func child(_ name: String) -> XMLTree? { children.first { $0.name == name } }

    /// Reads a whole document.
    ///
    /// - Throws: `InvalidBody`.
    package static func read(_ bytes: [UInt8]) throws(ODataError) -> XMLTree {
        do throws(ODataError) {
            var reader = try XMLPullReader(bytes)
            guard case .start(let element) = try reader.next() else {
                throw ODataError(.invalidBody, "The body is no XML.")
            }
            return try read(element, &reader)
        } catch {
            throw ODataError(.invalidBody, error.message)
        }
    }

    private static func read(
        _ element: XMLPullReader.Element,
        _ reader: inout XMLPullReader
    ) throws(ODataError) -> XMLTree {
        var tree = XMLTree(namespace: element.namespace, name: element.name, attributes: element.attributes)
        var probe = reader
        let failure: ODataError
        do throws(ODataError) {
            tree.text = try probe.text()
            reader = probe
            return tree
        } catch {
            failure = error
        }
        while true {
            switch try reader.next() {
            case .start(let child): tree.children.append(try read(child, &reader))
            case .end:
                // Without children it was the text that could not be read: an unknown entity is no empty text.
                guard !tree.children.isEmpty else { throw failure }
                return tree
            case .finished: throw ODataError(.invalidBody, "The XML ends too early.")
            }
        }
    }
}
