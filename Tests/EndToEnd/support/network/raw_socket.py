"""Bytes on a TCP connection, for requests that no client library would send."""

import base64
import os
import socket
import struct

WAIT = 15


class RawSocket:
    def __init__(self, port: int, wait: float = WAIT, source: str = ""):
        """`source`: the loopback address to connect from; any of 127.0.0.0/8 will do."""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=wait, source_address=(source, 0))
        self.pending = b""

    def send(self, data: bytes) -> "RawSocket":
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # refused before everything was said: what it answered is still to be read
        return self

    def read(self, size: int) -> bytes:
        """So many bytes, or fewer where the connection ended."""
        while len(self.pending) < size:
            try:
                piece = self.socket.recv(65536)
            except (ConnectionResetError, BrokenPipeError):
                piece = b""
            if not piece:
                break
            self.pending += piece
        data, self.pending = self.pending[:size], self.pending[size:]
        return data

    def head(self) -> bytes:
        """An answer's head, with the empty line; what was there before the connection ended where there is none."""
        data = b""
        while not data.endswith(b"\r\n\r\n"):
            byte = self.read(1)
            if not byte:
                break
            data += byte
        return data

    def status(self) -> int:
        """The status of the answer, 0 where the connection ended without one."""
        head = self.head()
        return int(head.split(b" ", 2)[1]) if head.startswith(b"HTTP/1.") else 0

    def is_closed(self) -> bool:
        """Whether the peer ends the connection; reads over what it still sends."""
        try:
            while self.read(65536):
                pass
            return True
        except TimeoutError:
            return False

    def hang_up(self) -> "RawSocket":
        """Says that nothing more comes, so that a peer who waits for our last word need not."""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        return self

    def close(self) -> None:
        self.socket.close()


def request(line: str, *headers: str, body: bytes = b"", host: str = "localhost") -> bytes:
    return "\r\n".join([line, f"Host: {host}", *headers, "", ""]).encode() + body


def upgrade(
    port: int, *headers: str, key: str | None = None, line: str = "GET /v1/socket HTTP/1.1", wait: float = WAIT,
    source: str = "",
) -> RawSocket:
    """A connection with a WebSocket handshake sent; the answer is still to be read."""
    key = key or base64.b64encode(os.urandom(16)).decode()
    return RawSocket(port, wait, source).send(
        request(
            line,
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            *headers,
            host=f"localhost:{port}",
        )
    )


def frame(
    opcode: int,
    payload: bytes = b"",
    final: bool = True,
    masked: bool = True,
    reserved: int = 0,
    length: bytes | None = None,
) -> bytes:
    """A WebSocket frame with whatever is wrong about it. `length`: the length bytes as they shall stand, instead of
    the right ones."""
    first = (0x80 if final else 0) | reserved << 4 | opcode
    if length is None:
        size = len(payload)
        length = (
            bytes([size])
            if size < 126
            else b"\x7e" + struct.pack(">H", size) if size < 65536 else b"\x7f" + struct.pack(">Q", size)
        )
    mask = os.urandom(4) if masked else b""
    body = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload)) if masked else payload
    return bytes([first, length[0] | (0x80 if masked else 0)]) + length[1:] + mask + body


def read_frame(raw: RawSocket) -> tuple[int, bytes] | None:
    """Opcode and payload of the server's next frame; None where the connection ended."""
    head = raw.read(2)
    if len(head) < 2:
        return None
    assert not head[1] & 0x80, "a server must not mask"
    assert not head[0] & 0x70, "a reserved bit is set"
    size = head[1] & 0x7F
    if size == 126:
        size = struct.unpack(">H", raw.read(2))[0]
    elif size == 127:
        size = struct.unpack(">Q", raw.read(8))[0]
    return head[0] & 0x0F, raw.read(size)
