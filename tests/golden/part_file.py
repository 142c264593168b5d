"""The layout of parts (lib/parts/part_format.hpp), read and written here on its own."""
import collections
import struct

HEAD = struct.Struct("<8s I I 32s Q Q")
SECTION = struct.Struct("<8s 7Q")
MAGIC = b"\x89BSP\r\n\x1a\n"
Section = collections.namedtuple("Section", "name begin end number rows")  # begin, end: of its bytes, head and content

# CRC-64/XZ, as basesweep computes it.
TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0xC96C5795D7870F42 if byte & 1 else 0)
    TABLE.append(byte)


def crc64(data):
    crc = 0xFFFFFFFFFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFFFFFFFFFF


def sections(data):
    """Returns the sections of a part."""
    assert data.startswith(MAGIC)
    at, found = HEAD.size, []
    while at < len(data):
        name, number, rows, stored, *_ = SECTION.unpack_from(data, at)
        end = at + SECTION.size + stored
        found.append(Section(name.rstrip(b"\0").decode(), at, end, number, rows))
        at = end
    return found


def version_of(data):
    return HEAD.unpack_from(data)[3].rstrip(b"\0").decode()


def with_head(data, **changes):
    """Returns the part with another head, whose checksum fits."""
    fields = dict(zip(("magic", "layout", "unused", "version", "unused_too", "checksum"), HEAD.unpack_from(data)))
    assert fields["checksum"] == crc64(data[:HEAD.size - 8])
    fields.update(changes)
    head = HEAD.pack(*fields.values())[:-8]
    return head + struct.pack("<Q", crc64(head)) + data[HEAD.size:]


def with_version(data, version):
    return with_head(data, version=version.encode().ljust(32, b"\0"))


def mended(data):
    """Returns the part with heads that fit again: numbers, chain and checksums; contents are left as they are."""
    at, previous, number = HEAD.size, HEAD.unpack_from(data)[5], 0
    whole = data[:at]
    while at < len(data):
        name, _, rows, stored, raw, content, _, _ = SECTION.unpack_from(data, at)
        head = SECTION.pack(name, number, rows, stored, raw, content, previous, 0)[:-8]
        previous = crc64(head)
        whole += head + struct.pack("<Q", previous) + data[at + SECTION.size:at + SECTION.size + stored]
        at, number = at + SECTION.size + stored, number + 1
    return whole


def stored(content):
    """Returns bytes as zstd packs those that it cannot make smaller."""
    size = len(content)
    frame = b"\x20" + bytes([size]) if size < 256 else b"\x60" + struct.pack("<H", size - 256)
    return b"\x28\xb5\x2f\xfd" + frame + (size << 3 | 1).to_bytes(3, "little") + content


def with_sections(data, change):
    """Returns the part with other sections. `change` gets the name of each, and says what it becomes: a list of new contents, or None for
    the same section again."""
    whole = data[:HEAD.size]
    for section in sections(data):
        contents = change(section.name)
        if contents is None:
            whole += data[section.begin:section.end]
        for content in contents or ():
            packed = stored(content)
            whole += SECTION.pack(section.name.encode().ljust(8, b"\0"), 0, section.rows, len(packed), len(content), crc64(packed), 0, 0) + packed
    return mended(whole)
