// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The documents of the service of 2010 as the specification prints them, with a host of their own.
enum BookmarksVectors {
    static let host = "services.multimobileddevelopment.com"

    static let service = """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <service xml:base="http://services.multimobileddevelopment.com/services/bookmarks.svc/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:app="http://www.w3.org/2007/app" xmlns="http://www.w3.org/2007/app">
          <workspace><atom:title>Default</atom:title>
            <collection href="Bookmark"><atom:title>Bookmark</atom:title></collection>
          </workspace>
        </service>
        """

    static let feed = """
        <?xml version="1.0" encoding="iso-8859-1" standalone="yes"?>
        <feed xml:base="http://services.multimobileddevelopment.com/services/Bookmarks.svc/" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://www.w3.org/2005/Atom">
          <title type="text">Bookmark</title><id>http://services.multimobileddevelopment.com/services/bookmarks.svc/Bookmark</id>
          <updated>2010-04-18T10:54:32Z</updated><link rel="self" title="Bookmark" href="Bookmark" />
          <entry>
            <id>http://services.multimobileddevelopment.com/services/Bookmarks.svc/Bookmark(1002)</id>
            <title type="text"></title><updated>2010-04-18T10:54:32Z</updated>
            <author><name /></author><link rel="edit" title="Bookmark" href="Bookmark(1002)" />
            <category term="AmxMobile.Services.Bookmark" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />
            <content type="application/xml"><m:properties>
                <d:BookmarkId m:type="Edm.Int32">1002</d:BookmarkId><d:UserId m:type="Edm.Int32">1001</d:UserId>
                <d:Name>.NET 247</d:Name><d:Url>http://www.dotnet247.com/</d:Url>
                <d:Ordinal m:type="Edm.Int32">1</d:Ordinal>
              </m:properties></content>
          </entry>
        </feed>
        """

    static let entry = """
        <entry xml:base="http://services.multimobileddevelopment.com/services/Bookmarks.svc/" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://www.w3.org/2005/Atom">
          <id>http://services.multimobileddevelopment.com/services/Bookmarks.svc/Bookmark(1003)</id>
          <title type="text"></title><updated>2010-04-18T10:54:32Z</updated>
          <author><name /></author><link rel="edit" title="Bookmark" href="Bookmark(1003)" />
          <category term="AmxMobile.Services.Bookmark" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />
          <content type="application/xml"><m:properties>
              <d:BookmarkId m:type="Edm.Int32">1003</d:BookmarkId><d:UserId m:type="Edm.Int32">1001</d:UserId>
              <d:Name>Topaz Filer</d:Name><d:Url>http://www.topazfiler.com/</d:Url>
              <d:Ordinal m:type="Edm.Int32">2</d:Ordinal>
            </m:properties></content>
        </entry>
        """

    static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
          <edmx:DataServices xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="1.0">
            <Schema Namespace="AmxMobile.Services" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://schemas.microsoft.com/ado/2007/05/edm">
              <EntityType Name="Bookmark">
                <Key><PropertyRef Name="BookmarkId" /></Key>
                <Property Name="BookmarkId" Type="Edm.Int32" Nullable="false" /><Property Name="UserId" Type="Edm.Int32" Nullable="false" />
                <Property Name="Name" Type="Edm.String" Nullable="true" /><Property Name="Url" Type="Edm.String" Nullable="true" />
                <Property Name="Ordinal" Type="Edm.Int32" Nullable="false" />
              </EntityType>
              <EntityContainer Name="BookmarkCollection" m:IsDefaultEntityContainer="true">
                <EntitySet Name="Bookmark" EntityType="AmxMobile.Services.Bookmark" />
              </EntityContainer>
            </Schema>
          </edmx:DataServices></edmx:Edmx>
        """

    static let unknownSegment = """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
          <code></code>
          <message xml:lang="en-GB">Resource not found for the segment 'SBBookmark'.</message>
        </error>
        """

    /// The body of the insert: 384 bytes, line feeds, none at the end.
    static let insert = """
        <entry xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
          xmlns="http://www.w3.org/2005/Atom">
          <content type="application/xml">
            <m:properties>
              <d:Name>Apress</d:Name>
              <d:Url>http://www.apress.com</d:Url>
              <d:Ordinal>0</d:Ordinal>
            </m:properties>
          </content>
        </entry>
        """

    /// The body of the update: a declaration of its namespace on each element, as libxml2 writes them.
    static let update = """
        <?xml version="1.0" encoding="UTF-8"?>
        <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><m:properties xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><d:Ordinal xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices">0</d:Ordinal><d:Name xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices">Apress</d:Name><d:Url xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices">http://www.apress.com/</d:Url></m:properties></content></entry>
        """

    /// An entry as both clients write it, with these properties, in their order.
    static func entry(_ properties: [(String, String)]) -> String {
        let elements = properties.map { "<d:\($0.0)>\($0.1)</d:\($0.0)>" }.joined()
        return insert.replacing(#/<d:Name>(.|\n)*</d:Ordinal>/#, with: elements)
    }
}
