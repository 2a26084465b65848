"""Checks a JSON file against a JSON Schema, for the keywords that the schemas of this project use: check_schema.py
SCHEMA FILE."""

import json
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
KNOWN = {
    "$schema",
    "$ref",
    "title",
    "description",
    "definitions",
    "type",
    "enum",
    "items",
    "properties",
    "required",
    "additionalProperties",
}


def has_type(value, name):
    if name == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[name])


def check(value, schema, root, place):
    unknown = set(schema) - KNOWN
    assert not unknown, f"keywords that this checker does not know: {unknown}"
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        check(value, target, root, place)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(has_type(value, name) for name in names), f"{place}: {value!r} is none of {names}"
    if "enum" in schema:
        assert value in schema["enum"], f"{place}: {value!r} is none of {schema['enum']}"
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            check(item, schema["items"], root, f"{place}/{i}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        missing = [key for key in schema.get("required", []) if key not in value]
        assert not missing, f"{place}: lacks {missing}"
        if schema.get("additionalProperties") is False:
            assert set(value) <= set(properties), f"{place}: has more keys: {set(value) - set(properties)}"
        for key, item in value.items():
            if key in properties:
                check(item, properties[key], root, f"{place}/{key}")


def main():
    schema, value = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    check(value, schema, schema, "")


main()
