/**
 * The on-screen keyboard where it covers the page instead of shrinking it (one engine knows no
 * `interactive-widget=resizes-content`): the page takes the part that is to be seen, so that the composer stands above
 * the keyboard and the log follows as with any other change of its height (K2).
 */

/** Less than this, in CSS pixels, is a bar of the browser that comes and goes, no keyboard. */
const least = 80;

/**
 * @param {VisualViewport} viewport
 * @param {HTMLElement} root gets `--keyboard`, the height that is covered, and `--pan`, by how much the browser moved the
 *   page to show the field
 */
export function keepAboveKeyboard(viewport, root) {
  const fit = () => {
    const covered = Math.round(root.clientHeight - viewport.height);
    // Zoomed in by fingers, what is to be seen is small for another reason.
    const hasKeyboard = covered >= least && viewport.scale < 1.01;
    root.toggleAttribute('data-keyboard', hasKeyboard);
    for (const [name, value] of [['--keyboard', covered], ['--pan', Math.round(viewport.offsetTop)]]) {
      if (hasKeyboard) root.style.setProperty(name, `${value}px`);
      else root.style.removeProperty(name);
    }
  };
  viewport.addEventListener('resize', fit);
  viewport.addEventListener('scroll', fit);
  fit();
}
