# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""python-odata, a client of OData v4, over the shop."""

import pytest
from odata import ODataService


@pytest.fixture(scope="module")
def client(service):
    return ODataService(service, reflect_entities=True, quiet_progress=True)


def test_metadata_becomes_classes(client):
    assert {"Customers", "Orders", "Products"} <= set(client.entities)


def test_all_entities_are_read(client):
    customers = client.query(client.entities["Customers"]).all()
    assert sorted(customer.Name for customer in customers)[:3] == ["Ada", "Alan", "Grace"]


def test_a_filter_an_order_and_a_page(client):
    Product = client.entities["Products"]
    query = client.query(Product).filter(Product.UnitPrice > 10).order_by(Product.UnitPrice.desc()).limit(2)
    assert [product.ProductName for product in query.all()] == ["Tofu", "Chang"]


def test_functions_of_text(client):
    Product = client.entities["Products"]
    query = client.query(Product).filter(Product.ProductName.startswith("Ch")).order_by(Product.ProductName.asc())
    assert [product.ProductName for product in query.all()] == ["Chai", "Chang", "Chef's mix"]


def test_an_entity_is_made_changed_and_deleted(client):
    Customer = client.entities["Customers"]
    customer = Customer()
    customer.Name = "Edsger"
    customer.City = "Rotterdam"
    client.save(customer)
    assert customer.Id is not None
    customer.City = "Nuenen"
    client.save(customer)
    again = client.query(Customer).get(customer.Id)
    assert (again.Name, again.City, again.Phone) == ("Edsger", "Nuenen", None)
    client.delete(again)
    assert client.query(Customer).filter(Customer.Name == "Edsger").all() == []
