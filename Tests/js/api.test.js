import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../../Public/js/services/api.js';
import { FakeClock, settle } from './support/fakes.js';

/** An API over a `fetch` that returns this response and records the requests. */
function apiWith(status, body, headers = {}) {
  const requests = [];
  const clock = new FakeClock();
  const fetch = async (address, options) => {
    requests.push({ address, ...options });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, { status, headers });
  };
  return { api: new Api({ fetch, clock }), requests, clock };
}

test('responses have the event id, the age and the next page', async () => {
  const { api, requests } = apiWith(200, [1], {
    'Hubbub-Event-Id': '42', 'Hubbub-Fetched-At': '2026-03-14T10:00:00Z', 'Hubbub-Stale': '1',
    Link: '<http://h/api/v1/github/users?since=1{x}>; rel="first", <http://h/api/v1/github/users?since=9>; rel="next"',
  });
  const { header, ...answer } = await api.directory('/github/users?stored=1');
  assert.deepEqual([header('Hubbub-Stale'), header('Hubbub-Total')], ['1', null]);
  assert.deepEqual(answer, {
    status: 200, body: [1], eventId: 42, fetchedAt: Date.parse('2026-03-14T10:00:00Z'), stale: true,
    next: '/api/v1/github/users?since=9', prev: null,
  });
  assert.equal(requests[0].address, '/api/v1/github/users?stored=1');
  await api.directory(answer.next);
  assert.equal(requests[1].address, '/api/v1/github/users?since=9');
});

test('a next page outside the API is not followed', async () => {
  const { api } = apiWith(200, [], { Link: '</elsewhere>; rel=next, <https://evil.example/x>; rel="next"' });
  assert.equal((await api.rooms()).next, null);
});

test('a page of messages links both ways', async () => {
  const link = '</api/v1/rooms/r/messages?after=9>; rel="next", </api/v1/rooms/r/messages?before=3>; rel="prev start"';
  const { next, prev } = await apiWith(200, [], { Link: link }).api.messages('r', {});
  assert.deepEqual([next, prev], ['/api/v1/rooms/r/messages?after=9', '/api/v1/rooms/r/messages?before=3']);
});

test('requests have the documented method, path, query and body', async () => {
  const { api, requests } = apiWith(200, {});
  await api.messages('a/b', { before: 5, after: undefined, limit: 50 });
  await api.send('r', { client_id: 'c', text: 't' });
  await api.putReceipt('r', { read_seq: 3 });
  await api.typing('r', true);
  await api.openDirect({ github_login: 'ada' });
  await api.sync(7, 25);
  await api.room('r');
  await api.receipts('r');
  await api.changeMe({ first_name: 'A' });
  await api.session();
  await api.signUp({ email: 'e' });
  assert.deepEqual(requests.map(({ method, address }) => `${method} ${address}`), [
    'GET /api/v1/rooms/a%2Fb/messages?before=5&limit=50', 'POST /api/v1/rooms/r/messages',
    'PUT /api/v1/rooms/r/receipt',
    'POST /api/v1/rooms/r/typing', 'POST /api/v1/rooms', 'GET /api/v1/sync?after=7&wait=25', 'GET /api/v1/rooms/r',
    'GET /api/v1/rooms/r/receipts', 'PATCH /api/v1/me', 'GET /api/v1/session', 'POST /api/v1/accounts',
  ]);
  assert.equal(requests[1].body, '{"client_id":"c","text":"t"}');
  assert.equal(requests[1].headers['Content-Type'], 'application/json');
  assert.equal(requests[0].headers['Content-Type'], undefined);
});

test('problems become typed errors', async () => {
  const { api } = apiWith(429, {
    type: '/problems/github-rate-limited', status: 429, detail: 'slow', request_id: 'r1',
    reset_at: '2026-03-14T13:00:00Z', github_status: 403, github_request_id: 'g1', github_message: 'limit',
  }, { 'Retry-After': '90' });
  await assert.rejects(api.rooms(), {
    name: 'ApiError', kind: 'github-rate-limited', status: 429, detail: 'slow', requestId: 'r1', retryAfter: 90_000,
    resetAt: Date.parse('2026-03-14T13:00:00Z'), github: { status: 403, requestId: 'g1', message: 'limit' },
  });
});

test('a response without a problem document is identified by its status', async () => {
  for (const [status, kind] of [[404, 'not-found'], [409, 'conflict'], [413, 'too-large'], [418, 'invalid'],
    [500, 'internal'], [502, 'unavailable']]) {
    const { api } = apiWith(status, '<html>', { 'X-Request-Id': 'x' });
    await assert.rejects(api.rooms(), { kind, status, requestId: 'x', retryAfter: null });
  }
  const { api, clock } = apiWith(503, 'null', { 'Retry-After': new Date(new FakeClock().now() + 5000).toUTCString() });
  await assert.rejects(api.rooms(), { kind: 'unavailable', retryAfter: 5000 });
  assert.equal(clock.pending, 0);
  await assert.rejects(apiWith(503, '', { 'Retry-After': 'soon' }).api.rooms(), { retryAfter: null });
});

test('a 401 reports that nobody is signed in, except when signing in', async () => {
  const { api } = apiWith(401, {});
  let told = 0;
  api.onUnauthenticated = () => { told += 1; };
  await assert.rejects(api.signIn('e', 'p'), { kind: 'unauthenticated' });
  assert.equal(told, 0);
  await assert.rejects(api.signOut(), { kind: 'unauthenticated' });
  assert.equal(told, 1);
});

test('no response, a late one and an aborted one are different failures', async () => {
  const clock = new FakeClock();
  const never = (_address, { signal }) => new Promise((_, reject) => {
    if (signal.aborted) reject(new Error('aborted'));
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
  const late = assert.rejects(new Api({ fetch: never, clock }).rooms(), { kind: 'timeout', status: 0 });
  await clock.advance(15_000);
  await late;
  const abort = new AbortController();
  const stopped = assert.rejects(new Api({ fetch: never, clock }).messages('r', {}, { signal: abort.signal }),
    { kind: 'aborted' });
  await settle();
  abort.abort();
  await stopped;
  await assert.rejects(new Api({ fetch: never, clock }).messages('r', {}, { signal: abort.signal }),
    { kind: 'aborted' });
  const refused = async () => { throw new TypeError('Failed to fetch'); };
  await assert.rejects(new Api({ fetch: refused, clock }).rooms(), { kind: 'network', status: 0 });
  await assert.rejects(apiWith(200, '<html>').api.rooms(), { kind: 'network' });
});

test('an empty response has no body', async () => {
  assert.equal((await apiWith(204, '').api.signOut()).body, null);
});
