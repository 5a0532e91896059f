"""Runs axe-core in a page, and returns only violations: transferring its full result takes longer than the check."""

from axe_playwright_python.sync_playwright import Axe

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SCRIPT = Axe().axe_script
RUN = """async tags => {
  const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
  return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.slice(0, 3).map(({ target }) => target) }));
}"""


def violations(page):
    """WCAG 2.2 AA and best practices: a list of `id`, `help` and the first three places (`at`)."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    return page.evaluate(RUN, TAGS)
