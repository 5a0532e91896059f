/** An invitation for somebody who is not here yet, to be sent by another way (D7). */
import { texts } from '../../models/texts.js';
import { announce, copyText, element, setText } from '../dom.js';

/**
 * Copies the link, or shows it where the browser does not let it be copied.
 * @param {HTMLElement} button says what became of it; the link stands behind it
 * @param {() => Promise<string>} make
 */
export async function copyInvite(button, make) {
  const link = await make().catch(() => null);
  const copied = link !== null && (await copyText(link));
  setText(button, copied ? texts.people.copied : texts.views.copyFailed);
  if (button.nextSibling instanceof HTMLElement) button.nextSibling.remove();
  if (link !== null && !copied) button.after(element('code', { class: 'code invite-link', dir: 'ltr' }, link));
  announce(button.textContent);
}
