/** What GitHub finds in plain text: mentions, issues, commits, emoji. */
import { commit, issue, person } from './addresses.js';
import { linkEmails } from './spans.js';

/** @typedef {import('./tree.js').Inline} Inline */

/** Any other than ASCII counts as a letter here, since classes of Unicode take milliseconds to compile. */
const MENTION = String.raw`(?<![\w@-])@(?<name>[\w\u0080-\uffff-]+)`;
const EMOJI = String.raw`:(?<emoji>[a-z\d_+-]{1,50}):`;
const OWNER = String.raw`(?<![\w/.@-])(?<owner>[A-Za-z\d][A-Za-z\d-]{0,38})`;
const END = String.raw`(?![\w-]|\.\w)`;
const NUMBER_OR_ID = String.raw`(?:#(?<number>\d{1,10})(?!\w)|@(?<id>[\da-f]{7,40})${END})`;
const QUALIFIED = String.raw`${OWNER}(?:/(?<repo>[\w.-]{1,100}?))?${NUMBER_OR_ID}`;
const OWN = String.raw`(?<![\w/&#@.-])(?:#|GH-)(?<own>\d{1,10})(?!\w)|(?<![\w/#@.-])(?<commit>[\da-f]{7,40})${END}`;
const ANYWHERE = new RegExp(`${QUALIFIED}|${MENTION}|${EMOJI}`, 'g');
const AT_HOME = new RegExp(`${QUALIFIED}|${OWN}|${MENTION}|${EMOJI}`, 'g');
const EMOJI_ONLY = new RegExp(EMOJI, 'g');
/** Texts without any of these have nothing to find. */
const SIGNS = /[@#:]/;
const SIGNS_AT_HOME = /[@#:]|GH-|[\da-f]{7}/;
const ASCII = /^[\0-\x7f]*$/;
/** The letters at the start of a name, and a letter at the end of what stands before it. */
const letters = () => /^[\p{L}\p{N}\p{M}_-]+/u;
const letterAtEnd = () => /[\p{L}\p{N}\p{M}]$/u;
const LOGIN = /^[A-Za-z\d](?:-?[A-Za-z\d]){0,38}$/;

export class References {
  #options;
  /** Whether a shortcode was in none of the tables given. */
  missing = false;

  /** @param {import('./tree.js').Options} options */
  constructor(options) {
    this.#options = options;
  }

  /** @param {string} text @param {boolean} isInLink links contain emoji only @returns {Inline[]} */
  read(text, isInLink) {
    const { strict, repository } = this.#options;
    const signs = repository ? SIGNS_AT_HOME : SIGNS;
    if (!signs.test(text) || (strict && isInLink)) return [text];
    if (isInLink) return this.#find(text, EMOJI_ONLY);
    const parts = linkEmails(text);
    if (strict) return parts;
    const pattern = repository ? AT_HOME : ANYWHERE;
    return parts.flatMap((part) => (typeof part === 'string' ? this.#find(part, pattern) : [part]));
  }

  /** @param {string} text @param {RegExp} pattern @returns {Inline[]} */
  #find(text, pattern) {
    /** @type {Inline[]} */
    const parts = [];
    let plain = '';
    let end = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const { 0: all, index, groups = {} } = match;
      const part = this.#partOf(groups, all, text.slice(Math.max(0, index - 2), index), text.slice(index + all.length));
      if (part === null) {
        // The sign at the end may start something else.
        pattern.lastIndex = Math.max(index + 1, index + all.length - 1);
        continue;
      }
      plain += text.slice(end, index);
      end = index + (typeof part === 'string' ? all : textOf(part, all)).length;
      pattern.lastIndex = end;
      if (typeof part === 'string') plain += part;
      else {
        if (plain !== '') parts.push(plain);
        plain = '';
        parts.push(part);
      }
    }
    plain += text.slice(end);
    if (plain !== '') parts.push(plain);
    return parts;
  }

  /** @param {Record<string, string|undefined>} groups @returns {Inline|null} a text in place of it, or a node */
  #partOf({ emoji, name, owner, repo, number, id, own, commit: commitId }, all, before, behind) {
    const { repository: home } = this.#options;
    if (emoji) return this.#emoji(emoji);
    if (name) return this.#mention(name, before, behind);
    if (owner && repo && number) return issue({ owner, repo }, number, all);
    if (owner && id) {
      if (repo) return commit({ owner, repo }, id, `${owner}/${repo}`);
      return home ? commit({ owner, repo: home.repo }, id, owner) : null;
    }
    if (!home) return null;
    if (own) return issue(home, own, all);
    // Short ids have letters and digits, since nothing here knows the repository's commits.
    const isId = commitId && (commitId.length === 40 || (/\d/.test(commitId) && /[a-f]/.test(commitId)));
    return isId ? commit(home, commitId) : null;
  }

  #emoji(name) {
    const found = this.#options.emoji?.(name);
    if (!found) this.missing = true;
    return found ?? null;
  }

  /** @returns {Inline|null} */
  #mention(written, before, behind) {
    if (!ASCII.test(before) && letterAtEnd().test(before)) return null;
    let length = ASCII.test(written) ? written.length : letters().exec(written)?.[0].length ?? 0;
    while (written[length - 1] === '-') length -= 1;
    const name = written.slice(0, length);
    if (this.#options.mentions?.(name)) return { type: 'mention', name };
    const isPartOfMore = length === written.length && /^(?:\/|\.\w)/.test(behind);
    return LOGIN.test(name) && !isPartOfMore ? person(name) : null;
  }
}

/** What a part stands for: all that was matched, but a mention without the hyphens behind it. */
function textOf(part, all) {
  if (part.type === 'mention') return `@${part.name}`;
  return part.kind === 'person' ? part.text : all;
}
