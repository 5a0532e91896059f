"""Touch input through the browser's own protocol."""


class Finger:
    """One finger, with the browser's own touch events."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)

    def send(self, kind, *points):
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def down(self, x, y):
        self.at = (x, y)
        self.send("touchStart", self.at)

    def move(self, dx, dy, steps=8):
        """Moves by this many pixels in small steps."""
        x, y = self.at
        for step in range(1, steps + 1):
            self.send("touchMove", (x + dx * step / steps, y + dy * step / steps))
        self.at = (x + dx, y + dy)

    def up(self):
        self.send("touchEnd")
