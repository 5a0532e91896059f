/** Markup, style sheets and data. */
import { ANNOTATION, DOUBLE, HASH, NUMBER, SINGLE, SLASHES, STARS, VARIABLE, quotedLines, through } from './sources.js';

/** @typedef {import('./lexer.js').Grammar} Grammar */

const LITERALS = 'true false null';
const KEY_END = String.raw`(?=[ \t]{0,8}:)`;
const HEX = String.raw`#[\da-fA-F]{3,8}\b`;
const UNIT = String.raw`[+-]?(?:\d*\.)?\d+(?:%|\p{L}{1,4}\b)?`;

/** @param {Grammar['rules']} rules @returns {Grammar} */
const sheet = (rules) => ({
  rules: [
    ['comment', STARS], ...rules, ['string', DOUBLE], ['string', SINGLE], ['keyword',
    String.raw`@[\p{L}-]+|!important\b`],
    ['literal', HEX], ['attribute', String.raw`--[\p{L}_][\p{L}\p{N}_-]*`], ['attribute',
    String.raw`[\p{L}-]+(?=[ \t]{0,8}:(?![:\p{L}]))`],
    ['type', String.raw`[.#][\p{L}_-][\p{L}\p{N}_-]*`], ['number', UNIT],
  ],
  word: String.raw`[\p{L}_-][\p{L}\p{N}_-]*`, hasCalls: true,
});

/** @type {Grammar} */
const html = {
  rules: [
    ['comment', through('<!--', '-->')], ['meta', through(String.raw`<[!?]`, '>')], ['keyword',
    String.raw`</?[\p{L}][\p{L}\p{N}:._-]*|/?>`],
    ['string', `(?<=[=])${quotedLines('"')}`], ['string', `(?<=[=])${quotedLines("'")}`],
    ['attribute', String.raw`(?<=[\s"'])[\p{L}@:#_*[(][\p{L}\p{N}@:.#_[\]()-]{0,80}(?=[=]["'{])`], ['literal',
    String.raw`&#?[\p{L}\p{N}]{1,32};`],
  ],
};

