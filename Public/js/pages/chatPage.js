/**
 * Composes what the first paint of an open chat needs; the rest is in `chatPageLater.js`.
 */
import { setLimits } from '../models/limits.js';
import { DraftSync } from '../services/draftSync.js';
import { ComposerViewModel } from '../viewmodels/composerViewModel.js';
import { ConversationViewModel } from '../viewmodels/conversationViewModel.js';
import { ConversationView } from '../views/conversationView.js';

/** Where each chat was left; null: at its end. @type {Map<string, {seq: number, top: number}|null>} */
const places = new Map();
/** So many messages from the end, a place is on the page that a chat opens with. */
const near = 30;
/** The entry of the history that was gone back to last. */
let backAt = '';
const entry = () => `${history.state?.depth} ${location.href}`;
addEventListener('popstate', () => { backAt = entry(); });

/** Services of chats only. They are made once, since drafts outlive the open chat. */
let services = null;

/**
 * @param {object} client what `createClient` gives
 * @param {(address: string) => void} navigate
 * @returns {Promise<(roomId: string, at?: number) => {view: ConversationView, ready: () => void}>} opens a chat
 */
export async function prepare(client, navigate) {
  const services = { ...servicesOf(client), navigate };
  // The page of a chat came with its sheet; others fetch it now.
  if (!document.querySelector('link[rel="stylesheet"][href$="/css/later/chat.css"]')) {
    const { loadStyles } = await import('../views/laterStyles.js');
    await loadStyles('chat');
  }
  return (roomId, at) => open(services, roomId, at);
}

function servicesOf(client) {
  setLimits(client.limits);
  return (services ??= { ...client, draftSync: new DraftSync(client) });
}

/** Appends a text to the draft of a chat that is not open. */
export function addToDraft(client, roomId, text) {
  const { draftSync } = servicesOf(client);
  draftSync.set(roomId, [draftSync.text(roomId), text].filter(Boolean).join('\n'));
}

function open(services, roomId, wanted = null) {
  // On the way back, an address that once led to a message leads to where the chat was left.
  const at = backAt === entry() && places.has(roomId) ? null : wanted;
  let place = at === null ? places.get(roomId) ?? null : null;
  let complete = null;
  // Fetched once; a failed fetch is repeated at the next use.
  const later = () => (complete ??= import('./chatPageLater.js')
    .then((module) => module.complete({ services, roomId, model, view }))
    .catch((error) => {
      complete = null;
      throw error;
    }));
  const model = new ConversationViewModel(roomId, services);
  const composer = new ComposerViewModel(roomId, services, async (seq, text) => (await later()).edit(seq, text));
  const view = new ConversationView(model, composer, later, {
    begin: () => place, leave: (left) => places.set(roomId, left),
  });
  const ready = async () => {
    const isFar = place !== null && (services.store.room(roomId)?.last_seq ?? 0) - place.seq > near;
    const found = await model.open({ at: isFar ? place.seq : at });
    if (isFar && model.rows.length === 0) await model.open();
    else if (!found && !isFar) view.tellGone();
    // From now on it is gone to where the reader wants.
    place = null;
    // Without it, a chat is read and written in all the same.
    await later().then((tools) => tools.changes()).catch(() => {});
  };
  return { view, ready };
}
