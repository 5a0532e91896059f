import { ChatStore } from '../../../Public/js/models/chatStore.js';
import { Keeping } from '../../../Public/js/services/keeping.js';
import { Receipts } from '../../../Public/js/services/receipts.js';
import { LocalTexts, MemoryStorage } from '../../../Public/js/services/storage.js';
import { ChatSync } from '../../../Public/js/services/sync.js';
import { FakeClock, FakeLocalStorage, ada, answer, fakeApi, room } from './fakes.js';

/** A page's `ChatSync` with a server, a stream and an outbox that record their calls. */
export function syncWorld({ methods = {}, storage = new MemoryStorage() } = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  const api = fakeApi({
    session: async () => answer({ ...ada, email: 'ada@example.org' }),
    rooms: async () => answer([room({ last_seq: 3, read_seq: 1, unread_count: 2 })], { eventId: 40 }),
    putReceipt: async () => answer(null),
    ...methods,
  });
  const stream = {
    state: 'connecting', opened: [], closed: 0, woken: 0,
    open: (id) => stream.opened.push(id),
    close: () => { stream.closed += 1; },
    wake: () => { stream.woken += 1; },
  };
  const outbox = {
    started: 0, pokes: 0, wiped: 0, settled: [], listeners: [],
    subscribe: (listener) => outbox.listeners.push(listener),
    start: () => { outbox.started += 1; },
    poke: () => { outbox.pokes += 1; },
    wipe: async () => {
      outbox.wiped += 1;
      await storage.wipe('outbox');
    },
    settle: (one) => outbox.settled.push(one.seq),
  };
  const drafts = new LocalTexts(new FakeLocalStorage(), 'draft');
  const preferences = new LocalTexts(new FakeLocalStorage(), 'preference');
  const receipts = new Receipts({ api, store, clock });
  const sync = new ChatSync({ api, store, storage, drafts, preferences, stream, outbox, receipts, clock });
  const ended = { count: 0 };
  sync.onSessionEnded = () => { ended.count += 1; };
  /** Attaches the keeper, which a page loads later. */
  const attach = (most = 50) => {
    const keeper = new Keeping({ store, storage, clock, settled: () => sync.settled, most: () => most });
    sync.attach(keeper);
    return keeper;
  };
  return { clock, store, api, stream, outbox, drafts, preferences, receipts, sync, storage, ended, attach };
}

/** The storage that the last visit left. */
export async function visited(rooms, eventId, messages = {}, changes = {}) {
  const storage = new MemoryStorage();
  await storage.put('meta', 'me', ada);
  await storage.put('meta', 'owner', 'ada');
  await storage.put('meta', 'rooms', { eventId, rooms });
  for (const [id, kept] of Object.entries(messages)) {
    await storage.put('messages', id, {
      upTo: eventId, whole: true, messages: kept, changes: changes[id],
    });
  }
  return storage;
}
