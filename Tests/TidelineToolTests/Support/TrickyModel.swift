// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A model with what generators stumble over: words of Swift, clashes, limits, texts that end comments and literals.
enum TrickyModel {
    static let csdl = #"""
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Tricky.Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="State"><Member Name="default" Value="0"/><Member Name="init" Value="1"/>
            <Member Name="In_Transit" Value="5"/><Member Name="self" Value="7"/>
            <Annotation Term="Org.OData.Core.V1.Description" String="Where it is.&#10;/* second line */"/></EnumType>
          <EnumType Name="Rights" IsFlags="true"><Member Name="Read" Value="1"/><Member Name="Write" Value="2"/></EnumType>
          <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/></ComplexType>
          <EntityType Name="Type"><Key><PropertyRef Name="class"/></Key>
            <Property Name="class" Type="Edm.Int32" Nullable="false">
              <Annotation Term="Org.OData.Core.V1.ComputedDefaultValue"/></Property>
            <Property Name="default" Type="Edm.String" MaxLength="10" DefaultValue="a&quot;b\c&#10;d"/>
            <Property Name="Self" Type="Edm.Boolean" Nullable="false" DefaultValue="true"/>
            <Property Name="init" Type="Edm.Double"/>
            <Property Name="order_id" Type="Edm.Int64"/>
            <Property Name="OrderId" Type="Edm.Int64"/>
            <Property Name="EntityKey" Type="Edm.Guid"/>
            <Property Name="Price" Type="Edm.Decimal" Precision="12" Scale="2" Nullable="false" DefaultValue="19.99">
              <Annotation Term="Org.OData.Validation.V1.Minimum" Decimal="0.5"/>
              <Annotation Term="Org.OData.Validation.V1.Maximum" Decimal="1000"/>
              <Annotation Term="Org.OData.Core.V1.Description" String="With tax: */ &quot;€&quot; 🎣&#10;&#10;  and more"/></Property>
            <Property Name="Stock" Type="Edm.Int16" Nullable="false" DefaultValue="-1">
              <Annotation Term="Org.OData.Validation.V1.Minimum" Int="-1"/></Property>
            <Property Name="Code" Type="Edm.String" Nullable="false">
              <Annotation Term="Org.OData.Validation.V1.Pattern" String="^[A-Z]&quot;\d+$"/></Property>
            <Property Name="State" Type="Tricky.Shop.State" Nullable="false" DefaultValue="In_Transit"/>
            <Property Name="Rights" Type="Tricky.Shop.Rights"/>
            <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
            <Property Name="Place" Type="Tricky.Shop.Place"/>
            <Property Name="Photo" Type="Edm.Stream"/>
            <Property Name="Spot" Type="Edm.GeographyPoint"/>
            <Property Name="Made" Type="Edm.DateTimeOffset" Precision="3" Nullable="false">
              <Annotation Term="Org.OData.Core.V1.ComputedDefaultValue"/></Property>
            <Property Name="Took" Type="Edm.Duration"/>
            <Property Name="Größe" Type="Edm.Single"/>
            <Property Name="Version" Type="Edm.Int32" Nullable="false"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
            <Property Name="KeyId" Type="Edm.String"/>
            <Property Name="Owner" Type="Edm.Int32"/>
            <Property Name="ParentId" Type="Edm.Int32"/>
            <NavigationProperty Name="Key" Type="Tricky.Shop.Key" Partner="Types">
              <ReferentialConstraint Property="KeyId" ReferencedProperty="Id"/><OnDelete Action="SetNull"/></NavigationProperty>
            <NavigationProperty Name="Parent" Type="Tricky.Shop.Type" Partner="Parts">
              <ReferentialConstraint Property="ParentId" ReferencedProperty="class"/><OnDelete Action="Cascade"/></NavigationProperty>
            <NavigationProperty Name="Parts" Type="Collection(Tricky.Shop.Type)" Partner="Parent"/>
            <NavigationProperty Name="owner" Type="Tricky.Shop.Type">
              <ReferentialConstraint Property="Owner" ReferencedProperty="class"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Key"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.String" Nullable="false" MaxLength="5"/>
            <Property Name="Value" Type="Edm.Binary" MaxLength="16"/>
            <NavigationProperty Name="Types" Type="Collection(Tricky.Shop.Type)" Partner="Key"/>
            <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection><Record><PropertyValue Property="Key"><Collection>
              <Record><PropertyValue Property="Name" PropertyPath="Value"/><PropertyValue Property="Alias" String="Value"/></Record>
            </Collection></PropertyValue></Record></Collection></Annotation>
          </EntityType>
          <EntityType Name="Line"><Key><PropertyRef Name="Order"/><PropertyRef Name="Day"/></Key>
            <Property Name="Order" Type="Edm.Int32" Nullable="false"/><Property Name="Day" Type="Edm.Date" Nullable="false"/>
            <Property Name="At" Type="Edm.TimeOfDay"/><Property Name="Small" Type="Edm.SByte"/><Property Name="Tiny" Type="Edm.Byte"/>
          </EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="Types" EntityType="Tricky.Shop.Type"><NavigationPropertyBinding Path="Key" Target="Keys"/>
              <NavigationPropertyBinding Path="Parent" Target="Types"/><NavigationPropertyBinding Path="Parts" Target="Types"/>
              <NavigationPropertyBinding Path="owner" Target="Types"/></EntitySet>
            <EntitySet Name="Keys" EntityType="Tricky.Shop.Key"><NavigationPropertyBinding Path="Types" Target="Types"/></EntitySet>
            <EntitySet Name="OldKeys" EntityType="Tricky.Shop.Key"/>
            <EntitySet Name="Lines" EntityType="Tricky.Shop.Line"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#
}
