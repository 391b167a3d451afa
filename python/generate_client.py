"""Writes the types and the operations of the API from its OpenAPI document.

`python3 python/generate_client.py` reads `suite/openapi.json` and writes `dalil/_openapi.py` (a
`TypedDict` for each schema) and `dalil/_operations.py` (a method for each operation, for the
client that waits and for the one that does not). With `--check` it writes nothing and fails when
the files are not what it would write.
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
DOCUMENT = ROOT.parent / "suite" / "openapi.json"
TYPES_FILE = ROOT / "dalil" / "_openapi.py"
OPERATIONS_FILE = ROOT / "dalil" / "_operations.py"
GENERATED = "Made by python/generate_client.py from suite/openapi.json. Do not edit."
# Pages for people and the document itself: nothing that a program calls by name.
LEFT_OUT = {"reference_page", "reference_style", "openapi_document"}

Schema = dict[str, Any]


def main() -> int:
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    files = {TYPES_FILE: types(document), OPERATIONS_FILE: operations(document)}
    if sys.argv[1:] == ["--check"]:
        stale = [path.name for path, text in files.items() if path.read_text(encoding="utf-8") != text]
        if stale:
            print(f"not as suite/openapi.json says: {', '.join(stale)}", file=sys.stderr)
            print("hint: python3 python/generate_client.py", file=sys.stderr)
        return 1 if stale else 0
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return 0


# Types


def types(document: Schema) -> str:
    schemas: dict[str, Schema] = document["components"]["schemas"]
    parts = [
        f'"""The JSON of the API, as types.\n\n{GENERATED}\n"""\n',
        "from __future__ import annotations\n",
        "from typing import Literal, NotRequired, TypeAlias, TypedDict\n",
        "Json: TypeAlias = "
        "\"None | bool | int | float | str | list[Json] | dict[str, Json]\"\n",
    ]
    parts += [declared(name, schema) for name, schema in sorted(schemas.items())]
    return "\n".join(parts)


def declared(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        return f"{name}: TypeAlias = {json.dumps(written(schema), ensure_ascii=False)}\n"
    required = set(schema.get("required", []))
    kinds = {
        key: written(value) if key in required else f"NotRequired[{written(value)}]"
        for key, value in schema["properties"].items()
    }
    if any(not key.isidentifier() or keyword.iskeyword(key) for key in kinds):
        fields = "".join(f"        {json.dumps(key)}: {json.dumps(kind)},\n" for key, kind in kinds.items())
        return f'{name} = TypedDict(\n    "{name}",\n    {{\n{fields}    }},\n)\n'
    lines = [f"    {key}: {kind}" for key, kind in kinds.items()]
    note = schema.get("description")
    head = [docstring(note, 4)] if note else []
    return "\n".join([f"\nclass {name}(TypedDict):", *head, *lines, ""])


def written(schema: Schema) -> str:
    """A schema as a type of Python."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return union([written(one) for one in schema[several]])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return union([written({**schema, "type": kind}) for kind in kinds])
    if kinds == "array":
        return f"list[{written(schema.get('items', {}))}]"
    if kinds == "object":
        values = schema.get("additionalProperties")
        return f"dict[str, {written(values) if isinstance(values, dict) else 'Json'}]"
    plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
    return plain.get(str(kinds), "Json")


def union(kinds: list[str]) -> str:
    return " | ".join(dict.fromkeys(kinds))


# Operations


def operations(document: Schema) -> str:
    found: list[tuple[str, str, Schema]] = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if operation["operationId"] not in LEFT_OUT:
                found.append((method.upper(), path, operation))
    names = sorted({name for one in found for name in named(one[2])})
    imports = "".join(f"    {name},\n" for name in names)
    parts = [
        f'"""The operations of the API, as methods.\n\n{GENERATED}\n"""\n',
        "from __future__ import annotations\n",
        "from abc import ABC, abstractmethod",
        "from typing import TYPE_CHECKING, cast\n",
        "from dalil._request import ApiRequest, ReplyKind\n",
        "if TYPE_CHECKING:",
        "    from typing import Literal\n",
        f"    from dalil._openapi import (\n{textwrap.indent(imports, '    ')}    )\n",
    ]
    for waiting in (True, False):
        parts.append(operations_class(found, waiting=waiting))
    return "\n".join(parts)


