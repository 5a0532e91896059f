/**
 * Colours for code: one lexer, and a table for each language. A table lists what its language's comments, strings and
 * the like look like, and its words. No pattern fails after it has read far, so that time grows with length alone.
 */

/**
 * @typedef {'comment'|'string'|'number'|'keyword'|'literal'|'type'|'function'|'attribute'|'meta'|'inserted'
 *   |'deleted'} Kind
 */
/** @typedef {[start: number, end: number, kind: Kind]} Token */
/**
 * @typedef {object} Grammar
 * @property {[kind: Kind, source: string][]} rules the sources of patterns, the first that matches counts
 * @property {Partial<Record<Kind, string>>} [words] separated by spaces
 * @property {string} [word] what a word is, if not the usual
 * @property {boolean} [ignoresCase]
 * @property {boolean} [hasTypes] whether words with a capital are types
 * @property {boolean} [hasCalls] whether words before a parenthesis are functions
 * @property {boolean} [nests] whether comments nest
 */
/** @typedef {{pattern: RegExp, kinds: Kind[], words: Map<string, Kind>}} Compiled */

const WORD = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const BRACKET = /\/\*|\*\//g;

/** @type {WeakMap<Grammar, Compiled>} */
const compiled = new WeakMap();

/** @param {Grammar} grammar @returns {Compiled} */
function compile(grammar) {
  const known = compiled.get(grammar);
  if (known) return known;
  const { rules, words = {}, word = WORD, ignoresCase } = grammar;
  const sources = [...rules.map(([, source]) => source), word].map((source, index) => `(?<r${index}>${source})`);
  const made = {
    pattern: new RegExp(sources.join('|'), ignoresCase ? 'gimu' : 'gmu'),
    kinds: rules.map(([kind]) => kind),
    words: new Map(Object.entries(words).flatMap(([kind, list]) =>
      list.split(' ').map((one) => /** @type {[string, Kind]} */ ([one, kind])))),
  };
  compiled.set(grammar, made);
  return made;
}

/**
 * The ranges of a text that have a colour, in order.
 * @param {string} text @param {Grammar} grammar @returns {Token[]}
 */
export function lex(text, grammar) {
  const { pattern, kinds, words } = compile(grammar);
  /** @type {Token[]} */
  const tokens = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { 0: part, index, groups = {} } = match;
    if (part === '') {
      pattern.lastIndex += 1;
      continue;
    }
    const rule = kinds.findIndex((_, number) => groups[`r${number}`] !== undefined);
    const kind = rule === -1 ? kindOfWord(part, text[index + part.length], words, grammar) : kinds[rule];
    if (grammar.nests && part === '/*') pattern.lastIndex = endOfNested(text, index);
    if (kind) tokens.push([index, pattern.lastIndex, kind]);
  }
  return tokens;
}

/** @param {string} word @param {string} next @param {Map<string, Kind>} words @param {Grammar} grammar */
function kindOfWord(word, next, words, { ignoresCase, hasTypes, hasCalls }) {
  const known = words.get(ignoresCase ? word.toLowerCase() : word);
  if (known) return known;
  if (hasTypes && /^\p{Lu}/u.test(word)) return 'type';
  return hasCalls && next === '(' ? 'function' : null;
}

function endOfNested(text, start) {
  let depth = 0;
  BRACKET.lastIndex = start;
  for (let match = BRACKET.exec(text); match; match = BRACKET.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return BRACKET.lastIndex;
  }
  return text.length;
}

const LINE_KINDS = /** @type {[RegExp, Kind][]} */ ([
  [/^(?:diff |index |similarity |rename |(?:new|deleted) file |(?:old|new) mode |\+\+\+ |--- |Binary files )/, 'meta'],
  [/^@@/, 'function'], [/^[+>]/, 'inserted'], [/^[-<]/, 'deleted'], [/^!/, 'attribute'],
]);

/** A patch has its colours by line. @param {string} text @returns {Token[]} */
export function lexDiff(text) {
  /** @type {Token[]} */
  const tokens = [];
  for (let start = 0; start < text.length;) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const line = text.slice(start, Math.min(end, start + 20));
    const kind = LINE_KINDS.find(([pattern]) => pattern.test(line))?.[1];
    if (kind) tokens.push([start, end, kind]);
    start = end + 1;
  }
  return tokens;
}
