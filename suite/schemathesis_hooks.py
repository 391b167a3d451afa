"""How Schemathesis sends what it does not know: lines of JSON, which the schema has as a text."""
import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    return value if isinstance(value, bytes) else str(value).encode()
