/** A popover at a day heading that jumps to another day. */
import { element } from './dom.js';
import { loadStyles } from './laterStyles.js';
import { sharedTexts } from '../models/texts/shared.js';
import { chatTexts } from '../models/texts/conversation.js';

/**
 * @param {HTMLElement} button the day heading, which gets the focus back
 * @param {(isoDate: string) => void} go called with the chosen local day, '2026-03-14'
 */
export async function openDateJump(button, go) {
  await loadStyles('messageLists');
  const today = new Date();
  const parts = [today.getFullYear(), today.getMonth() + 1, today.getDate()];
  const latest = parts.map((part) => String(part).padStart(2, '0')).join('-');
  const field = /** @type {HTMLInputElement} */ (
    element('input', { type: 'date', class: 'input', id: 'jump-date', required: true, max: latest, value: latest })
  );
  const form = element(
    'form',
    {},
    element('label', { for: 'jump-date' }, chatTexts.jumpToDate),
    element('div', { class: 'line' }, field, element('button', { class: 'button primary' }, sharedTexts.go)),
  );
  const attributes = { class: 'date-jump', popover: 'auto', role: 'dialog', 'aria-label': chatTexts.jumpToDate };
  const menu = element('div', attributes, form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const day = field.value;
    menu.hidePopover();
    go(day);
  });
  menu.addEventListener('toggle', (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== 'closed') return;
    menu.remove();
    if (document.activeElement === document.body && button.isConnected) button.focus({ preventScroll: true });
  });
  document.querySelector('#app').append(menu);
  menu.showPopover();
  const place = button.getBoundingClientRect();
  const left = place.left + place.width / 2 - menu.offsetWidth / 2;
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.min(place.bottom + 8, innerHeight - menu.offsetHeight - 8)}px`;
  field.focus();
}
