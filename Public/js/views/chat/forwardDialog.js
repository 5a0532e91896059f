/** Chooses the chats that messages are forwarded to, with a comment. */
import { limits } from '../../models/limits.js';
import { list } from '../../models/texts.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { chatTexts } from '../../models/texts/conversation.js';
import { element, isComposing, set } from '../dom.js';
import { button } from '../parts.js';
import { openChatChooser } from './chatChooser.js';
import { notify } from './notice.js';

/**
 * @param {import('../../viewmodels/forwardViewModel.js').ForwardViewModel} viewModel
 * @param {() => void} done called when all is forwarded
 */
export function openForwardDialog(viewModel, done) {
  const comment = /** @type {HTMLTextAreaElement} */ (element('textarea', {
    class: 'input', rows: '1', dir: 'auto', 'aria-label': chatTexts.comment, placeholder: chatTexts.comment,
    maxlength: String(limits.message),
  }));
  const send = async () => {
    if (!await viewModel.send(comment.value)) return;
    dialog.close();
    done();
    const [[id, name], ...others] = viewModel.chosen;
    const names = list.format([name, ...others.map(([, other]) => other)]);
    const link = others.length === 0 ? { href: `/chats/${encodeURIComponent(id)}`, label: sharedTexts.open } : null;
    notify(chatTexts.forwarded(names), { link });
  };
  const go = button('', send, 'primary');
  const foot = element('div', { class: 'forward-foot' }, comment, go);
  comment.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    send();
  });
  const dialog = openChatChooser(viewModel, {
    title: chatTexts.forwardTitle(viewModel.count), busy: chatTexts.forwarding, foot, send,
    choose: (item) => viewModel.toggle(item),
  });
  const end = viewModel.subscribe((state) => show(state));
  const show = ({ count, busy }) =>
    set(go, { text: chatTexts.forwardTo(count), 'aria-disabled': count === 0 || busy ? 'true' : null });
  show(viewModel.state);
  dialog.addEventListener('close', end);
}
