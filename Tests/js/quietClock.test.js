process.env.TZ = 'UTC';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatStore } from '../../Public/js/models/chatStore.js';
import { Observable } from '../../Public/js/models/observableArray.js';
import { QuietClock } from '../../Public/js/viewmodels/quietClock.js';
import { FakeClock, ada, answer, failure, settle } from './support/fakes.js';

const night = { on: true, from: '22:00', to: '07:00', utc_offset: 60 };

/** A page of Ada, whose hours were stored with a UTC offset one hour ahead. */
function page({ hours = night, connection = 'online', refuses = false } = {}) {
  const store = new ChatStore();
  const status = new Observable({ connection });
  const it = { store, status, sent: [], hours: (next) => store.setMe({ ...ada, settings: { do_not_disturb: next } }) };
  it.hours(hours);
  const profile = {
    async changeSettings(settings) {
      it.sent.push(settings.do_not_disturb);
      if (refuses) throw failure('network');
      return answer({ settings });
    },
  };
  const sync = { get state() { return status.state; }, subscribe: (listener) => status.subscribe(listener) };
  it.clock = new QuietClock({ profile, store, sync, clock: new FakeClock() });
  return it;
}

test('after a clock change or a journey the hours are stored again with the new offset, once',
  { shows: ['T2'] }, async () => {
  const it = page();
  await settle();
  assert.deepEqual(it.sent, [{ ...night, utc_offset: 0 }]);
  assert.equal(it.store.me.settings.do_not_disturb.utc_offset, 0);
  // A device in another time zone: the two must not overwrite each other forever.
  it.hours(night);
  await settle();
  assert.equal(it.sent.length, 1);
  process.env.TZ = 'Asia/Tokyo';
  await it.clock.look();
  process.env.TZ = 'UTC';
  assert.deepEqual(it.sent.at(-1), { ...night, utc_offset: 540 });
});

test('hours that are right, off or not the server\'s word yet are left alone; a failure waits for the next page',
  { shows: ['T2'] }, async () => {
  const right = page({ hours: { ...night, utc_offset: 0 } });
  const off = page({ hours: { ...night, on: false } });
  const kept = page({ connection: 'connecting' });
  await settle();
  assert.deepEqual([right.sent, off.sent, kept.sent], [[], [], []]);
  kept.hours({ ...night, from: '21:00' });
  kept.status.update({ connection: 'online' });
  off.hours(night);
  await settle();
  assert.deepEqual([kept.sent, off.sent],
    [[{ ...night, from: '21:00', utc_offset: 0 }], [{ ...night, utc_offset: 0 }]]);
  const refused = page({ refuses: true });
  await settle();
  refused.hours(night);
  await settle();
  assert.equal(refused.sent.length, 1);
});
