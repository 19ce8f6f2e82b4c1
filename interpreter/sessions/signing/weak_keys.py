"""Public keys for which one signature fits many messages, or that no key generator makes.

In: the 32 bytes of a public key of Ed25519. Out: whether it is weak. What then holds of others:
they are read in one way, and a signature that fits one message fits no other.

The bytes are read as RFC 8032 (S. Josefsson and I. Liusvaara, 2017), 5.1.3, says, which refuses
numbers of `_PRIME` and more; verifiers often take them modulo that. Where a point's order divides
8, what is verified, [S]B = R + [k]A, hardly depends on the message by its hash k: with the neutral
element as key A and as R, S = 0 fits all. K. Chalkias, F. Garillot and V. Nikolaenko, "Taming the
many EdDSAs" (2020), show that signatures bind key and message where such keys are refused; RFC 8032
does not ask for that, nor does OpenSSL do it. There are eight such points; instead of a list of
them, the point is added to itself three times over, and is weak if that gives the neutral element.
"""

from __future__ import annotations

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
