/** People, a group and the services that tests of groups share. */
import { ChatStore } from '../../../Public/js/models/chatStore.js';
import { FakeClock, ada, answer, bob, fakeApi, room } from './fakes.js';

export const cyd = { ...bob, id: 'cyd', login: 'cyd', github_id: 3, first_name: 'Cyd', name: 'Cyd', online: false };
export const zoë = { ...bob, id: 'zoe', login: null, github_id: null, first_name: 'Zoë', name: 'Zoë', online: false };
export const group = (members = {}) => room({
  kind: 'group', peer: null, name: 'Reading', topic: '', public: false, role: 'owner', mention_level: 'all', ...members,
});

/** A store with these rooms, and an API of these methods. */
export function world(methods, rooms = [group()]) {
  const store = new ChatStore();
  store.setMe(ada);
  store.load(rooms, 0);
  const api = fakeApi(methods);
  return { store, clock: new FakeClock(), groups: api, api };
}

/** Gives a world direct chats and an outbox. */
export function withChats(services) {
  services.sent = [];
  services.api = { openDirect: async ({ user_id: id }) => answer(
    { ...group({ id: `chat-${id}`, kind: 'direct' }), peer: { id, name: id } }) };
  services.outbox = { add: (message) => services.sent.push(message) };
}
