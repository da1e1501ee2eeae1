// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineService

/// Models in files: CSDL in XML or JSON, as `$metadata` has it and `EntityModel.csdl()` writes it.
enum ModelFile {
    /// Reads a file.
    ///
    /// - Returns: the model, and what of the file it leaves out.
    /// - Throws: ``CommandFailure``.
    static func read(_ path: String) throws -> ServiceMetadata {
        do {
            return try ServiceMetadata(try AtomicFile.read(path))
        } catch let error as DomainError {
            throw CommandFailure("The model in \(path) cannot be read.", why: error.message)
        } catch let error as ODataError {
            throw CommandFailure(
                "The file \(path) holds no model.",
                why: error.message,
                next: "It is CSDL in XML or JSON, as a service's $metadata."
            )
        }
    }

    /// The model of a domain as its service tells it.
    static func told(of domain: Domain) throws -> EntityModel {
        try ServiceMetadata(CSDLXML.write(domain.model)).model
    }
}
