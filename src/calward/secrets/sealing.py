"""AES-256-GCM (NIST SP 800-38D) over one secret, bound to the account and the name it was sealed for.

The binding is associated data: a sealed text copied to another account, or to another name, does not open.
"""

from __future__ import annotations

import base64
import binascii
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from calward.errors import SettingsError
from calward.model.ids import AccountId
from calward.model.secret import Secret
from calward.secrets.key import Entropy, Key

VERSION = "v1"
NONCE_BYTES = 12


class SealBroken(SettingsError):
    """A sealed secret does not open: another key, other hands, or another account's."""

    code = "secret_seal_broken"


def seal(key: Key, account: AccountId, name: str, secret: Secret, entropy: Entropy = os.urandom) -> str:
    """``v1.<key id>.<nonce and ciphertext in base64>``; printable, and useless without the key."""
    nonce = entropy(NONCE_BYTES)
    closed = AESGCM(key.material).encrypt(nonce, secret.reveal().encode(), _binding(account, name))
    return f"{VERSION}.{key.id}.{base64.urlsafe_b64encode(nonce + closed).decode('ascii')}"


def unseal(key: Key, account: AccountId, name: str, sealed: str) -> Secret:
    """Raises ``SealBroken``."""
    version, _, rest = sealed.partition(".")
    key_id, _, text = rest.partition(".")
    if version != VERSION:
        raise SealBroken(
            "A stored password was sealed by a newer version of Calward. Update it, or sign in again."
        )
    if key_id != key.id:
        raise SealBroken(
            f"A stored password was sealed with another key than the one from {key.origin}. Bring that key "
            "back, or sign in again."
        )
    try:
        raw = base64.b64decode(text, altchars=b"-_", validate=True)
        opened = AESGCM(key.material).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], _binding(account, name))
    except (InvalidTag, binascii.Error, ValueError):
        raise SealBroken(
            "A stored password was altered or belongs to another account. Sign in again."
        ) from None
    return Secret(opened.decode())


def _binding(account: AccountId, name: str) -> bytes:
    return b"\0".join((b"calward secret", VERSION.encode(), account.encode(), name.encode()))
