# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""pyodata, a client of OData v2, over the shop's door for v2."""

import pyodata
import pytest
import requests


@pytest.fixture(scope="module")
def client(service):
    return pyodata.Client(service + "v2/", requests.Session())


def test_metadata_is_read(client):
    names = {entity_set.name for entity_set in client.schema.entity_sets}
    assert {"Customers", "Orders", "Products"} <= names


def test_a_filter_and_an_order(client):
    products = client.entity_sets.Products.get_entities()
    products = products.filter("startswith(ProductName, 'Ch') eq true and UnitPrice gt 3").order_by("UnitPrice desc")
    assert [product.ProductName for product in products.execute()] == ["Chang", "Chai"]


def test_one_entity_by_its_key_and_a_count(client):
    assert client.entity_sets.Products.get_entity(3).execute().ProductName == "Syrup"
    assert client.entity_sets.Products.get_entities().count().execute() == 5


def test_pages_and_the_inline_count(client):
    answer = client.entity_sets.Products.get_entities().order_by("Id").skip(1).top(2).count(inline=True).execute()
    assert [product.Id for product in answer] == [2, 3]
    assert answer.total_count == 5


def test_an_entity_is_made_changed_and_deleted(client):
    customer = client.entity_sets.Customers.create_entity().set(Name="Barbara", City="Boston").execute()
    assert customer.Id is not None
    client.entity_sets.Customers.update_entity(customer.Id, method="MERGE").set(City="Cambridge").execute()
    again = client.entity_sets.Customers.get_entity(customer.Id).execute()
    assert (again.Name, again.City) == ("Barbara", "Cambridge")
    client.entity_sets.Customers.delete_entity(customer.Id).execute()
    with pytest.raises(pyodata.exceptions.HttpError):
        client.entity_sets.Customers.get_entity(customer.Id).execute()


def test_a_batch_with_a_change_set(client):
    batch = client.create_batch()
    changes = client.create_changeset()
    changes.add_request(client.entity_sets.Customers.create_entity().set(Name="Frances"))
    batch.add_request(changes)
    batch.add_request(client.entity_sets.Products.get_entity(1))
    made, read = batch.execute()
    assert made[0].Name == "Frances"
    assert read.ProductName == "Chai"
    client.entity_sets.Customers.delete_entity(made[0].Id).execute()
