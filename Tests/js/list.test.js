import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded, shuffled } from './support/fakes.js';
import { FakeNode } from './support/listDocument.js';

const { ObservableArray } = await import('../../Public/js/models/observableArray.js');
const { bindList } = await import('../../Public/js/views/boundList.js');

test('patched rows equal new ones, keep their nodes, and change only where needed', () => {
  const random = seeded(11);
  for (let round = 0; round < 200; round += 1) {
    const array = new ObservableArray();
    const container = new FakeNode();
    let [made, updated, removed] = [0, 0, 0];
    const create = (item) => {
      made += 1;
      const node = new FakeNode();
      node.text = `${item.key}:${item.value}`;
      return {
        node,
        update(next, previous) {
          updated += 1;
          assert.equal(node.text, `${previous.key}:${previous.value}`, 'it is told from what it changes');
          node.text = `${next.key}:${next.value}`;
        },
        remove: () => (removed += 1),
      };
    };
    const list = bindList({ array, container, create });
    let before = [];
    for (let step = 0; step < 8; step += 1) {
      const nodes = new Map(before.map(({ key }, index) => [key, container.children[index]]));
      const counts = [made, updated, removed];
      const pool = Array.from({ length: Math.floor(random() * 14) },
        (_, key) => ({ key, value: Math.floor(random() * 3) }));
      const next = shuffled(pool, random).filter(() => random() < 0.8);
      array.replaceAll(next);
      assert.deepEqual(container.children.map(({ text }) => text), next.map(({ key, value }) => `${key}:${value}`));
      assert.deepEqual(list.views.map(({ node }) => node), container.children);
      for (const [index, { key }] of next.entries()) {
        const node = nodes.get(key) ?? container.children[index];
        assert.equal(container.children[index], node, 'a row that stays is the same node');
      }
      const old = new Map(before.map(({ key, value }) => [key, value]));
      const kept = next.filter(({ key }) => old.has(key));
      assert.deepEqual([made - counts[0], updated - counts[1], removed - counts[2]], [
        next.length - kept.length,
        kept.filter(({ key, value }) => old.get(key) !== value).length,
        before.length - kept.length,
      ]);
      before = next;
    }
    list.end();
  }
});
