import { ChatStore } from '../../../Public/js/models/chatStore.js';
import { Observable } from '../../../Public/js/models/observableArray.js';
import { DraftSync } from '../../../Public/js/services/draftSync.js';
import { MessageApi } from '../../../Public/js/services/messageApi.js';
import { Outbox } from '../../../Public/js/services/outbox.js';
import { Receipts } from '../../../Public/js/services/receipts.js';
import { LocalTexts, MemoryStorage } from '../../../Public/js/services/storage.js';
import { MessageExtras } from '../../../Public/js/viewmodels/messageExtras.js';
import { ConversationViewModel } from '../../../Public/js/viewmodels/conversationViewModel.js';
import { FakeClock, FakeLocalStorage, FakeRoom, ada, answer, fakeApi, ids, message, room, seeded } from './fakes.js';

/** A conversation over a fake server; `methods` replaces answers of the API. */
export function conversationWorld({
  count = 0, members = {}, methods = {}, kept = [], known = true, make, extended = true, asked = true,
  me = ada,
} = {}) {
  const clock = new FakeClock();
  const server = new FakeRoom(count, make);
  const store = new ChatStore();
  if (me) store.setMe(me);
  const last = count > 0 ? server.at(count) : null;
  if (known) store.load([room({ last_seq: count, read_seq: count, last_message: last, ...members })], 100);
  const api = fakeApi({
    messages: async (_roomId, cursor) => answer(server.page(cursor)),
    receipts: async () => answer([{ user_id: 'bob', delivered_seq: 0, read_seq: 0 }]),
    putReceipt: async () => answer(null),
    typing: async () => answer(null),
    request: async (method, path, options) => answer(await server.request(method, path, options)),
    ...methods,
  });
  const messageApi = new MessageApi(api);
  const status = new Observable({ connection: 'online', loading: false, error: null, asked });
  const sync = {
    get state() { return status.state; },
    subscribe: (listener) => status.subscribe(listener),
    kept: async () => kept,
    keep: (_roomId, messages) => { sync.keptNow = messages; },
    refreshed: [],
    refresh: (roomId) => sync.refreshed.push(roomId),
  };
  const storage = new MemoryStorage();
  const outbox = new Outbox({
    api, storage, clock, random: seeded(1), locks: null, newId: ids(), connection: () => status.state.connection,
  });
  // As `ChatSync`, which hears of it before any chat.
  outbox.subscribe(({ type, message: sent }) => { if (type === 'sent') store.putSent(sent); });
  const receipts = new Receipts({ api, store, clock });
  const drafts = new LocalTexts(new FakeLocalStorage(), 'draft');
  const draftSync = new DraftSync({ api, store, drafts, sync, clock });
  const services = { store, api, messageApi, draftSync, outbox, receipts, sync, clock, drafts };
  const view = new ConversationViewModel('room', services);
  if (extended) view.extend((window, onChange) => new MessageExtras('room', services, window, onChange));
  let id = 100;
  const event = (name, data) => {
    id += 1;
    store.apply({ id, event: name, data }, clock.now());
  };
  /** Stores a message on the server and delivers it on the stream. */
  const arrive = (seq, more = {}) => {
    server.count = Math.max(server.count, seq);
    server.changed.set(seq, message(seq, more));
    event('message.created', server.at(seq));
  };
  const receiptsSent = () => api.calls.filter(([name]) => name === 'putReceipt').map(([, , pointers]) => pointers);
  const pages = () => api.calls.filter(([name]) => name === 'messages').map(([, , cursor]) => cursor);
  const seqs = () => view.rows.items.map((row) => row.seq);
  return { ...services, view, server, status, event, arrive, receiptsSent, pages, seqs, services };
}
