process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { Observable } from '../../Public/js/models/observableArray.js';
import { SearchViewModel } from '../../Public/js/viewmodels/searchViewModel.js';
import { FakeClock, ada, answer, bob, deferred, failure, fakeApi, message, room, settle } from './support/fakes.js';

const jose = { ...bob, id: 'jose', login: 'jsmith', name: 'José Smith', github_id: 9, online: false };
const found = (seq, more = {}) => ({
  ...message(seq), snippet: [{ text: 'a ', hit: false }, { text: 'log', hit: true }],
  room: { id: 'room', name: 'Bob', kind: 'direct' }, ...more,
});
const nothing = { users: [], rooms: [], messages: [] };

function world(request, methods = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  store.setMe(ada);
  const team = room({ id: 'team', kind: 'group', name: 'Logistics', peer: null, topic: 'Boxes' });
  store.load([room(), room({ id: 'j', peer: jose }), team], 1);
  const status = new Observable({ connection: 'online', loading: false, error: null });
  const sync = { get state() { return status.state; }, subscribe: (listener) => status.subscribe(listener) };
  const api = fakeApi({ request, ...methods });
  const search = new SearchViewModel({ store, api, sync, clock });
  let id = 1;
  const event = (name, data) => { id += 1; store.apply({ id, event: name, data }, clock.now()); };
  return { clock, store, status, api, search, event };
}

const names = (array) => array.items.map((item) => item.name);

test('names of one’s own chats show before the server responds, ignoring case and accents',
  { shows: ['Q1'] }, async () => {
  const reply = deferred();
  const { search, api } = world(() => reply.promise);
  search.search(' JOSE ');
  assert.deepEqual(names(search.chats), ['José Smith']);
  assert.deepEqual([search.state.loading, search.state.query], [true, 'JOSE']);
  search.search('smith jos');
  assert.deepEqual(names(search.chats), ['José Smith']);
  search.search('jsm');
  assert.deepEqual(names(search.chats), ['José Smith'], 'by login, too');
  const [, , , { query }] = api.calls.at(-1);
  assert.deepEqual(query, { q: 'jsm' });
  search.search('log');
  assert.deepEqual(search.chats.items.map(({ name, href, detail }) => [name, href, detail]),
    [['Logistics', '/chats/team', 'Boxes']]);
  search.search('from:bob log');
  assert.equal(search.chats.length, 0, 'with a filter it is messages that are looked for');
  search.close();
});

test('chats, people and messages have what a row shows; nobody is listed twice',
  { shows: ['Q1'] }, async () => {
  const grace = { ...bob, id: 'grace', login: '', name: 'Grace', github_id: null, online: true };
  const open = room({ id: 'open', kind: 'group', name: 'Open logs', peer: null, role: null });
  const inTeam = found(7, { room_id: 'team', sender: jose, room: { id: 'team', name: 'Logistics', kind: 'group' } });
  const elsewhere = found(2, { room_id: 'x', room: { id: 'x', name: 'Elsewhere', kind: 'group' } });
  const { search } = world(async () => answer({
    users: [grace, jose, ada], rooms: [room({ id: 'j', peer: jose }), open], messages: [inTeam, found(3), elsewhere],
  }));
  search.search('smith');
  await settle();
  assert.deepEqual(search.chats.items.map(({ name, detail }) => [name, detail]),
    [['José Smith', '@jsmith'], ['Open logs', 'Public group']]);
  assert.deepEqual(search.people.items.map(({ name, detail, online }) => [name, detail, online]),
    [['Grace', 'Online', true]]);
  assert.deepEqual(search.messages.items.map(({ name, place, href, time }) => [name, place, href, time]), [
    ['José Smith', 'in Logistics', '/chats/team?at=7&found=log', '08:00'],
    ['Bob', '', '/chats/room?at=3&found=log', '08:00'],
    ['Bob', 'in Elsewhere', '/chats/x?at=2&found=log', '08:00'],
  ]);
  assert.deepEqual(search.messages.items[0].pieces[1], { text: 'log', hit: true });
  assert.deepEqual([search.state.loading, search.state.end, search.state.said, search.state.gitHubQuery],
    [false, true, '6 results', 'smith']);
  search.search('has:link');
  assert.equal(search.state.gitHubQuery, '', 'GitHub knows nothing of our filters');
  search.search('');
  assert.deepEqual([search.state.query, search.messages.length, search.state.loading], ['', 0, false]);
  search.close();
});

test('a response to an earlier search is dropped, and its request aborted', { shows: ['Q1'] }, async () => {
  const replies = [];
  const { search } = world((_method, _path, { signal }) => {
    replies.push({ ...deferred(), signal });
    return replies.at(-1).promise;
  });
  search.search('a');
  search.search('ab');
  search.search('ab');
  assert.equal(replies.length, 2, 'the same question is not asked twice');
  assert.ok(replies[0].signal.aborted && !replies[1].signal.aborted);
  replies[1].resolve(answer({ ...nothing, messages: [found(2)] }));
  await settle();
  replies[0].resolve(answer({ ...nothing, messages: [found(1), found(3)] }));
  await settle();
  assert.deepEqual(search.messages.items.map((item) => item.key), ['room#2']);
  search.search('abc');
  replies[2].reject(failure('aborted'));
  search.search('abcd');
  await settle();
  assert.equal(search.state.error, null);
  search.close();
  assert.ok(replies[3].signal.aborted);
});

