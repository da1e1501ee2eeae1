// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// Requests that are answered later.
extension ODataService {
    /// The answer to a request that is answered later, or to one that asks for such an answer.
    func later(
        _ request: HTTPRequest,
        _ text: String,
        _ body: [UInt8],
        _ upload: MediaUpload?,
        _ calls: CallReader,
        _ deferral: Deferral
    ) throws -> ServiceResponse? {
        // Nothing is made for most requests, which ask for neither.
        guard request.headerFields[.prefer] != nil || text.hasPrefix(Monitor.prefix) else { return nil }
        let monitor = Monitor(
            deferral: deferral,
            owner: "\(domain.name)\n\(calls.userName ?? "")\n\(calls.user.id)",
            root: calls.root,
            version: try ODataVersion.negotiate(request.headerFields)
        )
        if text.hasPrefix(Monitor.prefix) {
            return try monitor.respond(to: request, id: String(text.dropFirst(Monitor.prefix.count)))
        }
        let preferences = Preferences(request.headerFields)
        guard preferences.respondsAsync, request.method != .options else { return nil }
        let isRead = request.method == .get || request.method == .head
        let id = deferral.begin(owner: monitor.owner, isRead: isRead) {
            // Nobody may ask for it for a while: what is large waits in a file.
            self.respond(
                to: request,
                body: body,
                upload: upload,
                user: calls.user,
                userName: calls.userName,
                isDeferrable: false
            )
            .spooled(in: self.core.spoolFolder)
        }
        guard let id else { return nil }
        var response = monitor.accepted(id)
        if let patience = preferences.waitsFor, patience > .zero {
            response.pending = PendingAnswer(
                patience: min(patience, PendingAnswer.limit),
                deferral: deferral,
                id: id,
                owner: monitor.owner
            )
        }
        return response
    }
}
