import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLinkable } from '../../Public/js/models/markdown/addresses.js';
import { namedEntity } from '../../Public/js/models/markdown/namedEntities.js';
import { parseMarkdown } from '../../Public/js/models/markdown/parse.js';

/** All addresses in a tree. */
function addressesIn(markdown, options = {}) {
  const found = [];
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value.href === 'string') found.push(value.href);
    Object.values(value).forEach(visit);
  };
  visit(parseMarkdown(markdown, { entity: namedEntity, ...options }));
  return found;
}

/** Ways to write the same dangerous address, as it stands in the source. */
const DISGUISES = [
  'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'JAVASCRIPT:alert(1)', 'javascript&colon;alert(1)',
  'javascript&#58;alert(1)', 'javascript&#x3a;alert(1)', 'javascript&#x003A;alert(1)', '&#106;avascript:alert(1)',
  '&#x6A;&#x61;vascript:alert(1)', 'java\\script:alert(1)', 'javascript\\:alert(1)', 'java&Tab;script:alert(1)',
  'java&NewLine;script:alert(1)', 'java&#9;script:alert(1)', 'java&#10;script:alert(1)', 'java&#13;script:alert(1)',
  'java&#0;script:alert(1)', '&#1;javascript:alert(1)', '&#14; javascript:alert(1)', '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)', '\u3000javascript:alert(1)', '\u200bjavascript:alert(1)', '\ufeffjavascript:alert(1)',
  'java\u00adscript:alert(1)', 'java&shy;script:alert(1)', 'java\u200dscript:alert(1)', 'java&zwj;script:alert(1)',
  '\u202ejavascript:alert(1)', '\u2066javascript:alert(1)\u2069', 'java\u202escript:alert(1)',
  'javascript\uff1aalert(1)', '\uff4aavascript:alert(1)', '\u{1d423}avascript:alert(1)', 'javascript&#xff1a;alert(1)',
  'javascript://%0aalert(1)', 'javascript://github.com/%0aalert(1)', 'javascript:/*https://*/alert(1)',
  'vbscript:msgbox(1)', 'VBScript:msgbox(1)', 'livescript:x', 'mocha:x',
  'data:text/html,x', 'DATA:text/html;base64,eA==', 'data&colon;text/html,x', 'data:image/svg+xml,x',
  'file:///etc/passwd', 'FILE:///c:/', 'blob:https://x.org/1',
  'filesystem:https://x.org/1', 'view-source:javascript:x', 'jar:https://x.org!/x', 'about:blank',
  'mhtml:x', 'feed:javascript:x', 'intent://x', 'ms-its:x', 'mk:x', 'chrome://settings',
];
/** The places where an address can stand. */
const PLACES = [
  (address) => `[a](${address})`, (address) => `[a](<${address}>)`, (address) => `[a](${address} "title")`,
  (address) => `![a](${address})`, (address) => `[![a](/b.png)](${address})`, (address) => `<${address}>`,
  (address) => `[a]\n\n[a]: ${address}`, (address) => `[a][b]\n\n[b]: <${address}> 'title'`,
  (address) => `![a][]\n\n[a]: ${address}`, (address) => address, (address) => `text ${address}`,
  (address) => `- [a](${address})`, (address) => `|[a](${address})|\n|-|`, (address) => `[^1]\n\n[^1]: [a](${address})`,
  (address) => `**[a](${address})**`, (address) => `# [a](${address})`, (address) => `<a href="${address}">a</a>`,
];
const DANGEROUS = /^(?:javascript|vbscript|livescript|mocha|data|file|blob|filesystem|view-source|about):/iu;
const harmless = (href) => /^(?:https?:|mailto:|\/|a$)/iu.test(href);

test('no disguise makes a link of an address that runs code', { shows: ['control 10'] }, () => {
  for (const disguise of DISGUISES) {
    for (const place of PLACES) {
      for (const strict of [false, true]) {
        const markdown = place(disguise);
        const found = addressesIn(markdown, { strict }).filter((href) => !harmless(href));
        for (const href of found) {
          // It is no scheme to a browser, which takes out tabs, newlines and leading controls before it reads one.
          const read = href.replaceAll(/[\t\n\r]/gu, '').replace(/^[\0- ]+/u, '');
          assert.ok(!DANGEROUS.test(read), `${JSON.stringify(markdown)} links to ${JSON.stringify(href)}`);
          assert.ok(!/^[\p{Cf}\p{Cc}]|[\u202a-\u202e\u2066-\u2069]/u.test(href), JSON.stringify(href));
          // Nor is it one to a reader.
          assert.ok(!/^[a-z][\w+.-]*:/iu.test(read.normalize('NFKC')), `${JSON.stringify(markdown)}: ${href}`);
        }
      }
    }
  }
});

test('what does not become a link stays text', () => {
  assert.deepEqual(parseMarkdown('[a](javascript:alert(1))').children[0].children, ['[a](javascript:alert(1))']);
  assert.deepEqual(parseMarkdown('<javascript:alert(1)>').children[0].children, ['<javascript:alert(1)>']);
  assert.deepEqual(parseMarkdown('[a]\n\n[a]: javascript:x').children[0].children, ['[a]']);
});

test('one function decides which addresses are links', () => {
  for (const address of [
    'https://x.org', 'http://x.org:8080/a?b#c', 'HTTPS://X.ORG', 'mailto:me@x.org', 'xmpp:me@x.org', 'irc://x.org/a',
    '/a/b', '#a', '?a=b', 'a/b:c', '//x.org/a', '', 'a%20b', '?a:b', 'https://x.org/ä', './a', 'ä/b',
  ]) {
    assert.equal(isLinkable(address), true, address);
  }
  for (const address of [
    'javascript:x', 'data:,x', 'tel:1', 'sms:1', 'steam://run', 'vscode://x', 'x:y', 'java\tscript:x', ' javascript:x',
    '\u0000https://x.org', 'https://x.org/\u202egpj.exe', 'https://x.org/a\u200bb', ':x', '1:x',
  ]) {
    assert.equal(isLinkable(address), false, JSON.stringify(address));
  }
  // The specifications' examples have schemes that nobody knows.
  assert.equal(isLinkable('made-up:x', true), true);
  assert.equal(isLinkable('made-up:x'), false);
});
