/** Where a card stands: beside what it belongs to. */

/** How close to the window's edge it may come, and to what it belongs to. */
const margin = 8;
const narrow = matchMedia('(width < 600px)');

/** Whether cards are sheets at the bottom. */
export const isNarrow = () => narrow.matches;

/**
 * Below, or above where there is more room: then what arrives late makes it grow upwards.
 * @param {HTMLElement} dialog of fixed position @param {Element} anchor
 */
export function standBeside(dialog, anchor) {
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = dialog;
  const rtl = getComputedStyle(dialog).direction === 'rtl';
  const start = rtl ? box.right - width : box.left;
  const isBelow = box.bottom + margin + height <= innerHeight - margin || box.top < innerHeight / 2;
  Object.assign(dialog.style, {
    margin: '0',
    left: `${Math.max(margin, Math.min(start, innerWidth - width - margin))}px`,
    right: 'auto',
    top: isBelow ? `${Math.max(margin, Math.min(box.bottom + margin, innerHeight - height - margin))}px` : 'auto',
    bottom: isBelow ? 'auto' : `${Math.min(innerHeight - box.top + margin, innerHeight - height - margin)}px`,
  });
}
