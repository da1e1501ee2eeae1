# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""dlt loads a set page by page through its next links."""

import dlt
from dlt.sources.rest_api import rest_api_source


def test_a_set_is_loaded_through_its_next_links(service):
    pages = []
    source = rest_api_source(
        {
            "client": {
                "base_url": service,
                "headers": {"Prefer": "odata.maxpagesize=2"},
                "paginator": {"type": "json_link", "next_url_path": "'@odata.nextLink'"},
            },
            "resources": [{"name": "Products", "endpoint": {"path": "Products", "data_selector": "value"}}],
        }
    )
    for row in source.resources["Products"]:
        pages.append(row)
    names = [row["ProductName"] for row in pages]
    assert names == ["Chai", "Chang", "Syrup", "Chef's mix", "Tofu"]