test('more messages are loaded near the end, each shown once', { shows: ['Q1'] }, async () => {
  const pages = {
    '/search': answer({ ...nothing, messages: [found(9), found(8)] }, { next: '/api/v1/search?cursor=2' }),
    '/api/v1/search?cursor=2': answer({ messages: [] }, { next: '/api/v1/search?cursor=3' }),
    '/api/v1/search?cursor=3': answer({ messages: [found(8), found(7)] }),
  };
  const { search } = world(async (_method, path) => pages[path]);
  search.search('log');
  await settle();
  assert.deepEqual([search.state.end, search.state.said, search.state.page], [false, '3 or more results', 1]);
  await search.nearEnd();
  assert.deepEqual([search.messages.length, search.state.page, search.state.end], [2, 2, false], 'a page may be empty');
  await search.nearEnd();
  assert.deepEqual(search.messages.items.map((item) => item.key), ['room#9', 'room#8', 'room#7']);
  assert.equal(search.state.end, true);
  await search.nearEnd();
  assert.equal(search.state.page, 3, 'there is no more');
  search.close();
});

test('failures say what to do: try again, wait for the network, or correct the search', { shows: ['Q1'] }, async () => {
  let fails = failure('network');
  const { search, status } = world(async () => { if (fails) throw fails; return answer(nothing); });
  search.search('log');
  await settle();
  assert.match(search.state.error, /The search failed\. Hubbub cannot be reached/);
  assert.deepEqual([search.state.canRetry, names(search.chats)], [true, ['Logistics']]);
  status.update({ connection: 'offline' });
  await settle();
  assert.equal(search.state.offline, true);
  fails = null;
  status.update({ connection: 'online' });
  await settle();
  assert.deepEqual([search.state.error, search.state.offline, search.state.empty], [null, false, false],
    'it went by itself');
  fails = failure('invalid', { errors: [{ field: 'q', code: 'invalid', detail: 'A day is written 2026-03-14.' }] });
  search.search('before:x');
  await settle();
  assert.deepEqual([search.state.error, search.state.isWrong, search.state.canRetry],
    ['A day is written 2026-03-14.', true, false]);
  fails = null;
  search.search('nobody has this');
  await settle();
  assert.deepEqual([search.state.empty, search.state.said], [true, 'Nothing found']);
  search.close();
});

test('a page that fails is reported, and can be retried', { shows: ['Q1'] }, async () => {
  let fails = true;
  const { search } = world(async (_method, path) => {
    if (path === '/search') return answer({ ...nothing, messages: [found(9)] }, { next: '/api/v1/search?cursor=2' });
    if (fails) throw failure('timeout');
    return answer({ messages: [found(1)] });
  });
  search.search('log');
  await settle();
  await search.nearEnd();
  assert.match(search.state.error, /took too long/);
  await search.nearEnd();
  assert.equal(search.messages.length, 1);
  fails = false;
  search.retry();
  await settle();
  await search.nearEnd();
  assert.equal(search.messages.length, 2);
  search.close();
});

test('messages deleted, hidden or cleared meanwhile leave the results; new names show',
  { shows: ['Q1', 'L2'] }, async () => {
  const { search, event } = world(async () =>
    answer({ ...nothing, messages: [found(5), found(3), found(2), found(1)] }));
  search.search('log');
  await settle();
  const seqs = () => search.messages.items.map((item) => Number(item.key.split('#')[1]));
  event('message.deleted', message(3, { deleted_at: 'x', text: '' }));
  event('message.hidden', { room_id: 'room', seq: 1 });
  event('user.updated', { ...bob, name: 'Robert' });
  await settle();
  assert.deepEqual(seqs(), [5, 2]);
  assert.equal(search.messages.items[0].name, 'Robert');
  event('room.updated', room({ last_seq: 5, cleared_seq: 2 }));
  await settle();
  assert.deepEqual(seqs(), [5]);
  event('room.removed', { id: 'room' });
  await settle();
  assert.deepEqual(seqs(), []);
  search.close();
});

test('selecting a person opens the direct chat, or says why not', { shows: ['D6', 'Q1'] }, async () => {
  let fails = false;
  const { search, store, api } = world(async () => answer(nothing), {
    openDirect: async () => {
      if (fails) throw failure('rate-limited');
      return answer(room({ id: 'new', peer: { ...bob, id: 'new', github_id: 10 } }));
    },
  });
  assert.equal(await search.press({ key: 'jose', name: 'José' }), 'j', 'the chat that is there');
  assert.deepEqual(api.calls, []);
  assert.equal(await search.press({ key: 'cyd', name: 'José' }), 'new');
  const asked = { user_id: 'cyd', github_login: undefined, github_id: undefined };
  assert.deepEqual(api.calls.at(-1), ['openDirect', asked]);
  assert.equal(store.orderedRooms()[0].id, 'new');
  fails = true;
  assert.equal(await search.press({ key: 'dan', name: 'José' }), null);
  assert.match(search.state.pressError, /^The chat with José could not be opened/);
  search.close();
});

test('a query is cut to the length that the server accepts', async () => {
  const { search, api } = world(async () => answer(nothing));
  search.search('😀'.repeat(300));
  assert.equal([...api.calls.at(-1)[3].query.q].length, 200);
  search.close();
});