/** @type {Record<string, Grammar>} */
export const grammars = {
  html,
  css: sheet([]),
  scss: sheet([['comment', SLASHES], ['attribute',
    String.raw`[$@][\p{L}_-][\p{L}\p{N}_-]*(?=:)|\$[\p{L}_-][\p{L}\p{N}_-]*`]]),
  json: {
    rules: [['comment', SLASHES], ['comment', STARS], ['attribute', `${DOUBLE}${KEY_END}`], ['string', DOUBLE],
      ['string', SINGLE], ['number', `-?${NUMBER}`]],
    words: { literal: LITERALS },
  },
  yaml: {
    rules: [
      ['comment', String.raw`(?<=^|\s)#[^\n]*`], ['meta', '^(?:---|\\.\\.\\.)(?=\\s|$)|^%[^\\n]*'],
      ['attribute', String.raw`(?<=^[ \t]{0,80}(?:-[ \t]{1,4}){0,4})[\p{L}\p{N}_$.@/"'][^\n:#]{0,120}?(?=:(?:\s|$))`],
      ['string', quotedLines('"')], ['string', `(?<=[:\\s,[{-])${through("'", "'")}`],
      ['type', String.raw`(?<=[\s,[{])[&*!][\p{L}\p{N}_!-]+`], ['number',
      String.raw`(?<=[\s:,[{])-?${NUMBER}(?=\s|[,\]}]|$)`],
    ],
    words: { literal: `${LITERALS} yes no on off ~` },
    word: String.raw`[\p{L}_~][\p{L}\p{N}_./-]*`,
  },
  toml: {
    rules: [
      ['comment', HASH], ['type', String.raw`^[ \t]*\[{1,2}[^\]\n]*\]{0,2}`], ['string', through('"""', '"""')],
      ['string', through("'''", "'''")], ['attribute', String.raw`^[ \t]*[\p{L}\p{N}_."'-]+(?=[ \t]{0,20}=)`],
      ['string', DOUBLE], ['string', SINGLE], ['number', String.raw`\b\d{4}-\d\d-\d\d[\dT:Z.+-]*`], ['number', NUMBER],
    ],
    words: { literal: 'true false inf nan' },
  },
  ini: {
    rules: [['comment', String.raw`^[ \t]*[;#][^\n]*`], ['type', String.raw`^[ \t]*\[[^\]\n]*\]?`],
      ['attribute', String.raw`^[ \t]*[\p{L}\p{N}_.-]+(?=[ \t]{0,20}[=:])`], ['string', DOUBLE], ['number', NUMBER]],
    words: { literal: 'true false yes no on off' },
    ignoresCase: true,
  },
  hcl: {
    rules: [['comment', HASH], ['comment', SLASHES], ['comment', STARS], ['string', DOUBLE],
      ['attribute', String.raw`^[ \t]*[\p{L}_][\p{L}\p{N}_-]*(?=[ \t]{0,20}=)`], ['number', NUMBER]],
    words: { keyword: 'data dynamic for for_each if in locals module output provider resource terraform variable',
      literal: LITERALS },
    hasCalls: true,
  },
  nginx: {
    rules: [['comment', HASH], ['string', DOUBLE], ['string', SINGLE], ['attribute', VARIABLE],
      ['keyword', String.raw`^[ \t]*[a-z_]+(?=[ \t{])`], ['number', String.raw`\b\d+[kmgsdh]?\b`]],
    words: { literal: 'on off' },
  },
  http: {
    rules: [['meta', String.raw`^HTTP/[\d.]+ \d{3}[^\n]*`], ['keyword',
      '^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)\\b'],
      ['attribute', String.raw`^[\p{L}\p{N}-]+(?=:)`], ['string', DOUBLE], ['number', NUMBER]],
    words: { literal: LITERALS },
  },
  markdown: {
    rules: [
      ['string', through('^```', '^```')], ['keyword', '^#{1,6} [^\\n]*'], ['comment', '^>[^\\n]*'],
      ['string', '`[^`\\n]*`?'], ['literal', String.raw`\*\*[^*\n]+\*\*|__[^_\n]+__`],
      ['attribute', String.raw`!?\[[^[\]\n]{0,300}\]\([^()\n]{0,500}\)`], ['number',
      String.raw`^[ \t]*(?:[-+*]|\d{1,9}[.)])(?=[ \t])`],
    ],
  },
  latex: {
    rules: [['comment', String.raw`(?<!\\)%[^\n]*`], ['keyword', String.raw`\\(?:\p{L}+\*?|[^\p{L}])`],
      ['string', String.raw`\$[^$\n]*\$?`], ['attribute', String.raw`[{}[\]]`]],
  },
  gitconfig: {
    rules: [['comment', String.raw`^[ \t]*[;#][^\n]*`], ['type', String.raw`^[ \t]*\[[^\]\n]*\]?`],
      ['attribute', String.raw`^[ \t]*\p{L}[\p{L}\p{N}-]*(?=[ \t]{0,20}=)`], ['string', DOUBLE]],
    words: { literal: 'true false' },
  },
  log: {
    rules: [['number', String.raw`\b\d{4}-\d\d-\d\d[T ]?[\d:.,]*Z?`], ['deleted',
      String.raw`\b(?:ERROR|FATAL|CRITICAL|PANIC|error)\b`],
      ['attribute', String.raw`\b(?:WARN|WARNING|warning)\b`], ['literal', String.raw`\b(?:INFO|NOTICE|info)\b`],
      ['comment', String.raw`\b(?:DEBUG|TRACE|debug|trace)\b`], ['string', DOUBLE], ['meta', ANNOTATION]],
  },
};
