"""Checks the vectors of time stamps.

Written from `spec/timestamp.md` alone. Tokens are read here, element by element;
certificates are read, and signatures checked, by `cryptography`.
"""

import base64
import datetime
import hashlib
import json
import pathlib
import re

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, ExtensionOID

MAX_TOKEN = 1 << 15
BOOLEAN, INTEGER, OCTETS, OID, GENERALIZED, SEQUENCE, SET = 0x01, 0x02, 0x04, 0x06, 0x18, 0x30, 0x31
SHA2 = {
    "2.16.840.1.101.3.4.2.1": hashes.SHA256(),
    "2.16.840.1.101.3.4.2.2": hashes.SHA384(),
    "2.16.840.1.101.3.4.2.3": hashes.SHA512(),
}
SIGNING = {
    "1.2.840.113549.1.1.11": ("rsa", hashes.SHA256()),
    "1.2.840.113549.1.1.12": ("rsa", hashes.SHA384()),
    "1.2.840.113549.1.1.13": ("rsa", hashes.SHA512()),
    "1.2.840.10045.4.3.2": ("ec", hashes.SHA256()),
    "1.2.840.10045.4.3.3": ("ec", hashes.SHA384()),
    "1.2.840.10045.4.3.4": ("ec", hashes.SHA512()),
}
# The signed attributes that count, and the tag of their one value.
ATTRIBUTES = {
    "1.2.840.113549.1.9.3": OID,
    "1.2.840.113549.1.9.4": OCTETS,
    "1.2.840.113549.1.9.16.2.12": SEQUENCE,
    "1.2.840.113549.1.9.16.2.47": SEQUENCE,
}


class Wrong(Exception):
    """A token that breaks a rule."""


class Undecided(Exception):
    """A token that cannot be judged with what is trusted and known."""


def check(folder: pathlib.Path) -> list[str]:
    import checkpoint

    problems = check_mesh()
    for path in sorted(folder.glob("*.json")):
        problem = checkpoint.check_command(json.loads(path.read_text(encoding="utf-8")), folder)
        problems += [f"{path.name}: {problem}"] if problem else []
    return problems


