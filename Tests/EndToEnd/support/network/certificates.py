"""An authority of the test's own, and a certificate for localhost that it signed."""

from dataclasses import dataclass
from pathlib import Path

from support.voice import speech


@dataclass(frozen=True)
class Certificate:
    """PEM files: what a server shows, its key, and the authority that a client has to trust."""

    chain: Path
    key: Path
    authority: Path

    def sign(self, days: int) -> None:
        """The authority signs the request for the key; the file is replaced at once."""
        folder, new = self.chain.parent, self.chain.with_suffix(".new")
        speech.run(
            "openssl", "x509", "-req", "-in", str(folder / "request.pem"), "-CA", str(self.authority),
            "-CAkey", str(folder / "ca.key"), "-CAcreateserial", "-days", str(days),
            "-extfile", str(folder / "names.txt"), "-out", str(new),
        )
        new.replace(self.chain)

    def renew(self, days: int = 60) -> None:
        """Another certificate for the same key, as the authority signs it before the first one ends."""
        self.sign(days)


def certificate_for_localhost(folder: Path, days: int = 2) -> Certificate:
    """Makes an authority and a certificate for localhost and 127.0.0.1 that is good for so many days."""
    speech.need("openssl")
    folder.mkdir(parents=True, exist_ok=True)
    authority, authority_key = folder / "ca.pem", folder / "ca.key"
    chain, key, request, names = (folder / name for name in ("chain.pem", "key.pem", "request.pem", "names.txt"))
    names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    speech.run(
        "openssl", "req", "-x509", *new_key, "-days", str(days), "-subj", "/CN=Earshot test authority",
        "-keyout", str(authority_key), "-out", str(authority),
    )
    speech.run("openssl", "req", *new_key, "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(request))
    certificate = Certificate(chain, key, authority)
    certificate.sign(days)
    return certificate
