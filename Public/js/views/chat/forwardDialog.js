/** Chooses the chat that messages are forwarded to. */
import { openChatChooser } from './chatChooser.js';
import { notify } from './notice.js';
import { chatTexts } from '../../models/texts/conversation.js';

/**
 * @param {import('../../viewmodels/forwardViewModel.js').ForwardViewModel} viewModel
 * @param {() => void} done called when all is forwarded
 */
export function openForwardDialog(viewModel, done) {
  const choose = async (item, close) => {
    if (!await viewModel.send(item.id)) return;
    close();
    done();
    const link = { href: `/chats/${encodeURIComponent(item.id)}`, label: chatTexts.openChat };
    notify(chatTexts.forwarded(item.name), { link });
  };
  openChatChooser(viewModel, { title: chatTexts.forwardTitle(viewModel.count), busy: chatTexts.forwarding, choose });
}
