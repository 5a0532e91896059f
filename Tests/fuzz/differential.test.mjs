/**
 * The project's request parser against llhttp over generated requests, valid and not. Where they differ, a rule below
 * must say why; a difference that no rule explains fails.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { differences } from "./differences.mjs";
import { llhttp } from "./llhttp.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const outcomes = process.env.HUBBUB_OUTCOMES ?? here("../../.build/workbench/release/Outcomes");
const count = Number(process.env.HUBBUB_DIFFERENTIAL ?? 100_000);

/** Numbers that look random and are the same in each run. */
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const fragments = [
  "\r\n", "\r", "\n", "\r\n\r\n", " ", "\t", ":", "\0", "GET ", "POST ", " HTTP/1.1", " HTTP/1.0", "/", "*", "?", "%2e",
  "..",
  "Host: a\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n", "chunked",
  "gzip, ",
  "Connection: close\r\n", "Connection: keep-alive\r\n", ",", ";", "5\r\nhello\r\n", "0\r\n\r\n", ";x=y",
  "FFFFFFFFFFFFFFFF",
  "é", "\x7f", "\x01", "X: \r\n", "X:y\r\n", " \r\n", "1", "+", "-", "0x", "\"", "_",
];

function mutated(seed, random) {
  let bytes = Buffer.from(seed);
  for (let round = random(4); round >= 0; round--) {
    const at = random(bytes.length + 1);
    const length = Math.min(random(7), bytes.length - at);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + length)];
    const middle = bytes.subarray(at, at + length);
    switch (random(4)) {
      case 0: bytes = Buffer.concat([before, Buffer.from([random(256)]), bytes.subarray(at + 1)]); break;
      case 1: bytes = Buffer.concat([before, after]); break;
      case 2: {
        const fragment = Buffer.from(fragments[random(fragments.length)], "latin1");
        bytes = Buffer.concat([before, fragment, middle, after]);
        break;
      }
      default: bytes = Buffer.concat([before, middle, middle, after]);
    }
  }
  return bytes;
}

/** The seeds of the fuzzer without the byte that chooses its limits, and mutations of them. */
function inputs() {
  const names = readdirSync(here("corpus")).filter((name) => !name.endsWith("-tight")).sort();
  const seeds = names.map((name) => readFileSync(here(`corpus/${name}`)).subarray(1));
  const random = generator(Number(process.env.HUBBUB_SEED ?? 7));
  return [...seeds, ...Array.from({ length: count }, (_, index) => mutated(seeds[index % seeds.length], random))];
}

const text = (digits) => Buffer.from(digits, "hex").toString("utf8");
const repaired = (latin) => Buffer.from(latin, "latin1").toString("utf8");

/** What both say of a request, in one form. */
function mine(message) {
  const fields = message.fields.map(([name, value]) => [text(name), text(value)]);
  return { ...message, target: text(message.target), fields, body: message.body, end: undefined };
}
function theirs(message) {
  const fields = message.fields.map(([name, value]) => [repaired(name), repaired(value)]);
  const body = Buffer.from(message.body).toString("hex");
  return { ...message, target: repaired(message.target), fields, body, end: undefined };
}

test("generated requests: what llhttp reads otherwise is explained (RFC 9112)", () => {
  const all = inputs();
  const input = all.map((bytes) => `${bytes.toString("hex")}\n`).join("");
  const run = spawnSync(outcomes, { input, maxBuffer: 1 << 30 });
  assert.equal(run.status, 0, String(run.stderr));
  const results = run.stdout.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(results.length, all.length);
  const explained = new Map();
  const unexplained = [];
  let agreed = 0;
  let parsed = 0;
  all.forEach((bytes, index) => {
    const own = { ...results[index], messages: results[index].messages.map(mine) };
    const other = llhttp(bytes);
    other.messages = other.messages.map(theirs);
    parsed += own.messages.length;
    const difference = firstDifference(own, other);
    if (!difference) { agreed += 1; return; }
    const start = difference.at > 0 ? results[index].messages[difference.at - 1].end : 0;
    const rest = bytes.toString("latin1").slice(start);
    const rule = differences.find((candidate) => candidate.holds({ ...difference, own, other, rest }));
    if (rule) explained.set(rule.why, (explained.get(rule.why) ?? 0) + 1);
    else unexplained.push(describe(difference, own, other, bytes));
  });
  console.log(`${all.length} inputs, ${parsed} requests read, ${agreed} alike`);
  for (const [why, times] of [...explained].sort((a, b) => b[1] - a[1])) console.log(`${times} × ${why}`);
  assert.ok(parsed > all.length / 10, "the generator must leave some requests whole");
  assert.deepEqual(unexplained.slice(0, 5), [], `${unexplained.length} differences without a reason`);
});

function describe({ kind, at, a, b }, own, other, bytes) {
  const words = `${kind} at request ${at}: "${own.reason}" here, "${other.error}" there`;
  return `${words}; ${JSON.stringify(a)} and ${JSON.stringify(b)}; ${JSON.stringify(bytes.toString("latin1"))}`;
}

/** Where the two first part ways: at which request, and what each does there; null if they never do. */
function firstDifference(own, other) {
  const most = Math.max(own.messages.length, other.messages.length);
  for (let at = 0; at <= most; at++) {
    const [a, b] = [own.messages[at], other.messages[at]];
    if (a && b) {
      try { assert.deepEqual(a, b); } catch { return { at, kind: "read otherwise", a, b }; }
      if (!a.keepAlive) return null;
    } else if (a) {
      return { at, kind: other.error ? "only llhttp refuses" : "only llhttp waits", a };
    } else if (b) {
      return { at, kind: own.refusal ? "only we refuse" : "only we wait", b };
    } else if (Boolean(own.refusal) !== Boolean(other.error)) {
      return { at, kind: own.refusal ? "only we refuse" : "only llhttp refuses" };
    }
  }
  return null;
}
