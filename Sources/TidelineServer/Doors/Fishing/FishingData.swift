// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel
import TidelineOData
import TidelineService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The actions of the fishing app, each as requests to the domain's own service with the token's user as the caller.
///
///     action=update&id=7&lat=59.9…    PATCH FishingSpots(7) {"Lat":59.9…}    {"fishingResponse":…}
///
/// A pure translation: the same policies, rules, limits and change log, and no second way to the data.
struct FishingData {
    let loaded: LoadedDomain
    let settings: FishingCompatibility
    let user: User
    /// Stands in the log beside what went wrong.
    let reference: String
    /// Gets told of a request that names another user as its sender or author.
    let onForgery: @Sendable () -> Void

    /// Who asks, as JSON and as text.
    private var me: JSONValue { JSONValue(user.id) }

    // MARK: Spots

    /// Does what `action` says with the spots.
    func respond(_ form: FishingForm) throws(FishingFault) -> FishingResponse {
        tellOfForgery(form)
        switch try form.required("action") {
        case "create":
            guard try form.required("id") == "0" else { throw .badID(try form.required("id")) }
            var members = try spot(form)
            members.append(("OwnerId", me))
            let made = try ask(.post, settings.spots, Self.object(members).text)
            guard case .number(let id) = made.member(["Id"]), let id = Int64(id) else { throw .failed(reference) }
            return FishingResponse(items: [FishingResponse.spot(try entity(id))])
        case "update":
            let id = try form.id()
            _ = try ask(.patch, "\(settings.spots)(\(id))", Self.object(try spot(form)).text, id: id)
            return FishingResponse(items: [FishingResponse.spot(try entity(id))])
        case "delete":
            let id = try form.id()
            _ = try ask(.delete, "\(settings.spots)(\(id))", id: id)
            return FishingResponse()
        case "get": return FishingResponse(items: [FishingResponse.spot(try entity(try form.id()))])
        case "list": return FishingResponse(items: try list().map(FishingResponse.spot))
        default: throw .unknownAction
        }
    }

    /// Whatever names the sender or the author is looked at for the log alone: the token says who it is.
    private func tellOfForgery(_ form: FishingForm) {
        let named = [form["userid"], form["author"]].compactMap(\.self)
        if named.contains(where: { $0 != user.id.text }) { onForgery() }
    }

    private func spot(_ form: FishingForm) throws(FishingFault) -> [(String, JSONValue)] {
        [
            ("Name", .string(try form.required("name"))),
            ("Lat", JSONValue(.double(try form.double("lat")))),
            ("Lng", JSONValue(.double(try form.double("lng")))),
            ("IsPublicSpot", .boolean(try form.flag("is_public_spot"))),
            ("Comments", .string(form["comments"] ?? "")),
        ]
    }

    private func entity(_ id: Int64) throws(FishingFault) -> JSONValue {
        try ask(.get, "\(settings.spots)(\(id))?$expand=Owner", id: id)
    }

    /// All pages of the spots that the user may see.
    private func list() throws(FishingFault) -> [JSONValue] {
        var spots: [JSONValue] = []
        var next: String? = "\(settings.spots)?$expand=Owner&$orderby=Id"
        while let path = next {
            let page = try ask(.get, path)
            spots += page.member(["value"]).items
            next = nil
            for name in ["@nextLink", "@odata.nextLink"] {
                if case .string(let link) = page.member([name]) { next = link }
            }
        }
        return spots
    }

    // MARK: Catches

