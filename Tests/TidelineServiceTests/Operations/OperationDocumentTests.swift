// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Where operations are told of: the service document, full metadata, OpenAPI, OData v2.
struct OperationDocumentTests {
    @Test
    func `the service document lists the function imports that are listed and may be called`() throws {
        let entry = ##"{"name":"Largest","kind":"FunctionImport","url":"Largest"}"##
        let open = try Counter.shop().get("")
        #expect(open.text.contains(entry), "\(open.text)")
        #expect(!open.text.contains("\"Sum\""))
        let closed = try Counter.shop(open: false).get("")
        #expect(!closed.text.contains("Largest"))
    }

    @Test
    func `full metadata advertises the operations that the user may call`() throws {
        let full = ["Accept": "application/json;metadata=full"]
        let shop = try Counter.shop()
        let entity = shop.get("Orders(10)", full).text
        #expect(entity.contains(##""#Shop.Close":{"title":"Close","target":"Orders(10)/Shop.Close"}"##), "\(entity)")
        #expect(entity.contains(##""#Shop.Share":{"title":"Share","target":"Orders(10)/Shop.Share"}"##))
        #expect(!entity.contains("RaiseAll"))
        let collection = shop.get("Orders?$top=1", full).text
        #expect(
            collection.contains(##""#Shop.RaiseAll":{"title":"RaiseAll","target":"Orders/Shop.RaiseAll"}"##),
            "\(collection)"
        )
        #expect(!shop.get("Orders(10)").text.contains("#Shop.Close"))
        let closed = try Counter.shop(
            open: false,
            policies: Shop.policies + [Policy(role: "*", sets: [], operations: [], calls: ["Share"])]
        )
        let mine = closed.get("Orders(10)", full).text
        #expect(mine.contains("#Shop.Share"))
        #expect(!mine.contains("#Shop.Close"))
    }

    @Test
    func `OpenAPI has an address for each import and each bound operation`() throws {
        let text = try Counter.shop().get("openapi.json").text
        for address in [
            ##""/Sum()":{"get""##, ##""/SumOf(clientId={clientId})":{"get""##, ##""/Top(count={count})":{"get""##,
            ##""/Top(count={count},least={least})":{"get""##, ##""/Echo(text='{text}')":{"get""##,
            ##""/Words(list={list})":{"get""##, ##""/Words(list={list},suffix='{suffix}')":{"get""##,
            ##""/Orders({OrderId})/Shop.Share()":{"get""##, ##""/Orders({OrderId})/Shop.Raise":{"post""##,
            ##""/Orders/Shop.RaiseAll":{"post""##, ##""/Reset":{"post""##,
        ] {
            #expect(text.contains(address), "\(address)")
        }
        #expect(text.contains(##""operationId":"callPlace""##))
    }

    // MARK: OData v2

    private func v2(_ shop: Shop, _ method: HTTPRequest.Method, _ path: String) -> Shop.Reply {
        shop.send(method, "v2/" + path, "", ["Accept": "application/json", "OData-MaxVersion": ""])
    }

    @Test
    func `v2 calls functions by GET and actions by POST, with parameters as options`() throws {
        let shop = try Counter.shop()
        #expect(v2(shop, .get, "Sum").text == ##"{"d":{"Sum":"600"}}"##)
        #expect(v2(shop, .get, "SumOf?clientId=3").text == ##"{"d":{"SumOf":"300"}}"##)
        #expect(v2(shop, .get, "Echo?text='a%2Fb'").text == ##"{"d":{"Echo":"a/b"}}"##)
        #expect(v2(shop, .get, "Top?count=1&least=5L&$select=Title").text.contains(##""Title":"thirty""##))
        #expect(v2(shop, .get, "Summary").text.contains(##""Summary":{"__metadata":{"type":"Shop.Result"},"Count":4"##))
        #expect(v2(shop, .get, "MoodOf?mood='Wild'").text == ##"{"d":{"MoodOf":"Wild"}}"##)
        #expect(v2(shop, .post, "Reset").status == 204)
        #expect(try shop.value("SELECT sum(Total) FROM Orders") == "0")
        let placed = v2(shop, .post, "Place?title='new'&total=7L")
        #expect(placed.status == 201, "\(placed.text)")
        #expect(try shop.value("SELECT Total FROM Orders WHERE Title = 'new'") == "7")
        #expect(v2(shop, .get, "Reset").status == 405)
        let worker = v2(
            shop,
            .post,
            "Insert_Worker?FirstName='a'&LastName='b'&Phone='c'&BirthDate=datetime'2026-11-21T00:00:00'&Position='d'"
        )
        #expect(worker.status == 204, "\(worker.text)")
        #expect(try shop.value("SELECT BirthDate FROM Workers") == "2026-11-21")
    }

    @Test
    func `v2 refuses with a reason what it cannot say`() throws {
        let shop = try Counter.shop()
        for (path, reason) in [
            ("Words?list='a'", "cannot say the parameter list"), ("Summaries", "cannot say what Summaries gives"),
            ("Orders(10)/Share", "no bound operations"), ("Top/$count?count=1", "no path after the call"),
        ] {
            let reply = v2(shop, .get, path)
            #expect(reply.status == 501, "\(path): \(reply.text)")
            #expect(reply.text.contains(reason), "\(path): \(reply.text)")
        }
        let metadata = shop.get("v2/$metadata").text
        #expect(
            metadata.contains(
                ##"<FunctionImport Name="Place" ReturnType="Shop.Order" EntitySet="Orders" m:HttpMethod="POST">"##
            ),
            "\(metadata)"
        )
        #expect(metadata.contains(##"<ComplexType Name="Result">"##))
        #expect(!metadata.contains("Words"))
    }
}
