// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient

/// Addresses of services.
struct ServiceAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080/odata/shop", "http://127.0.0.1:8080/odata/shop/"),
        ("HTTPS://Example.ORG:443/odata/shop/", "https://example.org/odata/shop/"),
        ("http://[::1]:80/odata/shop/", "http://[::1]/odata/shop/"),
    ])
    func `an address has one form`(text: String, expected: String) throws {
        #expect(try ServiceAddress(text).text == expected)
    }

    @Test(arguments: [
        "", "shop", "ftp://example.org/", "http://", "http://user:pw@example.org/", "http://a b/",
        "http://127.0.0.1:99999/odata/shop/", "http://127.0.0.1:0/", "http://[::1]:65536/", "http://a:8x/",
        "http://a/odata/shop/?x=1", "http://a/odata/shop/#f",
    ])
    func `anything else is no address`(text: String) {
        #expect { try ServiceAddress(text) } throws: { ($0 as? ClientError)?.code == .invalidAddress }
    }

    @Test(arguments: [
        ("http://127.0.0.1/", true), ("http://127.9.9.9/", true), ("http://localhost:1/", true),
        ("http://[::1]/", true),
        ("http://127.0.0.1.example.org/", false), ("http://localhost.example/", false), ("http://128.0.0.1/", false),
        ("https://example.org/", true),
    ])
    func `secrets go to loopback or over TLS alone`(text: String, expected: Bool) throws {
        #expect(try ServiceAddress(text).isSecure == expected)
    }

    @Test func `links are absolute, from the host's root, or relative`() throws {
        let address = try ServiceAddress("http://localhost:8080/odata/shop/")
        #expect(try address.resolve("http://localhost:8080/odata/shop/Orders?$top=1") == "/odata/shop/Orders?$top=1")
        #expect(try address.resolve("/odata/shop/Orders") == "/odata/shop/Orders")
        #expect(try address.resolve("Orders?$skiptoken=x") == "/odata/shop/Orders?$skiptoken=x")
    }

    @Test func `a service behind a proxy that ends TLS may call itself http`() throws {
        let address = try ServiceAddress("https://example.org/odata/shop/")
        #expect(
            try address.resolve("http://example.org/odata/shop/Orders?$skiptoken=x")
                == "/odata/shop/Orders?$skiptoken=x"
        )
        #expect { try address.resolve("http://example.org:8080/odata/shop/") } throws: {
            ($0 as? ClientError)?.code == .redirected
        }
    }

    @Test(arguments: ["https://localhost:8080/odata/shop/", "http://localhost:81/x", "//evil.example/x"])
    func `a link to another origin is refused`(link: String) throws {
        let address = try ServiceAddress("http://localhost:8080/odata/shop/")
        #expect { try address.resolve(link) } throws: { ($0 as? ClientError)?.code == .redirected }
    }
}