    /// Inserts a catch and its picture: both or none.
    ///
    /// - Parameter picture: its type and bytes.
    func create(_ form: FishingForm, picture: (type: String, bytes: ArraySlice<UInt8>)?) throws(FishingFault)
        -> FishingResponse
    {
        guard let catches = settings.catches else { throw .unknownAction }
        tellOfForgery(form)
        guard try form.required("action") == "create" else { throw .unknownAction }
        let body = Self.object([
            ("Fish", .string(try form.required("fish"))),
            ("WeightInGrams", .number("\(try form.count("weight"))")),
            ("CaughtAt", .string(try form.required("caught_at"))),
            ("Comments", .string(form["comments"] ?? "")),
            ("SpotId", .number("\(try form.id("spot"))")),
            ("OwnerId", me),
        ])
        var requests = [Self.request("1", catches, type: "application/json", body: body.text)]
        if let picture, let pictures = settings.pictures {
            requests.append(
                Self.request("2", "$1/\(pictures)", type: picture.type, body: Self.base64URL(picture.bytes))
            )
        }
        let answer = try ask(.post, "$batch", #"{"requests":[\#(requests.joined(separator: ","))]}"#)
        let responses = answer.member(["responses"]).items
        for response in responses {
            let status = response.member(["status"]).text
            // 424 says that another one of the group failed, which tells why.
            guard let code = Int(status), code >= 400, code != 424 else { continue }
            let error = ErrorBody.read(Array(response.member(["body"]).text.utf8)) ?? ODataError(code: "", message: "")
            throw FishingFault(error, HTTPResponse.Status(code: code), id: nil, reference: reference)
        }
        guard responses.count == requests.count else { throw .failed(reference) }
        let made = responses[0].member(["body"])
        return FishingResponse(items: [FishingResponse.caught(made, pictures: requests.count - 1)])
    }

    /// A request of a batch.
    ///
    /// - Parameter body: as JSON: pictures are long, and go in without another look at each of their digits.
    private static func request(_ id: String, _ url: String, type: String, body: String) -> String {
        let head = object([
            ("id", .string(id)), ("method", .string("POST")), ("url", .string(url)),
            ("atomicityGroup", .string("catch")), ("dependsOn", .array(id == "1" ? [] : [.string("1")])),
            ("headers", object([("content-type", .string(type)), ("prefer", .string("return=representation"))])),
        ])
        return String(head.text.dropLast()) + #","body":\#(body)}"#
    }

    /// Bytes as a string of JSON in base64url.
    private static func base64URL(_ bytes: ArraySlice<UInt8>) -> String {
        var digits = Array(Data(bytes).base64EncodedData())
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        for (place, digit) in digits.enumerated() {
            if digit == UInt8(ascii: "+") { digits[place] = UInt8(ascii: "-") }
            if digit == UInt8(ascii: "/") { digits[place] = UInt8(ascii: "_") }
        }
        return "\"" + String(decoding: digits, as: UTF8.self) + "\""
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
    }

    // MARK: The domain's service

    /// - Parameters:
    ///   - path: below the service's root, or the link to a next page.
    ///   - id: of the spot that is asked for.
    /// - Returns: the body; null for none.
    private func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        id: Int64? = nil
    ) throws(FishingFault) -> JSONValue {
        var fields: HTTPFields = [.accept: "application/json"]
        // In a batch each of its requests says so for itself.
        if path != "$batch" { fields[.prefer] = "return=representation" }
        fields[.odataMaxVersion] = "4.01"
        if body != nil { fields[.contentType] = "application/json" }
        let root = "/odata/\(loaded.domain.name)/"
        let request = HTTPRequest(
            method: method,
            scheme: nil,
            authority: nil,
            path: path.hasPrefix("/") ? path : root + path,
            headerFields: fields
        )
        let answer = loaded.service.respond(
            to: request,
            body: Array((body ?? "").utf8),
            user: user.context,
            userName: user.name
        )
        guard let bytes = try? answer.body.all() else { throw .failed(reference) }
        guard answer.head.status.code < 400 else {
            let error = ErrorBody.read(bytes) ?? ODataError(code: "Error", message: answer.head.status.reasonPhrase)
            throw FishingFault(error, answer.head.status, id: id, reference: reference)
        }
        if bytes.isEmpty { return .null }
        guard let text = String(validating: bytes, as: UTF8.self), let json = JSONValue(text) else {
            throw .failed(reference)
        }
        return json
    }
}
