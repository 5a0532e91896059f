/** Copies an invitation link for a person without an account. */
import { sharedTexts } from '../../models/texts/shared.js';
import { announce, element, setText } from '../dom.js';
import { copyText } from '../clipboard.js';

/**
 * Copies the link, or shows it where the browser does not let it be copied.
 * @param {HTMLElement} button shows the outcome; the link is inserted after it
 * @param {() => Promise<string>} make
 */
export async function copyInvite(button, make) {
  const link = await make().catch(() => null);
  const copied = link !== null && (await copyText(link));
  setText(button, copied ? sharedTexts.copied : sharedTexts.copyFailed);
  if (button.nextSibling instanceof HTMLElement) button.nextSibling.remove();
  if (link !== null && !copied) button.after(element('code', { class: 'code invite-link', dir: 'ltr' }, link));
  announce(button.textContent);
}
