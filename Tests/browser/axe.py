"""Runs axe-core in a page, and returns only violations: transferring its full result takes longer than the check."""

from axe_playwright_python.sync_playwright import Axe

from stage import rest

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SCRIPT = Axe().axe_script
RUN = """async tags => {
  const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
  return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.slice(0, 3).map(({ target }) => target) }));
}"""


def violations(page):
    """WCAG 2.2 AA and best practices: a list of `id`, `help` and the first three places (`at`). Checks the page at rest:
    what fades in has too little contrast meanwhile, and what appears during the check must not fade in."""
    before = page.evaluate("matchMedia('(prefers-reduced-motion)').matches ? 'reduce' : 'no-preference'")
    page.emulate_media(reduced_motion="reduce")
    rest(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    found = page.evaluate(RUN, TAGS)
    page.emulate_media(reduced_motion=before)
    return found
