import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../../Public/css/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), 'utf8');

/** Custom properties of tokens.css whose value is one colour or a light and a dark one. */
function readColours() {
  const colours = new Map();
  const colour = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`;
  const pattern = new RegExp(String.raw`--([\w-]+): (?:light-dark\(${colour}, ${colour}\)|${colour});`, 'g');
  for (const [, name, ...numbers] of read('tokens.css').matchAll(pattern)) {
    const values = numbers.map((number) => (number === undefined ? undefined : Number(number)));
    const light = values[0] === undefined ? values.slice(6, 9) : values.slice(0, 3);
    const dark = values[0] === undefined ? values.slice(6, 9) : values.slice(3, 6);
    colours.set(name, { light, dark });
  }
  return colours;
}

/** OKLCH to linear sRGB; the matrices are those of CSS Color 4, section 10.8 and Ottosson's definition of OKLab. */
function toLinear([lightness, chroma, hue]) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map((channel) => Math.min(1, Math.max(0, channel)));
}

/** Relative luminance of WCAG 2.2. */
function luminance(colour) {
  const [red, green, blue] = toLinear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const colours = readColours();
const surfaces = ['ground', 'paper', 'raised', 'hover', 'hover-raised', 'selected'];
const words = ['ink', 'ink-soft', 'link', 'green-ink', 'amber-ink', 'red-ink'];
const pairs = [
  ...words.flatMap((word) => surfaces.map((surface) => [word, surface])),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-accent-soft', 'accent'],
  ['on-accent', 'muted-count'],
  ['on-accent', 'red'],
  ['on-accent', 'red-hover'],
  ['ink', 'found'],
  ['ink', 'segment'],
];
/** Drawings and edges that carry a meaning: 3 is enough (WCAG 1.4.11). */
const drawings = [
  ['tick-read', 'accent'],
  ['edge', 'raised'],
  ['edge', 'paper'],
  ['link', 'ground'],
];

test('the reference colours of the conversion: white on black is 21, a known pair agrees', () => {
  assert.ok(Math.abs(contrast([1, 0, 0], [0, 0, 0]) - 21) < 0.01);
  // #808080 is oklch(0.5999 0 0), and white on it is 3.95.
  assert.ok(Math.abs(contrast([1, 0, 0], [0.5999, 0, 0]) - 3.95) < 0.01);
});

for (const theme of ['light', 'dark']) {
  test(`all text on every surface has a contrast of at least 4.5, ${theme}`, () => {
    for (const [front, back] of pairs) {
      const ratio = contrast(colours.get(front)[theme], colours.get(back)[theme]);
      assert.ok(ratio >= 4.5, `${front} on ${back} is ${ratio.toFixed(2)}`);
    }
  });

  test(`every meaningful graphic has a contrast of at least 3, ${theme}`, () => {
    for (const [front, back] of drawings) {
      const ratio = contrast(colours.get(front)[theme], colours.get(back)[theme]);
      assert.ok(ratio >= 3, `${front} on ${back} is ${ratio.toFixed(2)}`);
    }
  });
}

test('initials are readable on each of the twelve face colours', () => {
  const sheet = read('avatar.css');
  const [, lightness, chroma] = sheet.match(/oklch\(([\d.]+) ([\d.]+) var\(--face-hue/);
  const hues = [...sheet.matchAll(/\[data-colour="\d+"\] \{ --face-hue: (\d+); \}/g)].map(([, hue]) => Number(hue));
  assert.equal(new Set(hues).size, 12);
  for (const hue of hues) {
    const ratio = contrast(colours.get('on-face').light, [Number(lightness), Number(chroma), hue]);
    assert.ok(ratio >= 4.5, `hue ${hue} is ${ratio.toFixed(2)}`);
  }
});

test('order.txt names every sheet once, and no other', () => {
  const order = read('order.txt').split('\n').filter(Boolean);
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'));
  assert.deepEqual([...order].sort(), sheets.sort());
});

test('chat/order.txt names every sheet of an open chat once, and no other', () => {
  const order = read('chat/order.txt').split('\n').filter(Boolean);
  const sheets = readdirSync(new URL('chat/', folder)).filter((name) => name.endsWith('.css'));
  assert.deepEqual([...order].sort(), sheets.sort());
});

test('every custom property that a sheet uses is defined somewhere', () => {
  const below = ['later', 'chat']
    .flatMap((name) => readdirSync(new URL(`${name}/`, folder)).map((file) => `${name}/${file}`));
  const names = [...read('order.txt').split('\n'), ...below].filter((name) => name.endsWith('.css'));
  const sheets = names.map(read).join('\n');
  const defined = new Set([...sheets.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const used = [...sheets.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name);
  assert.deepEqual(used.filter((name) => !defined.has(name)), []);
});
