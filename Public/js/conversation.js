/**
 * Composition of an open chat, as far as its first paint needs it; the rest is in `conversationLater.js`.
 */
import { DraftSync } from './services/draftSync.js';
import { ComposerViewModel } from './viewmodels/composerViewModel.js';
import { ConversationViewModel } from './viewmodels/conversationViewModel.js';
import { ConversationView } from './views/conversation.js';

/** What chats need beside the page's own services: made once, since drafts outlive the chat that is open. */
let services = null;

/**
 * @param {object} client what `createClient` gives
 * @returns {Promise<(roomId: string, at?: number) => {view: ConversationView, ready: () => void}>} opens a chat
 */
export async function prepare(client) {
  const services = servicesOf(client);
  // The page of a chat came with its sheet; others fetch it now.
  if (!document.querySelector('link[rel="stylesheet"][href$="/css/later/chat.css"]')) {
    const { loadStyles } = await import('./views/laterStyles.js');
    await loadStyles('chat');
  }
  return (roomId, at) => open(services, roomId, at);
}

function servicesOf(client) {
  return (services ??= { ...client, draftSync: new DraftSync(client) });
}

/** Writes a text below what is being written in a chat, which is not open now. */
export function addToDraft(client, roomId, text) {
  const { draftSync } = servicesOf(client);
  draftSync.set(roomId, [draftSync.text(roomId), text].filter(Boolean).join('\n'));
}

function open(services, roomId, at = null) {
  let complete = null;
  // Fetched once; what did not arrive is asked for again with the next use.
  const later = () => (complete ??= import('./conversationLater.js')
    .then((module) => module.complete({ services, roomId, model, view }))
    .catch((error) => {
      complete = null;
      throw error;
    }));
  const model = new ConversationViewModel(roomId, services);
  const composer = new ComposerViewModel(roomId, services, async (seq, text) => (await later()).edit(seq, text));
  const view = new ConversationView(model, composer, later);
  const ready = async () => {
    const found = await model.open({ at });
    if (!found) view.tellGone();
    // Without it, a chat is read and written in all the same.
    await later().catch(() => {});
  };
  return { view, ready };
}