def operations_class(found: list[tuple[str, str, Schema]], *, waiting: bool) -> str:
    name = "Operations" if waiting else "AsyncOperations"
    word = "" if waiting else "async "
    lines = [
        f"\nclass {name}(ABC):",
        f'    """Every operation{"" if waiting else ", to be awaited"}."""\n',
        "    @abstractmethod",
        f"    {word}def send(self, request: ApiRequest) -> object:",
        '        """Sends a request and returns what the reply holds."""\n',
    ]
    lines += [method(one, waiting=waiting) for one in found]
    return "\n".join(lines)


def method(found: tuple[str, str, Schema], *, waiting: bool) -> str:
    verb, path, operation = found
    parameters: list[Schema] = operation.get("parameters", [])
    inside = [one["name"] for one in parameters if one["in"] == "path"]
    asked = [one for one in parameters if one["in"] == "query"]
    headers = [one for one in parameters if one["in"] == "header"]
    body_kind, body_type = body(operation)
    reply_kind, reply_type = reply(operation)
    arguments = ["self", *(f"{one}: str" for one in inside)]
    if body_kind is not None:
        arguments.append(f"body: {body_type}")
    named_only = [
        f"{identifier(one['name'])}: {written(one.get('schema', {}))}"
        + ("" if one.get("required") else " | None = None")
        for one in asked + headers
    ]
    arguments += ["*", *named_only] if named_only else []
    fields = [f"method={verb!r}", f"path={path!r}"]
    if inside:
        fields.append("inside={" + ", ".join(f"{one!r}: {one}" for one in inside) + "}")
    if asked:
        fields.append("query={" + ", ".join(f"{one['name']!r}: {identifier(one['name'])}" for one in asked) + "}")
    if headers:
        fields.append("headers={" + ", ".join(f"{one['name']!r}: {identifier(one['name'])}" for one in headers) + "}")
    if body_kind == "json":
        fields.append("json=body")
    elif body_kind == "bytes":
        fields.append("content=body")
        # Of those that are taken whatever they are called, the usual name is sent.
        kinds = list(operation["requestBody"]["content"])
        if kinds == ["application/x-ndjson"]:
            fields.append(f"media_type={kinds[0]!r}")
    fields.append(f"reply=ReplyKind.{reply_kind}")
    word, wait = ("", "") if waiting else ("async ", "await ")
    signature = "".join(f"        {one},\n" for one in arguments)
    request = "".join(f"            {one},\n" for one in fields)
    return (
        f"    {word}def {operation['operationId']}(\n{signature}    ) -> {reply_type}:\n"
        f"{docstring(operation['summary'], 8)}\n"
        f"        request = ApiRequest(\n{request}        )\n"
        f"        return cast({json.dumps(reply_type)}, {wait}self.send(request))\n"
    )


def body(operation: Schema) -> tuple[str | None, str]:
    content: Schema = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        return "json", written(content["application/json"]["schema"])
    return ("bytes", "bytes") if content else (None, "")


def reply(operation: Schema) -> tuple[str, str]:
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            content: Schema = response.get("content", {})
            if "application/json" in content:
                return "JSON", written(content["application/json"]["schema"])
            if any(kind.startswith("text/") for kind in content):
                return "TEXT", "str"
            return "BYTES", "bytes"
    raise SystemExit(f"expected a reply of `{operation['operationId']}`, found none")


def named(operation: Schema) -> set[str]:
    """The declared types that the method of an operation names."""
    texts = [body(operation)[1], reply(operation)[1]]
    texts += [written(one.get("schema", {})) for one in operation.get("parameters", [])]
    words = set(re.findall(r"\b[A-Z][A-Za-z0-9]*\b", re.sub(r"\"[^\"]*\"", "", " ".join(texts))))
    return words - {"Literal", "None"}


def identifier(name: str) -> str:
    plain = re.sub(r"\W", "_", name).lower()
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def docstring(text: str, indent: int) -> str:
    text = " ".join(text.replace("\\", "\\\\").replace('"""', "'''").split())
    first, _, rest = text.partition(". ")
    text = f"{first}." if rest and not first.endswith(".") else first
    lines = textwrap.wrap(f'"""{text}', 100 - indent) or ['"""']
    return textwrap.indent("\n".join(lines) + '"""', " " * indent)


if __name__ == "__main__":
    sys.exit(main())
