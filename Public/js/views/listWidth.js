/** Resizes the list by its separator (`shell.js`), by dragging or arrow keys, and stores the width. */
import { listWidthName, setListWidth } from './shell.js';

const STEP = 10;

/** @param {{set: (name: string, value: string) => void}} preferences */
export function bindListWidth(preferences) {
  /** @returns {HTMLElement|null} */
  const handleOf = ({ target }) => (target instanceof Element ? target.closest('.resizer') : null);
  const widthOf = (handle) => Number(handle.getAttribute('aria-valuenow'));
  const keep = (handle) => preferences.set(listWidthName, String(widthOf(handle)));
  const direction = (handle) => (getComputedStyle(handle).direction === 'rtl' ? -1 : 1);
  document.addEventListener('keydown', (event) => {
    const handle = handleOf(event);
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (!handle || !step) return;
    event.preventDefault();
    setListWidth(handle, widthOf(handle) + step * direction(handle));
    keep(handle);
  });
  document.addEventListener('pointerdown', (event) => {
    const handle = handleOf(event);
    if (!handle) return;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    handle.setAttribute('data-dragging', '');
    const start = { x: event.clientX, width: widthOf(handle) };
    handle.onpointermove = ({ clientX }) => setListWidth(handle, start.width + (clientX - start.x) * direction(handle));
    handle.onlostpointercapture = () => {
      handle.onpointermove = null;
      handle.removeAttribute('data-dragging');
      keep(handle);
    };
  });
}
