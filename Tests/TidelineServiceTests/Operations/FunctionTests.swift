// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Functions, called by GET.
struct FunctionTests {
    /// The body without its ETags.
    private func data(_ shop: Shop, _ path: String, _ headers: [String: String] = [:]) -> String {
        let reply = shop.get(path, headers)
        guard reply.status == 200 else { return "\(reply.status) \(reply.text)" }
        return reply.text.withoutETags.replacing("\"@etag\":\"W/\\\"\\\"\",", with: "")
    }

    private func value(_ type: String, _ json: String) -> String {
        ##"{"@context":"/odata/shop/$metadata#\##(type)","value":\##(json)}"##
    }

    private let top =
        ##"{"@context":"/odata/shop/$metadata#Orders(OrderId)","value":[{"OrderId":30},{"OrderId":20}]}"##

    // MARK: Calls

    @Test(.covers("OD-1.4.9.c"))
    func `a function import without parameters takes parentheses or none`() throws {
        let shop = try Counter.shop()
        // 100 + 200 + 300 + 0
        #expect(data(shop, "Sum") == value("Edm.Int64", "600"))
        #expect(data(shop, "Sum()") == value("Edm.Int64", "600"))
        #expect(data(shop, "Summary/Count") == value("Edm.Int32", "4"))
        #expect(data(shop, "Summary()/Count") == value("Edm.Int32", "4"))
    }

    @Test(.covers("OD-1.4.9.f", "OD-1.4.9.g", "OD-1.4.9.a"))
    func `parameters are literals, aliases, implicit aliases or options`() throws {
        let shop = try Counter.shop()
        for path in [
            "SumOf(clientId=3)", "SumOf(clientId=@c)?@c=3", "SumOf(clientId='3')", "SumOf?@clientId=3",
            "SumOf?clientId=3", "SumOf()?clientId=3",
        ] {
            #expect(data(shop, path) == value("Edm.Int64", "300"), "\(path)")
        }
        #expect(data(shop, "Clients(@k)/Name?@k=3") == value("Clients(3)/Name", "\"Cid\""))
        // A text with a slash, a backslash and a quote goes where the path cannot carry it.
        #expect(data(shop, #"Echo(text=@t)?@t='a/b\c''d'"#) == value("Edm.String", #""a/b\\c'd""#))
        #expect(data(shop, "Echo(text='a%2Fb')") == value("Edm.String", #""a/b""#))
        #expect(data(shop, "Echo?text='x'") == value("Edm.String", #""x""#))
        #expect(data(shop, "SumOf(clientId=99)").hasPrefix("204"))
    }

    @Test
    func `collections, complex values and members are parameters`() throws {
        let shop = try Counter.shop()
        #expect(data(shop, #"Words(list=@l)?@l=["a","b"]"#) == value("Collection(Edm.String)", #"["a!","b!"]"#))
        #expect(data(shop, #"Words(list=["a"],suffix='-')"#) == value("Collection(Edm.String)", #"["a-"]"#))
        #expect(data(shop, "Words(list=@l)?@l=[]") == value("Collection(Edm.String)", "[]"))
        #expect(data(shop, #"Summary(of=@s)/Count?@s={"From":100,"To":200}"#) == value("Edm.Int32", "2"))
        for member in ["Shop.Mood'Wild'", "'Wild'", "2"] {
            #expect(data(shop, "MoodOf(mood=\(member))") == value("Shop.Mood", #""Wild""#), "\(member)")
        }
        #expect(shop.get("MoodOf(mood=null)").status == 204)
        #expect(shop.get("MoodOf(mood=Shop.Mood'Wild')/$value").text == "Wild")
    }

