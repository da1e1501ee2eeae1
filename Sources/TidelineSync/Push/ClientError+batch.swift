// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineOData

/// What the failure of a whole batch says about its transactions.
extension ClientError {
    /// Whether it was more than the service takes in one batch; nothing of it was executed.
    var isOfTooLargeBatch: Bool { status == 413 || service?.code == ODataError.Code.tooComplex.rawValue }

    /// Whether it is sure that nothing of the batch was executed, or will be.
    ///
    /// Other refusals of the whole (401, 403, 404, 503) prove nothing: a gateway may give them in place of what the service
    /// answered.
    var leavesBatchUndone: Bool {
        isUnsent || isOfTooLargeBatch || service.map { Self.unserved.contains($0.code) } ?? false
    }

    /// What a server of ours says that has no such domain, as after `tideline unpublish`, or cannot open it: before it reads
    /// what was sent.
    private static let unserved: Set<String> = ["DomainNotFound", "DomainUnavailable"]
}