def check_mesh() -> list[str]:
    """As many certificates as a token may have, which all sign each other: it ends, and finds no path."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    start, day = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc), datetime.timedelta(days=1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), not_valid_before=start, not_valid_after=start + day)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    mesh = [builder.serial_number(number).sign(key, hashes.SHA256()) for number in range(1, 11)]
    try:
        find_path(mesh[0], mesh, [], int(start.timestamp()) * 1000)
    except Undecided:
        return []
    return ["a mesh of certificates leads to a trusted one"]


class Authority:
    def __init__(self, value: dict):
        self.name = value["name"]
        self.certificates = [
            x509.load_der_x509_certificate(base64.b64decode(one, validate=True)) for one in value["certificates"]
        ]
        named = self.name.encode() + b"\n\xffRFC 3161 TimeStampToken"
        self.id = hashlib.sha256(named).digest()[:4]


def findings(note, claimed: int | None, authorities: list[Authority], now: int):
    """The findings of the part, and the times of the stamps that count."""
    found, times = [], []
    for authority in authorities:
        own = []
        for name, key, data in note.signatures:
            if (name, key) != (authority.name, authority.id):
                continue
            try:
                own.append(verify(note.text, data, authority))
            except Wrong:
                found.append(("timestamps", "fail"))
            except Undecided:
                pass
        own = [at for at in own if at <= now]
        times += [min(own)] if own else []
    found += [("timestamps", "fail") for at in times if claimed is not None and claimed > at]
    if found:
        return found, []
    if times:
        return [("timestamps", "pass")], times
    return ([("timestamps", "incomplete")] if authorities else []), []


# DER.


def elements(data: bytes) -> list[tuple[int, bytes, bytes]]:
    """Every element of which bytes consist: tag, content, all bytes."""
    found = []
    while data:
        if len(data) < 2 or data[0] & 0x1F == 0x1F:
            raise Wrong("element")
        size, start = data[1], 2
        if size >= 0x80:
            count = size & 0x7F
            start = 2 + count
            size = int.from_bytes(data[2:start], "big")
            minimal = size >= 0x80 and (count == 1 or size >> 8 * (count - 1))
            if count == 0 or count > 4 or not minimal:
                raise Wrong("length")
        if len(data) < start + size:
            raise Wrong("cut")
        found.append((data[0], data[start : start + size], data[: start + size]))
        data = data[start + size :]
    return found


def only(data: bytes, tag: int) -> bytes:
    """The content of the one element that bytes are."""
    match elements(data):
        case [(found, value, _)] if found == tag:
            return value
    raise Wrong("another element")


class Fields:
    """The elements of a sequence, taken in order."""

    def __init__(self, data: bytes):
        self.left = elements(data)

    def take(self, tag: int) -> bytes:
        if not self.left or self.left[0][0] != tag:
            raise Wrong("field")
        return self.left.pop(0)[1]

    def optional(self, tag: int) -> bytes | None:
        return self.take(tag) if self.left and self.left[0][0] == tag else None

    def end(self):
        if self.left:
            raise Wrong("one field too many")


def oid(data: bytes) -> str:
    numbers, number = [], 0
    for byte in data:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    first = min(numbers[0] // 40, 2)
    return ".".join(map(str, [first, numbers[0] - 40 * first, *numbers[1:]]))


def algorithm(data: bytes) -> str:
    return oid(Fields(data).take(OID))


# Tokens.


def verify(text: str, token: bytes, authority: Authority) -> int:
    """The time of a stamp, in milliseconds."""
    if len(token) > MAX_TOKEN:
        raise Wrong("size")
    content, certificates, signer = read(token)
    imprint, generated, latest, foreign = read_info(content)
    if imprint != hashlib.sha256(text.encode()).digest():
        raise Wrong("imprint")
    digest_name, attributes, signing, signature = signer
    if digest_name not in SHA2:
        raise Undecided("digest")
    attested = read_attributes(attributes)
    if attested.get("1.2.840.113549.1.9.3") != oid_bytes("1.2.840.113549.1.9.16.1.4"):
        raise Wrong("content type")
    if attested.get("1.2.840.113549.1.9.4") != digest(SHA2[digest_name], content):
        raise Wrong("message digest")
    others = [one for one in map(certificate, certificates) if one is not None]
    signers = [one for one in others + authority.certificates if names(attested, one)]
    if not signers:
        raise Wrong("names no certificate")
    issued = signers[0]
    kind = SIGNING.get(signing) or (("rsa", SHA2[digest_name]) if signing == "1.2.840.113549.1.1.1" else None)
    if kind is None or not is_supported(issued.public_key()):
        raise Undecided("algorithm")
    if not signed(issued.public_key(), kind, element(SET, attributes), signature):
        raise Wrong("signature")
    if not is_for_stamping(issued):
        raise Wrong("purpose")
    find_path(issued, others, authority.certificates, generated)
    if foreign:
        raise Undecided("extension")
    return latest


def read(token: bytes):
    outer = Fields(only(token, SEQUENCE))
    if oid(outer.take(OID)) != "1.2.840.113549.1.7.2":
        raise Wrong("no signed data")
    data = Fields(only(outer.take(0xA0), SEQUENCE))
    outer.end()
    data.take(INTEGER)
    data.take(SET)
    wrapped = Fields(data.take(SEQUENCE))
    if oid(wrapped.take(OID)) != "1.2.840.113549.1.9.16.1.4":
        raise Wrong("no time stamp")
    content = only(wrapped.take(0xA0), OCTETS)
    wrapped.end()
    certificates = [whole for _, _, whole in elements(data.optional(0xA0) or b"")]
    if len(certificates) > 10:
        raise Wrong("certificates")
    data.optional(0xA1)
    signer = Fields(only(data.take(SET), SEQUENCE))
    data.end()
    signer.take(INTEGER)
    signer.left.pop(0)
    digest_name, attributes = algorithm(signer.take(SEQUENCE)), signer.take(0xA0)
    signing, signature = algorithm(signer.take(SEQUENCE)), signer.take(OCTETS)
    signer.optional(0xA1)
    signer.end()
    return content, certificates, (digest_name, attributes, signing, signature)


def read_info(content: bytes) -> tuple[bytes, int, int, bool]:
    """The imprint, when it was stamped, the latest that this means, and whether an extension is critical."""
    info = Fields(only(content, SEQUENCE))
    if info.take(INTEGER) != b"\x01":
        raise Wrong("version")
    info.take(OID)
    imprint = Fields(info.take(SEQUENCE))
    if algorithm(imprint.take(SEQUENCE)) != "2.16.840.1.101.3.4.2.1":
        raise Wrong("imprint")
    stamped = imprint.take(OCTETS)
    info.take(INTEGER)
    match = re.fullmatch(r"(\d{14})(?:\.(\d{0,8}[1-9]))?Z", info.take(GENERALIZED).decode())
    if not match:
        raise Wrong("time")
    seconds = datetime.datetime.strptime(match[1] + "+0000", "%Y%m%d%H%M%S%z").timestamp()
    generated = int(seconds) * 1000
    latest = generated + 999
    if match[2]:
        generated += int(match[2].ljust(3, "0")[:3])
        latest = generated + (len(match[2]) > 3)
    accuracy = info.optional(SEQUENCE)
    if accuracy is not None:
        parts = Fields(accuracy)
        number = [natural(parts.optional(tag)) for tag in (INTEGER, 0x80, 0x81)]
        parts.end()
        if number[0] >= 1 << 24 or max(number[1:]) > 999:
            raise Wrong("accuracy")
        latest += number[0] * 1000 + number[1] + bool(number[2])
    for tag in (BOOLEAN, INTEGER, 0xA0):
        info.optional(tag)
    foreign = [is_critical(one) for one in elements(info.optional(0xA1) or b"")]
    info.end()
    return stamped, generated, latest, any(foreign)


def natural(number: bytes | None) -> int:
    """A number that is not negative, in its one spelling; 0 where there is none."""
    if number is None:
        return 0
    value = int.from_bytes(number, "big", signed=True)
    if value < 0 or len(number) != value.bit_length() // 8 + 1:
        raise Wrong("number")
    return value


def is_critical(extension: tuple[int, bytes, bytes]) -> bool:
    tag, content, _ = extension
    fields = Fields(content)
    fields.take(OID)
    said = fields.optional(BOOLEAN) or b"\x00"
    fields.take(OCTETS)
    fields.end()
    if tag != SEQUENCE or said not in (b"\x00", b"\xff"):
        raise Wrong("extension")
    return said == b"\xff"


def read_attributes(attributes: bytes) -> dict[str, bytes]:
    found = {}
    for _, attribute, _ in elements(attributes):
        fields = Fields(attribute)
        name, values = oid(fields.take(OID)), fields.take(SET)
        if name in found:
            raise Wrong("attribute twice")
        if name in ATTRIBUTES:
            found[name] = only(values, ATTRIBUTES[name])
    return found


def names(attested: dict[str, bytes], issued: x509.Certificate) -> bool:
    attribute, old = (attested.get(f"1.2.840.113549.1.9.16.2.{number}") for number in (47, 12))
    if attribute is None:
        return old is not None and named(old).take(OCTETS) == hashlib.sha1(encoded(issued)).digest()
    first = named(attribute)
    hashing = first.optional(SEQUENCE)
    function = hashes.SHA256() if hashing is None else SHA2.get(algorithm(hashing))
    return function is not None and first.take(OCTETS) == digest(function, encoded(issued))


def named(attribute: bytes) -> Fields:
    return Fields(Fields(Fields(attribute).take(SEQUENCE)).take(SEQUENCE))


def digest(function: hashes.HashAlgorithm, data: bytes) -> bytes:
    return hashlib.new(function.name, data).digest()


def element(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes([size]) if size < 0x80 else b"\x82" + size.to_bytes(2, "big") if size > 0xFF else bytes([0x81, size])
    return bytes([tag]) + length + content


def oid_bytes(name: str) -> bytes:
    numbers = list(map(int, name.split(".")))
    content = b""
    for number in [40 * numbers[0] + numbers[1], *numbers[2:]]:
        part = [number & 0x7F]
        while number := number >> 7:
            part.insert(0, number & 0x7F | 0x80)
        content += bytes(part)
    return content


# Certificates.


def certificate(data: bytes) -> x509.Certificate | None:
    try:
        return x509.load_der_x509_certificate(data)
    except ValueError:
        return None


def encoded(issued: x509.Certificate) -> bytes:
    return issued.public_bytes(serialization.Encoding.DER)


def is_supported(key) -> bool:
    if isinstance(key, rsa.RSAPublicKey):
        return 2048 <= key.key_size <= 8192 and key.public_numbers().e.bit_length() <= 32
    return isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name in ("secp256r1", "secp384r1")


def signed(key, kind: tuple, message: bytes, signature: bytes) -> bool:
    try:
        if kind[0] == "rsa" and isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, message, padding.PKCS1v15(), kind[1])
            return True
        if kind[0] == "ec" and isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, message, ec.ECDSA(kind[1]))
            return True
    except InvalidSignature:
        pass
    return False


def extension(issued: x509.Certificate, name) -> x509.Extension | None:
    try:
        return issued.extensions.get_extension_for_oid(name)
    except x509.ExtensionNotFound:
        return None


def has_foreign(issued: x509.Certificate) -> bool:
    known = (ExtensionOID.BASIC_CONSTRAINTS, ExtensionOID.KEY_USAGE, ExtensionOID.EXTENDED_KEY_USAGE)
    return any(one.critical and one.oid not in known for one in issued.extensions)


def is_for_stamping(issued: x509.Certificate) -> bool:
    purposes = extension(issued, ExtensionOID.EXTENDED_KEY_USAGE)
    usage = extension(issued, ExtensionOID.KEY_USAGE)
    signs = usage is None or usage.value.digital_signature or usage.value.content_commitment
    alone = purposes is not None and list(purposes.value) == [ExtendedKeyUsageOID.TIME_STAMPING]
    return bool(signs and alone and purposes.critical and not has_foreign(issued))


def is_valid(issued: x509.Certificate, at: int) -> bool:
    start, end = issued.not_valid_before_utc, issued.not_valid_after_utc
    return start.timestamp() * 1000 <= at <= end.timestamp() * 1000


def may_issue(issued: x509.Certificate, below: int) -> bool:
    basic = extension(issued, ExtensionOID.BASIC_CONSTRAINTS)
    usage = extension(issued, ExtensionOID.KEY_USAGE)
    purposes = extension(issued, ExtensionOID.EXTENDED_KEY_USAGE)
    if basic is None or not basic.value.ca or has_foreign(issued):
        return False
    length = basic.value.path_length
    fits = purposes is None or any(
        one in (ExtendedKeyUsageOID.TIME_STAMPING, ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE) for one in purposes.value
    )
    return (length is None or below <= length) and (usage is None or usage.value.key_cert_sign) and fits


def find_path(issued: x509.Certificate, others: list, trusted: list, at: int):
    """Finds a path to a trusted certificate, the shortest first: a longer one allows no issuer more."""

    def leads(ever: bool) -> bool:
        level = [issued] if ever or is_valid(issued, at) else []
        # Each certificate once: those of a hostile token may all sign each other.
        visited, below = {encoded(issued)}, 0
        while level:
            if any(one in trusted for one in level):
                return True
            above = []
            for issuer in others + trusted:
                if encoded(issuer) in visited or not (ever or is_valid(issuer, at)):
                    continue
                if may_issue(issuer, below) and any(is_issuer(issuer, one) for one in level):
                    visited.add(encoded(issuer))
                    above.append(issuer)
            level, below = above, below + 1
        return False

    if not leads(ever=False):
        # Only a path that leads somewhere has expired.
        raise Wrong("expired") if leads(ever=True) else Undecided("no path")


def is_issuer(issuer: x509.Certificate, one: x509.Certificate) -> bool:
    kind, key = SIGNING.get(one.signature_algorithm_oid.dotted_string), issuer.public_key()
    if one.issuer != issuer.subject or kind is None or not is_supported(key):
        return False
    return signed(key, kind, one.tbs_certificate_bytes, one.signature)
