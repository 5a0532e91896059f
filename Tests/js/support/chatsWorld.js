import { ChatStore } from '../../../Public/js/models/chatStore.js';
import { Observable } from '../../../Public/js/models/observableArray.js';
import { LocalTexts } from '../../../Public/js/services/storage.js';
import { FakeClock, FakeLocalStorage, ada, bob, message, room } from './fakes.js';

export const carl = { ...bob, id: 'carl', login: 'carl', name: 'Carl', github_id: 3, online: false };

/** The services of the view models of the list, the shell and the connection. */
export function world({ rooms = [], loaded = true } = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  store.setMe(ada);
  if (loaded) store.load(rooms, 1);
  const status = new Observable({ connection: 'online', loading: !loaded, error: null });
  const sync = {
    retried: 0, get state() { return status.state; }, subscribe: (listener) => status.subscribe(listener),
    retry: () => { sync.retried += 1; },
  };
  const listeners = new Set();
  const outbox = {
    pausedUntil: null,
    kept: [], get waiting() { return this.kept.filter((entry) => entry.state === 'unsent').length; },
    entries: (roomId) => outbox.kept.filter((entry) => entry.roomId === roomId),
    subscribe: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
    tell: (change) => { for (const listener of listeners) listener(change); },
    set: (kept) => { outbox.kept = kept; for (const listener of listeners) listener({ type: 'loaded' }); },
  };
  let id = 1;
  const event = (name, data) => { id += 1; store.apply({ id, event: name, data }, clock.now()); };
  const passing = (name, data) => store.apply({ id: null, event: name, data }, clock.now());
  const drafts = new LocalTexts(new FakeLocalStorage(), 'draft');
  return { clock, store, status, sync, outbox, drafts, event, passing };
}

/** Two direct chats, the one with Bob newer. */
export const two = () => [
  room({
    id: 'a', last_seq: 1, read_seq: 1,
    last_message: message(1, { room_id: 'a', created_at: '2026-03-14T09:00:00.000Z' }),
  }),
  room({
    id: 'b', peer: carl, last_seq: 1, read_seq: 1,
    last_message: message(1, {
      room_id: 'b', sender: ada, text: 'mine\nand more', created_at: '2026-03-11T09:00:00.000Z',
    }),
  }),
];
