"""Keys: what a player signs moves with, and what others know the player by.

In: a player's name. Out: a private key in a file of the user's own, and its public text, which may
be mailed. What then holds: who has no part of that file can't sign for the player.

Signatures are Ed25519 (S. Josefsson and I. Liusvaara, RFC 8032) by the library `cryptography`.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from hmac import digest as keyed_hash
from pathlib import Path
from typing import TYPE_CHECKING

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import refused
from gdl.interpreter.files import write_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


FOLDER_VARIABLE = "GDL_KEYS"
"""The environment variable that names another folder for the key and what was seen of games."""

LONGEST_NAME = 60
_SCHEME = "ed25519:"
_NAME = "name: "
_LARGEST = 10_000
_OWNER_ALONE = 0o600

AskPassphrase = Callable[[], str]


def folder_of_keys() -> Path:
    """Return the folder that the user's key is in."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("gdl") / "correspondence"


def key_file() -> Path:
    """Return the file that the user's key is in."""
    return folder_of_keys() / "key.pem"


def as_text(data: bytes) -> str:
    """Return bytes as letters and digits, `-` and `_`.

    >>> as_text(bytes(3)), from_text("AAAA", 3), from_text("AAA=", 3), from_text("AAB", 2)
    ('AAAA', b'\\x00\\x00\\x00', None, None)
    """
    return urlsafe_b64encode(data).decode().rstrip("=")


def from_text(text: str, length: int) -> bytes | None:
    """Return the bytes of a text that `as_text` gave; None if it is none of that many bytes."""
    try:
        data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if len(data) == length and as_text(data) == text else None


@dataclass(frozen=True)
class Key:
    """A player's own key: the `name` that goes with it, and its `public` text."""

    name: str
    public: str
    _private: Ed25519PrivateKey

    def sign(self, message: bytes) -> str:
        """Return the signature of a message."""
        return as_text(self._private.sign(message))

    def derived(self, purpose: bytes) -> bytes:
        """Return 32 bytes for a purpose that nobody else can find out."""
        return keyed_hash(self._private.private_bytes_raw(), b"gdl\0" + purpose, sha256)


def is_public(text: str) -> bool:
    """Return whether a text is that of a public key."""
    return text.startswith(_SCHEME) and from_text(text.removeprefix(_SCHEME), 32) is not None


def is_weak_key(public: str) -> bool:
    """Return whether a signature by a public key, in a form that `is_public`, may fit anything."""
    return is_weak(from_text(public.removeprefix(_SCHEME), 32) or b"")


def is_signed(message: bytes, signature: str, public: str) -> bool:
    """Return whether a message was signed by the owner of a public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    signed, key = from_text(signature, 64), from_text(public.removeprefix(_SCHEME), 32)
    if signed is None or key is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signed, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def make_key(name: str, passphrase: str = "") -> Key:
    """Make the user's key, and keep it where no other user can read it. Raises GameError.

    With a `passphrase`, the file alone is of no use.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise refused(Code.WRONG_NAME, f"A player's name has 1 to {LONGEST_NAME} plain characters.")
    private = Ed25519PrivateKey.generate()
    text = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(passphrase.encode())
        if passphrase
        else serialization.NoEncryption(),
    ).decode()
    path = key_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"`{path.parent}` can't be made: {error.strerror}."
        hint = f"Name another folder in {FOLDER_VARIABLE}."
        raise refused(Code.FILE_UNWRITABLE, message, hint) from None
    write_file(path, f"{_NAME}{name}\n{text}", is_new=True, mode=_OWNER_ALONE)
    return _key(name, private)


def own_key(ask: AskPassphrase) -> Key:
    """Return the user's key; `ask` is called where it needs a passphrase.

    Raises GameError (`no-key`, `damaged-key`, `wrong-passphrase`).
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    text = _text_of_key()
    head, _, rest = text.partition("\n")
    damaged = refused(Code.DAMAGED_KEY, f"`{key_file()}` is not a key.", "Take a copy of it.")
    if not head.startswith(_NAME) or not head.removeprefix(_NAME).isprintable():
        raise damaged
    passphrase = ask().encode() if "ENCRYPTED" in rest else None
    try:
        private = load_pem_private_key(rest.encode(), passphrase)
    except (ValueError, TypeError):
        if passphrase is None:
            raise damaged from None
        raise refused(Code.WRONG_PASSPHRASE, "That is not the passphrase of the key.") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise damaged
    return _key(head.removeprefix(_NAME).strip(), private)


def _text_of_key() -> str:
    try:
        with key_file().open(encoding="utf-8") as file:
            return file.read(_LARGEST)
    except FileNotFoundError:
        message = "There is no key on this machine, which moves of this game are signed with."
        hint = "`gdl key --name NAME` makes one; or copy yours from where you have it."
        raise refused(Code.NO_KEY, message, hint) from None
    except (OSError, ValueError) as error:
        message = f"`{key_file()}` can't be read: {error}."
        raise refused(Code.DAMAGED_KEY, message, "Take a copy of it.") from None


def _key(name: str, private: Ed25519PrivateKey) -> Key:
    return Key(name, _SCHEME + as_text(private.public_key().public_bytes_raw()), private)


# ----------- public keys for which one signature fits many messages, or that no key generator makes

_PRIME = 2**255 - 19
_D = -121665 * pow(121666, -1, _PRIME) % _PRIME
_ROOT_OF_MINUS_1 = pow(2, (_PRIME - 1) // 4, _PRIME)
_NEUTRAL = (0, 1)


def is_weak(public: bytes) -> bool:
    """Return whether 32 bytes are no public key, or one whose order divides 8.

    >>> is_weak(bytes(32)), is_weak(b"X" + b"f" * 31)
    (True, False)
    """
    point = _decoded(public)
    for _ in range(3):
        point = None if point is None else _doubled(*point)
    return point is None or point == _NEUTRAL


def _decoded(public: bytes) -> tuple[int, int] | None:
    """Return the point that bytes are, by RFC 8032, 5.1.3; None if they are none."""
    number = int.from_bytes(public, "little")
    y, is_odd = number % 2**255, number >> 255
    if y >= _PRIME:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _PRIME) % _PRIME
    x = pow(square, (_PRIME + 3) // 8, _PRIME)
    if x * x % _PRIME != square:
        x = x * _ROOT_OF_MINUS_1 % _PRIME
    if x * x % _PRIME != square or (x == 0 and is_odd):
        return None
    return (x if x % 2 == is_odd else _PRIME - x), y


def _doubled(x: int, y: int) -> tuple[int, int]:
    """Return a point added to itself on the curve -x² + y² = 1 + d x² y² (RFC 8032, 5.1.4)."""
    product = _D * x * x * y * y
    double_x = 2 * x * y * pow(1 + product, -1, _PRIME)
    double_y = (y * y + x * x) * pow(1 - product, -1, _PRIME)
    return double_x % _PRIME, double_y % _PRIME
