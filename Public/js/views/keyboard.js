/**
 * Keeps the composer above the on-screen keyboard in engines where it covers the page (those without
 * `interactive-widget=resizes-content`): shrinks the page to the visible part.
 */

/** A smaller height, in CSS pixels, is a browser bar and no keyboard. */
const least = 80;

/**
 * @param {VisualViewport} viewport
 * @param {HTMLElement} root gets `--keyboard`, the covered height, and `--pan`, by how much the browser scrolled
 *   the page to show the field
 */
export function keepAboveKeyboard(viewport, root) {
  const fit = () => {
    const covered = Math.round(root.clientHeight - viewport.height);
    // Pinch zoom also makes the visible part smaller.
    const hasKeyboard = covered >= least && viewport.scale < 1.01;
    root.toggleAttribute('data-keyboard', hasKeyboard);
    for (const [name, value] of Object.entries({ '--keyboard': covered, '--pan': Math.round(viewport.offsetTop) })) {
      if (hasKeyboard) root.style.setProperty(name, `${value}px`);
      else root.style.removeProperty(name);
    }
  };
  viewport.addEventListener('resize', fit);
  viewport.addEventListener('scroll', fit);
  fit();
}
