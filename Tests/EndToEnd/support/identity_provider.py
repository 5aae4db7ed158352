"""A brand's identity provider, with openssl as the signer: it issues ID tokens."""

import base64
import json
import subprocess
import time
from pathlib import Path

ISSUER = "https://id.demo.example"
AUDIENCE = "earshot-demo"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class IdentityProvider:
    def __init__(self, folder: Path):
        self.key = folder / "provider.pem"
        self.openssl("genrsa", "-out", str(self.key), "2048")
        self.public_key = self.openssl("rsa", "-in", str(self.key), "-pubout").decode()

    @staticmethod
    def openssl(*arguments: str, given: bytes = b"") -> bytes:
        done = subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True)
        return done.stdout

    def token(self, subject: str, lasts: int = 300, header: dict | None = None, **claims) -> str:
        """An ID token that lasts so many seconds. A claim that is None is omitted."""
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "iat": now, "exp": now + lasts, **claims}
        claims = {name: value for name, value in claims.items() if value is not None}
        parts = [header or {"alg": "RS256", "typ": "JWT"}, claims]
        signed = ".".join(encoded(json.dumps(part).encode()) for part in parts)
        return f"{signed}.{encoded(self.openssl('dgst', '-sha256', '-sign', str(self.key), given=signed.encode()))}"

    def setting(self, **fields) -> dict:
        """What a manager saves."""
        return {"issuer": ISSUER, "audience": AUDIENCE, "keys": self.public_key, **fields}
