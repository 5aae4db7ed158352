"""A network that changes bytes of what a browser uploads, which checksums of TCP let through now and then."""

from support.network.lossy_network import SEGMENT, LossyNetwork

BEGIN = b"PATCH /v1/uploads/"
HEAD_END = b"\r\n\r\n"


class DamagingNetwork(LossyNetwork):
    """Changes the first byte of the body of the first `damaged` requests that upload a piece of a recording."""

    def __init__(self, port: int, damaged: int):
        super().__init__(port, seed=0)
        self.left, self.refused = damaged, 0

    async def pass_on(self, reader, writer, is_up: bool) -> None:
        # `seen` is what may be the beginning of a request's head, or the head as far as it has come.
        seen, is_body = b"", False
        while data := await reader.read(SEGMENT):
            if is_up and self.left > 0:
                data, seen, is_body = self.damaged(data, seen, is_body)
            elif not is_up:
                self.refused += data.count(b"digest_mismatch")
            self.write(writer, data)

    def damaged(self, data: bytes, seen: bytes, is_body: bool) -> tuple[bytes, bytes, bool]:
        """The bytes as they go on, and what has to be known with the next ones: the head so far, and whether a body
        that is to be changed comes next."""
        at = 0
        if not is_body:
            head = seen + data
            start = head.rfind(BEGIN)
            if start < 0:
                return data, head[-len(BEGIN) :], False
            end = head.find(HEAD_END, start)
            if end < 0:
                return data, head[start:], False
            at = end + len(HEAD_END) - len(seen)
            if at >= len(data):
                return data, b"", True
        self.left -= 1
        return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], b"", False
