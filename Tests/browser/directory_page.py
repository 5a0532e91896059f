"""Helpers for the tests of the directory: the stand-in's controls, the list, crowds of any size, pictures in one
colour."""

import json
import re
import struct
import urllib.request
import zlib


def post(stage, path, body):
    """Sets one of the stand-in's controls."""
    request = urllib.request.Request(
        stage.server.demo_github + path, json.dumps(body).encode(),
        {"Content-Type": "application/json", "User-Agent": "test"}, method="POST")
    urllib.request.urlopen(request).close()


def fault(stage, mode, **options):
    post(stage, "/_faults", {"mode": mode, **options})


def people(person):
    return person.page.get_by_role("list", name="People")


def rows(person):
    return people(person).get_by_role("listitem")


def scroller(person):
    return person.page.locator(".list-body")


def colour_of(number):
    """A distinct colour for each of some thousand accounts; neighbouring numbers have very different ones."""
    return (number * 37) % 256, (number * 101) % 256, (number * 199) % 256


def png(colour, side=40):
    """A square in one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = zlib.compress((b"\0" + bytes(colour) * side) * side)
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def crowd(person, total, asked=None):
    """Gives a login `total` followers, a hundred per page, as the server would. `asked` collects the pages."""

    def answer(route):
        address = route.request.url
        found = re.search(r"cursor=(\d+)", address)
        page = int(found[1]) if found else 1
        if asked is not None:
            asked.append((page, "stored=1" in address))
        first = (page - 1) * 100 + 1
        body = [{"github_id": n, "login": f"person{n}", "type": "User", "avatar_url": f"/api/v1/avatars/github-{n}",
                 "user_id": None, "member": False, "online": False} for n in range(first, min(first + 100, total + 1))]
        headers = {"Content-Type": "application/json", "Hubbub-Fetched-At": "2026-11-21T12:00:00.000Z"}
        if first + 100 <= total:
            headers["Link"] = f'</api/v1/github/users/big/followers?cursor={page + 1}>; rel="next"'
        route.fulfill(status=200, headers=headers, body=json.dumps(body))

    person.page.route("**/api/v1/github/users/big/followers*", answer)


def coloured(person):
    """Makes every avatar a square in its account's colour."""
    person.page.route("**/api/v1/avatars/github-*", lambda route: route.fulfill(
        status=200, content_type="image/png",
        body=png(colour_of(int(re.search(r"github-(\d+)", route.request.url)[1])))))


# For each visible row: whose it is, its login, and its picture's address and the colour of its centre.
SEEN = """() => {
  const body = document.querySelector('.list-body')?.getBoundingClientRect();
  if (!body) return [];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const paper = canvas.getContext('2d', { willReadFrequently: true });
  return [...document.querySelectorAll('ul[aria-label=People] > li[data-github-id]')].filter((row) => {
    const place = row.getBoundingClientRect();
    return place.bottom > body.top && place.top < body.bottom;
  }).map((row) => {
    const image = row.querySelector('img[data-loaded]');
    let colour = null;
    if (image) {
      paper.drawImage(image, 0, 0, 1, 1);
      colour = [...paper.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }
    return { id: Number(row.dataset.githubId), text: row.querySelector('.name').textContent, source: image && image.getAttribute('src'), colour,
      waits: row.querySelector('.avatar').hasAttribute('data-awaits'), top: row.getBoundingClientRect().top };
  });
}"""


def seen(person):
    return person.page.evaluate(SEEN)
