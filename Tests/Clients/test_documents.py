# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What the service says of itself, by the schemas of the standards: CSDL XML and JSON, OpenAPI 3.1."""

import json
import os
import pathlib

import jsonschema
import openapi_spec_validator
import pytest
import regex
import requests
from lxml import etree

SHARED = pathlib.Path(os.environ.get("TIDELINE_SHARED", pathlib.Path(__file__).resolve().parents[3] / "shared"))
SCHEMAS = SHARED / "data" / "csdl-schemas" / "schemas"

needs_schemas = pytest.mark.skipif(not SCHEMAS.is_dir(), reason="the published schemas are not at hand (TIDELINE_SHARED)")


def documents(ending):
    """The documents that the tests of TidelineOData have written, where TIDELINE_DOCUMENTS names a folder."""
    folder = os.environ.get("TIDELINE_DOCUMENTS")
    return sorted(pathlib.Path(folder).glob(f"*.{ending}")) if folder else []


def matches(validator, pattern, instance, schema):
    """Patterns with classes of Unicode, which the module re does not know."""
    if validator.is_type(instance, "string") and not regex.search(pattern, instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


def named(validator, patterns, instance, schema):
    """`patternProperties` by the same patterns."""
    for pattern, inner in patterns.items():
        for name, value in instance.items() if isinstance(instance, dict) else ():
            if regex.search(pattern, name):
                yield from validator.descend(value, inner, path=name, schema_path=pattern)


def others(validator, allowed, instance, schema):
    """`additionalProperties` by the same patterns."""
    if allowed is False and isinstance(instance, dict):
        for name in instance:
            if name not in schema.get("properties", {}) and not any(
                regex.search(pattern, name) for pattern in schema.get("patternProperties", {})
            ):
                yield jsonschema.ValidationError(f"{name!r} may not stand here")


CSDL = jsonschema.validators.extend(
    jsonschema.Draft7Validator, {"pattern": matches, "patternProperties": named, "additionalProperties": others}
)


def check_xml(text):
    schema = etree.XMLSchema(etree.parse(SCHEMAS / "edmx.xsd"))
    schema.assertValid(etree.fromstring(text))


def check_json(text):
    CSDL(json.loads((SCHEMAS / "csdl.schema.json").read_text())).validate(json.loads(text))


def check_openapi(text):
    document = json.loads(text)
    openapi_spec_validator.validate(document)
    for name, schema in document["components"]["schemas"].items():
        if "example" in schema:
            jsonschema.Draft202012Validator(schema | {"components": document["components"]}).validate(schema["example"])
    return document


@needs_schemas
def test_metadata_in_xml_is_valid(service):
    answer = requests.get(service + "$metadata", headers={"Accept": "application/xml"}, timeout=20)
    assert answer.status_code == 200
    check_xml(answer.content)


@needs_schemas
def test_metadata_in_json_is_valid(service):
    answer = requests.get(service + "$metadata", headers={"Accept": "application/json"}, timeout=20)
    assert answer.status_code == 200
    check_json(answer.text)


def test_a_document_that_is_wrong_is_noticed():
    if SCHEMAS.is_dir():
        with pytest.raises(etree.DocumentInvalid):
            check_xml(b'<Edmx xmlns="http://docs.oasis-open.org/odata/ns/edmx"/>')
        with pytest.raises(jsonschema.ValidationError):
            check_json('{"$Version":"4.01","1st":{}}')
    with pytest.raises(Exception):
        check_openapi('{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"x":{}}}')


@needs_schemas
@pytest.mark.parametrize("path", documents("xml"), ids=lambda path: path.name)
def test_a_written_xml_document_is_valid(path):
    check_xml(path.read_bytes())


@needs_schemas
@pytest.mark.parametrize("path", [path for path in documents("json") if "openapi" not in path.name], ids=lambda path: path.name)
def test_a_written_json_document_is_valid(path):
    check_json(path.read_text())


@pytest.mark.parametrize("path", documents("openapi.json"), ids=lambda path: path.name)
def test_a_written_openapi_document_is_valid(path):
    assert check_openapi(path.read_text())["paths"]