    @Test(.covers("DA-21"))
    func `an overload is chosen by the names of its parameters`() throws {
        let shop = try Counter.shop()
        #expect(data(shop, "Top(count=2)?$select=OrderId") == top)
        // Of two at most, one has 250 or more.
        #expect(
            data(shop, "Top(least=250,count=2)?$select=OrderId")
                == ##"{"@context":"/odata/shop/$metadata#Orders(OrderId)","value":[{"OrderId":30}]}"##
        )
        let wrong = shop.get("Top(least=250)")
        #expect(wrong.status == 400)
        #expect(Shop.code(wrong) == "MissingParameter")
        #expect(wrong.text.contains("(count), (count,least)"))
    }

    @Test(arguments: [
        ("SumOf", 400, "MissingParameter", "clientId"), ("SumOf(other=1)", 400, "UnknownParameter", "other"),
        ("SumOf(clientId=1,other=1)", 400, "UnknownParameter", "other"),
        ("SumOf(clientId='x')", 400, "InvalidValue", "clientId"),
        ("SumOf(clientId=5000000000)", 400, "InvalidValue", "clientId"),
        ("SumOf(clientId=null)", 400, "InvalidValue", "clientId"),
        ("SumOf(3)", 400, "InvalidURL", "SumOf"), ("Echo?text=x", 400, "InvalidValue", "text"),
        ("Words(list='a')", 400, "InvalidValue", "list"), ("Words(list=[1])", 400, "InvalidValue", "list"),
        ("MoodOf(mood='Sad')", 400, "InvalidValue", "mood"), ("Nothing(a=1)", 404, "NotFound", "Nothing"),
        ("Nothing", 404, "NotFound", "Nothing"), ("Share", 404, "NotFound", "Share"),
        ("Sum/Other", 404, "NotFound", "Sum"), ("Orders(10)/Sum", 404, "NotFound", "Sum"),
        ("Orders(10)/Other.Share", 404, "NotFound", "Other.Share"),
        ("Orders/Shop.Share", 404, "NotFound", "Shop.Share"),
        ("Summary/Other", 404, "NotFound", "Other"), ("Sum?$filter=true", 501, "NotSupported", "$filter"),
    ])
    func `a wrong call is refused, and says what is wrong with it`(
        _ path: String,
        _ status: Int,
        _ code: String,
        _ target: String
    ) throws {
        let reply = try Counter.shop().get(path)
        #expect(reply.status == status, "\(reply.text)")
        #expect(Shop.code(reply) == code, "\(reply.text)")
        #expect(ErrorBody.read(Array(reply.text.utf8))?.target == target, "\(reply.text)")
    }

    @Test(.covers("DA-31"))
    func `a function is no action and an action no function`() throws {
        let shop = try Counter.shop()
        let post = shop.send(.post, "Sum", "{}")
        #expect(post.status == 405)
        #expect(post.fields[.allow] == "GET, HEAD, OPTIONS")
        let get = shop.get("Reset")
        #expect(get.status == 405)
        #expect(get.fields[.allow] == "POST, OPTIONS")
        #expect(shop.send(.patch, "Orders(10)/Shop.Close", "{}").status == 405)
        #expect(shop.send(.delete, "Orders(10)/Close").status == 405)
        #expect(shop.send(.options, "Orders(10)/Close").fields[.allow] == "POST, OPTIONS")
        #expect(try shop.value("SELECT sum(Total) FROM Orders") == "600")
    }

    // MARK: Bound functions

    @Test(.covers("OD-1.4.9.e"))
    func `a bound function is called with and without the default namespace`() throws {
        let shop = try Counter.shop()
        for path in ["Orders(30)/Shop.Share()", "Orders(30)/Share()", "Orders(30)/Share", "Orders/30/Shop.Share"] {
            #expect(data(shop, path) == value("Edm.Int64", "30"), "\(path)")
        }
        #expect(data(shop, "Orders(30)/Share(percent=50)") == value("Edm.Int64", "150"))
        #expect(data(shop, "Orders(30)/Share?percent=50") == value("Edm.Int64", "150"))
        #expect(data(shop, "Clients(3)/Orders(30)/Shop.Share(percent=@p)?@p=50") == value("Edm.Int64", "150"))
        #expect(data(shop, "Orders/Average") == value("Edm.Double", "150"))
        #expect(shop.get("Orders(99)/Share").status == 404)
    }

    @Test
    func `a function on a part of a collection sees that part`() throws {
        let shop = try Counter.shop()
        #expect(data(shop, "Orders/Above(least=200)/$count") == "2")
        #expect(data(shop, "Clients(3)/Orders/Shop.Above(least=200)?$select=OrderId").contains(##"[{"OrderId":30}]"##))
        #expect(
            data(shop, "Orders/$filter(Total lt 300)/Above(least=200)?$select=OrderId".replacing(" ", with: "%20"))
                .contains(##"[{"OrderId":20}]"##)
        )
        // What knows no keys is not for a part.
        #expect(shop.get("Clients(3)/Orders/Average").status == 501)
    }

    // MARK: What follows

    @Test
    func `query options and path segments follow a composable function`() throws {
        let shop = try Counter.shop()
        #expect(
            data(shop, "Top(count=3)?$filter=Total%20lt%20300&$select=Title&$orderby=Total&$count=true")
                == ##"{"@context":"/odata/shop/$metadata#Orders(OrderId,Title)","@count":2,"##
                + ##""value":[{"OrderId":10,"Title":"ten"},{"OrderId":20,"Title":"twenty"}]}"##
        )
        #expect(data(shop, "Top(count=3)/$count") == "3")
        #expect(data(shop, "Top(count=3)/$count?$filter=Total%20lt%20300") == "2")
        #expect(data(shop, "Top(count=2)(30)/Title") == value("Orders(30)/Title", "\"thirty\""))
        #expect(data(shop, "Top(count=2)/30/Title/$value") == "thirty")
        #expect(shop.get("Top(count=2)(10)").status == 404)
        #expect(data(shop, "Find(title='ten')/Client/Name") == value("Clients(1)/Name", "\"Ann\""))
        #expect(data(shop, "Find(title='ten')/Siblings/Above(least=300)/$count") == "1")
        #expect(
            data(shop, "Top(count=1)?$expand=Client($select=Name)&$select=OrderId")
                == ##"{"@context":"/odata/shop/$metadata#Orders(OrderId,Client(ClientId,Name))","##
                + ##""value":[{"OrderId":30,"Client":{"ClientId":3,"Name":"Cid"}}]}"##
        )
        #expect(data(shop, "Top(count=2)/$ref").contains(##"[{"@id":"Orders(20)"},{"@id":"Orders(30)"}]"##))
        #expect(shop.get("Find(title='none%20such')").status == 204)
        #expect(shop.get("Largest/Title").status == 404)
    }

    @Test
    func `what a function gives comes in pages`() throws {
        let shop = try Counter.shop(limits: ServiceLimits(pageRows: 2))
        var path = "Top?@count=3&$select=OrderId"
        var keys: [String] = []
        for _ in 0..<3 {
            let reply = shop.get(path)
            #expect(reply.status == 200, "\(reply.text)")
            keys += reply.text.split(separator: "\"OrderId\":").dropFirst().map { String($0.prefix(2)) }
            guard let next = reply.link("nextLink") else { break }
            path = next
        }
        // In the order of the function: that of the totals.
        #expect(keys == ["30", "20", "10"])
    }

    // MARK: Results

    @Test
    func `an entity, complex values and collections have their contexts`() throws {
        let shop = try Counter.shop()
        let largest = shop.get("Largest")
        #expect(largest.text.hasPrefix(##"{"@context":"/odata/shop/$metadata#Orders/$entity","@etag":"##))
        #expect(largest.fields[.eTag] == shop.etag("Orders(30)"))
        #expect(
            data(shop, "Summary")
                == ##"{"@context":"/odata/shop/$metadata#Shop.Result","Count":4,"Sum":600,"Mood":"Calm"}"##
        )
        #expect(
            data(shop, "Summaries")
                == ##"{"@context":"/odata/shop/$metadata#Collection(Shop.Result)","value":["##
                + ##"{"Count":1,"Sum":100,"Mood":null},{"Count":1,"Sum":200,"Mood":null},"##
                + ##"{"Count":1,"Sum":300,"Mood":null}]}"##
        )
        #expect(
            data(shop, "Summaries?$top=1&$skip=1&$count=true")
                == ##"{"@context":"/odata/shop/$metadata#Collection(Shop.Result)","@count":3,"##
                + ##""value":[{"Count":1,"Sum":200,"Mood":null}]}"##
        )
        #expect(data(shop, "Summaries/$count") == "3")
        #expect(data(shop, "Summary/Mood/$value") == "Calm")
        let full = ["Accept": "application/json;metadata=full"]
        #expect(
            data(shop, "Summary", full)
                == ##"{"@context":"/odata/shop/$metadata#Shop.Result","@type":"#Shop.Result","Count@type":"Int32","##
                + ##""Count":4,"Sum@type":"Int64","Sum":600,"Mood@type":"#Shop.Mood","Mood":"Calm"}"##
        )
        let old = shop.get("Sum", ["OData-MaxVersion": "4.0"])
        #expect(old.text == ##"{"@odata.context":"/odata/shop/$metadata#Edm.Int64","value":600}"##)
        #expect(data(shop, "Sum", ["Accept": "application/json;metadata=none"]) == ##"{"value":600}"##)
    }

    @Test
    func `a function whose body is code of the program is refused in an expression as not supported`() throws {
        let shop = try Shop(
            open: true,
            adding: Counter.tables,
            finishing: { model in
                Counter.add(to: &model)
                for place in model.operations.indices where model.operations[place].names.wire == "Share" {
                    model.operations[place].body = .handler
                }
            }
        )
        let reply = shop.get("Orders?$filter=Shop.Share()%20gt%201")
        #expect(reply.status == 501)
        #expect(Shop.code(reply) == "NotSupported")
    }
}
