// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension HTTPField.Name {
    private static func odata(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is a token.") }
        return name
    }

    /// `OData-Version`.
    public static let odataVersion = odata("OData-Version")
    /// `OData-MaxVersion`.
    public static let odataMaxVersion = odata("OData-MaxVersion")
    /// `OData-EntityId`, of a 204 answer to a create.
    public static let odataEntityId = odata("OData-EntityId")
    /// `Isolation`.
    public static let isolation = odata("Isolation")
    /// `OData-Isolation`, its name in 4.0.
    public static let odataIsolation = odata("OData-Isolation")
    /// `Content-ID` of a part of a multipart body, RFC 2045.
    public static let contentID = odata("Content-ID")
    /// `Prefer`, RFC 7240.
    public static let prefer = odata("Prefer")
    /// `Preference-Applied`, RFC 7240.
    public static let preferenceApplied = odata("Preference-Applied")
    /// `AsyncResult`: the status of a request that was answered later.
    public static let asyncResult = odata("AsyncResult")
    /// `Accept-Charset`.
    package static let acceptCharset = odata("Accept-Charset")
    /// `Repeatability-Request-ID`.
    public static let repeatabilityRequestID = odata("Repeatability-Request-ID")
    /// `Repeatability-Client-ID`.
    public static let repeatabilityClientID = odata("Repeatability-Client-ID")
    /// `Repeatability-First-Sent`.
    public static let repeatabilityFirstSent = odata("Repeatability-First-Sent")
    /// `Repeatability-Result`.
    public static let repeatabilityResult = odata("Repeatability-Result")
    /// `Last-Event-ID`: what a stream of events was told last, sent by who comes again.
    ///
    /// Source: HTML Living Standard, section 9.2.4.
    public static let lastEventID = odata("Last-Event-ID")
    /// `Tideline-Acknowledged`: the last transaction whose answer the client has stored.
    public static let tidelineAcknowledged = odata("Tideline-Acknowledged")
    /// `Tideline-Epoch`: the epoch of the service's record of changes.
    ///
    /// The answer to a client's batch tells it; the repeatable requests of a batch that names it are done in it or not at all.
    public static let tidelineEpoch = odata("Tideline-Epoch")
    /// `Tideline-Known`: the id of the event that tells of all that the client knew when it made the requests of a
    /// repeatable group.
    ///
    /// Where the service has given the key of a row to another one since, the group does not refer to the new one. What the
    /// client's own transactions have changed since is no change of another, for a row that the group deletes.
    public static let tidelineKnown = odata("Tideline-Known")
    /// `Tideline-Event-ID`: the id of the event that tells of all that is in the snapshot of the answer.
    public static let tidelineEventID = odata("Tideline-Event-ID")
    /// `Tideline-Decided`: the client's last decided transaction in the snapshot of the answer.
    public static let tidelineDecided = odata("Tideline-Decided")
}
