"""ZIP archives for tests, with any method of packing and any lie in their headers."""

import io
import struct
import zipfile
import zlib

import zstandard


def zip_of(files, method=zipfile.ZIP_DEFLATED):
    """Return a ZIP archive of {name: bytes}."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def zstandard_zip_of(files):
    """Return a ZIP archive of {name: bytes} packed with method 93, which Python itself writes from 3.14 on only."""
    body, directory = b"", b""
    for name, data in files.items():
        packed = zstandard.ZstdCompressor().compress(data)
        common = struct.pack("<HHHHHIIIHH", 63, 0, 93, 0, 33, zlib.crc32(data), len(packed), len(data), len(name), 0)
        directory += b"PK\x01\x02" + struct.pack("<H", 63) + common + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
        directory += name.encode()
        body += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), len(body), 0)
    return body + directory + b"PK\x05\x06" + end
