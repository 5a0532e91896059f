import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PICTURE_SIDE, squareOf } from '../../Public/js/models/crop.js';
import { Api } from '../../Public/js/services/api.js';
import { Upload } from '../../Public/js/services/upload.js';
import { PictureViewModel } from '../../Public/js/viewmodels/pictureViewModel.js';
import { FakeClock, ada, answer, deferred, failure, settle } from './support/fakes.js';

test('a picture is cropped to its central square, and small ones are not enlarged', { shows: ['A4'] }, () => {
  assert.deepEqual(squareOf(1000, 600), { left: 200, top: 0, side: 600, drawn: PICTURE_SIDE });
  assert.deepEqual(squareOf(100, 301), { left: 0, top: 100, side: 100, drawn: 100 });
  assert.equal(squareOf(0, 5), null);
  assert.equal(squareOf(NaN, 5), null);
});

test('a picture is read, shown, and uploaded with progress; the result is announced', { shows: ['A4'] }, async () => {
  const small = new Blob(['small']);
  const gate = deferred();
  let tell;
  const picture = new PictureViewModel({
    read: async () => small,
    store: (blob, { onProgress }) => {
      assert.equal(blob, small);
      tell = onProgress;
      return gate.promise;
    },
  });
  assert.equal(await picture.use(), false);
  const reading = picture.choose(new Blob(['large']));
  assert.equal(picture.state.stage, 'reading');
  await reading;
  assert.deepEqual([picture.state.stage, picture.state.blob], ['chosen', small]);
  const storing = picture.use();
  tell(0.5);
  assert.deepEqual([picture.state.stage, picture.state.progress], ['storing', 0.5]);
  await picture.choose(new Blob(['other']));
  assert.equal(await picture.remove(), false);
  gate.resolve();
  assert.equal(await storing, true);
  assert.deepEqual([picture.state.stage, picture.state.blob], ['idle', null]);
  assert.match(picture.state.note, /stored/);
});

test('an invalid or too large file is explained; the former choice stays', { shows: ['A4'] }, async () => {
  let reason = 'not-image';
  let good = true;
  const picture = new PictureViewModel({
    read: async () => {
      if (good) return new Blob(['x']);
      throw Object.assign(new Error(), { reason });
    },
  });
  good = false;
  await picture.choose(new Blob([]));
  assert.equal(picture.state.stage, 'idle');
  assert.match(picture.state.error, /not a picture/);
  reason = 'too-large';
  await picture.choose(new Blob([]));
  assert.match(picture.state.error, /30 MB/);
  good = true;
  await picture.choose(new Blob([]));
  assert.equal(picture.state.error, null);
  good = false;
  await picture.choose(new Blob([]));
  assert.equal(picture.state.stage, 'chosen');
  assert.ok(picture.state.blob);
  assert.equal(picture.canStore, false);
  assert.equal(await picture.use(), false);
  picture.cancel();
  assert.deepEqual([picture.state.stage, picture.state.blob], ['idle', null]);
});

test('a failed upload keeps the picture for a retry; a cancelled one ends silently',
  { shows: ['A4'] }, async () => {
  let error = failure('network');
  const picture = new PictureViewModel({
    read: async () => new Blob(['x']),
    store: async (_blob, { signal }) => {
      if (error) throw error;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(failure('aborted'))));
    },
    remove: async () => { if (error) throw error; },
  });
  await picture.choose(new Blob([]));
  assert.equal(await picture.use(), false);
  assert.match(picture.state.error, /reached/);
  assert.equal(picture.state.stage, 'chosen');
  for (const [kind, pattern] of [['too-large', /too large/], ['unsupported-media-type', /not a picture/]]) {
    error = failure(kind);
    await picture.use();
    assert.match(picture.state.error, pattern);
  }
  error = null;
  const storing = picture.use();
  await settle();
  picture.cancel();
  assert.equal(await storing, false);
  assert.deepEqual([picture.state.stage, picture.state.error], ['idle', null]);
  assert.equal(await picture.remove(), true);
  assert.match(picture.state.note, /removed/);
  error = failure('network');
  assert.equal(await picture.remove(), false);
  assert.match(picture.state.error, /reached/);
  picture.close();
});

test('a slowly read file is not shown if another was chosen meanwhile', { shows: ['A4'] }, async () => {
  const late = deferred();
  const second = new Blob(['second']);
  let calls = 0;
  const picture = new PictureViewModel({ read: async () => ((calls += 1) === 1 ? late.promise : second) });
  const first = picture.choose(new Blob([]));
  await picture.choose(new Blob([]));
  late.resolve(new Blob(['first']));
  await first;
  assert.equal(picture.state.blob, second);
});

/** A stand-in for XMLHttpRequest that a test drives. */
class FakeRequest {
  upload = {};
  fields = {};

  open(method, address) { this.asked = `${method} ${address}`; }

  setRequestHeader(name, value) { this.fields[name] = value; }

  send(body) { this.body = body; }

  abort() { this.end('onabort'); }

  getResponseHeader(name) { return this.answerFields?.[name] ?? null; }

  end(name) {
    this[name]();
    this.onloadend();
  }
}

function upload() {
  const request = new FakeRequest();
  const api = new Api({ fetch: async () => { throw new Error('not this way'); }, clock: new FakeClock() });
  const calls = [];
  api.onUnauthenticated = () => calls.push('signed out');
  return { request, calls, sender: new Upload({ makeRequest: () => request, api }) };
}

test('an upload reports its progress and the response or the failure', { shows: ['A4'] }, async () => {
  const { request, sender } = upload();
  const shares = [];
  const sent = sender.put('/me/avatar', new Blob(['x'], { type: 'image/webp' }),
    { onProgress: (share) => shares.push(share) });
  assert.equal(request.asked, 'PUT /api/v1/me/avatar');
  assert.equal(request.fields['Content-Type'], 'image/webp');
  request.upload.onprogress({ lengthComputable: true, loaded: 1, total: 4 });
  request.upload.onprogress({ lengthComputable: false, loaded: 1, total: 0 });
  Object.assign(request, { status: 200, responseText: '{"id":"ada"}' });
  request.end('onload');
  assert.deepEqual(await sent, { status: 200, body: { id: 'ada' } });
  assert.deepEqual(shares, [0.25]);

  for (const [name, kind] of [['onerror', 'network'], ['ontimeout', 'timeout']]) {
    const failing = upload();
    const failed = failing.sender.put('/x', new Blob([]));
    failing.request.end(name);
    await assert.rejects(failed, (error) => error.kind === kind);
  }
  const refused = upload();
  const refusal = refused.sender.put('/x', new Blob([]));
  Object.assign(refused.request, { status: 401, responseText: '{"type":"/problems/unauthenticated"}' });
  refused.request.end('onload');
  await assert.rejects(refusal, (error) => error.kind === 'unauthenticated');
  assert.deepEqual(refused.calls, ['signed out']);
});

test('an upload can be cancelled, before and while it runs', { shows: ['A4'] }, async () => {
  const before = upload();
  await assert.rejects(before.sender.put('/x', new Blob([]), { signal: AbortSignal.abort() }),
    (error) => error.kind === 'aborted');
  const during = upload();
  const abort = new AbortController();
  const sent = during.sender.put('/x', new Blob([]), { signal: abort.signal });
  abort.abort();
  await assert.rejects(sent, (error) => error.kind === 'aborted');
  const empty = upload();
  const done = empty.sender.put('/x', new Blob([]));
  Object.assign(empty.request, { status: 204, responseText: '' });
  empty.request.end('onload');
  assert.deepEqual(await done, { status: 204, body: null });
});
