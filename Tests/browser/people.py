"""Helpers for the tests of groups and profiles: people, groups created by API, pictures, and axe."""

import struct
import zlib

from test_accessibility import check, check_all

__all__ = ["check", "check_all", "clean", "group_of", "name_of", "picture", "people"]


def people(stage, *names, **options):
    """Signed-up people, each with their own browser."""
    return [stage.person(name, "Tester", **options).sign_up() for name in names]


def name_of(person):
    return f"{person.first} {person.last}"


def group_of(owner, *members, name="Reading circle", **values):
    """A group created by API; returns its id."""
    body = {"kind": "group", "name": name, "member_ids": [member.id for member in members], **values}
    status, room = owner.api("POST", "/rooms", body)
    assert status == 201, room
    return room["id"]


def clean(*persons):
    """Checks that no page logged an error, apart from requests refused on purpose."""
    for person in persons:
        assert [c for c in person.complaints if "Failed to load resource" not in c] == [], person.complaints


def picture(width, height, colour=(200, 30, 60), stripe=(20, 40, 220)):
    """A PNG with its left fifth in another colour, so that cropping it to the centre shows."""
    row = b"\0" + b"".join(bytes(stripe if x < width // 5 else colour) for x in range(width))
    pixels = zlib.compress(row * height)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
