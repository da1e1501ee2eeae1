# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Hooks of schemathesis: what chance makes is mostly the key of nothing and no expression, and gets no further than 400.

Most keys become those of entities that there may be, and three filters of four expressions: hard ones, also wrong ones.
What is chosen hangs on what schemathesis has made alone, so a seed gives the same requests again.
"""

import zlib

import schemathesis

FILTERS = {
    "Customers": [
        "contains(tolower(Name),'a') and not (City eq null)",
        "Orders/any(o:startswith(o/Note,'f')) or Orders/$count gt 1",
        "matchesPattern(Name,'^(a+)+$')",
        "length(concat(Name,City)) ge 3 or indexof(Phone,'1') eq -1",
        "substring(Name,-1) eq 'a' or substring(Name,99999999999) eq ''",
        "Name eq '\u0000' or Phone in ('111','\u0001','😀')",
        "Id eq 9223372036854775808 or Id eq -9223372036854775808",
        "cast(Name,Edm.Int32) eq 1",
    ],
    "Products": [
        "UnitPrice mul 1e300 gt 1 or UnitPrice div 0 eq 1",
        "UnitPrice add 79228162514264337593543950335 gt 0",
        "round(UnitPrice) eq 18 and floor(UnitPrice) le ceiling(UnitPrice)",
        "Stock mod 0 eq 1 or Stock divby 0 eq 1",
        "IsSold eq null or not IsSold",
        "case(Stock gt 20:'much',true:'little') eq 'much'",
    ],
    "Orders": [
        "Customer/Name eq 'Ada' and Customer/Orders/all(o:o/Id gt 0)",
        "Note has 'x' or isof(Note,Edm.String)",
        "Customer/Orders/any(o:o/Customer/Orders/any(p:p/Id eq o/Id and contains(p/Note,'i')))",
    ],
    "Kinds": [
        "Big add 9223372036854775807 gt 0 or Big mul Big eq Big",
        "Whole mul 2147483647 gt 0 and Small sub 32768 lt 0",
        "Amount div Small gt 1 or Amount mod 0.3 eq 0",
        "Weight div Ratio eq INF or Weight mul 1e308 mul 10 eq NaN",
        "year(Moment) eq 2024 and fractionalseconds(Moment) lt 0.5 and totaloffsetminutes(Moment) eq 0",
        "Moment add duration'P3650000D' gt now() or Moment sub Moment lt duration'PT1S'",
        "Day eq 2024-02-30 or date(Moment) ge 0001-01-01 or Day lt 9999-12-31",
        "time(Moment) gt 12:00:00 or hour(Clock) eq 24",
        "Code eq 00000000-0000-0000-0000-000000000000 or Bytes eq binary'_w=='",
        "Text gt Word or trim(Text) eq tolower(toupper(Word))",
        "cast(Weight,Edm.Byte) eq 1 or cast(Text,Edm.DateTimeOffset) ne null",
        "maxdatetime() gt Moment and mindatetime() lt Moment",
    ],
}
ORDERS = ["Id desc", "Id add 1", "length('x')", "Id div 0", "Id,Id", "null"]


def pick(made, choices):
    """One of the choices by what was made, or None in one case of four."""
    number = zlib.crc32(repr(made).encode())
    return None if number % 4 == 0 else choices[number // 4 % len(choices)]


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    made = (path_parameters or {}).get("Id")
    key = pick(made, range(1, 25))
    return path_parameters if made is None or key is None else {**path_parameters, "Id": key}


@schemathesis.hook
def map_query(context, query):
    if not query:
        return query
    # The set that the path ends with; a key or a count may follow.
    name = context.operation.path.strip("/").split("/")[0].split("(")[0]
    changed = dict(query)
    for option, choices in (("$filter", FILTERS.get(name)), ("$orderby", ORDERS)):
        chosen = pick(changed.get(option), choices) if option in changed and choices else None
        if chosen is not None:
            changed[option] = chosen
    return changed


@schemathesis.hook
def before_call(context, case, kwargs):
    """The client writes blanks as +, which OData takes for a plus."""

    def with_blanks(request):
        request.url = request.url.replace("+", "%20")
        return request

    kwargs["auth"] = with_blanks
