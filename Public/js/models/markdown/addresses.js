/** Which addresses become links, and GitHub's addresses as references, in the short forms that GitHub shows. */

/** GitHub's list; addresses without a scheme belong to the page. */
const SCHEMES = new Set(['http', 'https', 'mailto', 'xmpp', 'irc', 'ircs', 'ftp']);
/** Schemes that run code or read files; the strict mode permits all others, as the specifications' examples do. */
const DANGEROUS = new Set([
  'javascript', 'vbscript', 'livescript', 'mocha', 'data', 'file', 'blob', 'filesystem', 'about', 'view-source', 'jar',
  'ms-its', 'mhtml', 'mk', 'res', 'feed', 'wyciwyg', 'intent', 'content', 'chrome',
]);
/** Characters that hide in an address or turn its direction: controls, joiners, marks of direction. */
const hidden = () => /[\p{Cc}\p{Cf}\u2028\u2029]/u;
/** Nothing can hide in such an address; most are. */
const PLAIN = /^[\x20-\x7e]*$/;
const LEADING_SCHEME = /^([^/?#:]*):/;

/**
 * Decides whether a text may link to an address. Entities and escapes are decoded before; a scheme is read as a browser
 * reads it, without regard to case, and with nothing ignored: an address with hidden characters is none.
 * @param {string} address @param {boolean} [strict]
 * @returns {boolean}
 */
export function isLinkable(address, strict = false) {
  const isPlain = PLAIN.test(address);
  if (!isPlain && hidden().test(address)) return false;
  const read = isPlain ? address : address.normalize('NFKC');
  const scheme = LEADING_SCHEME.exec(read.trim())?.[1].toLowerCase().trim();
  if (scheme === undefined) return true;
  return strict ? !DANGEROUS.has(scheme) : SCHEMES.has(scheme);
}

/** @typedef {import('./tree.js').Reference} Reference */
/** @typedef {{owner: string, repo: string}} Repository */

/** @param {string|null|undefined} name `owner/name` @returns {Repository|null} */
export function repositoryOf(name) {
  const [owner, repo] = name?.split('/') ?? [];
  return owner && repo ? { owner, repo } : null;
}

const ADDRESS = /^https?:\/\/(?:www\.)?github\.com\/([A-Za-z\d][A-Za-z\d-]{0,38})\/([\w.-]{1,100})\/(.+)$/i;
const THING = /^(?:issues|pull|discussions)\/(\d{1,10})\/?(#[\w-]+|files|commits|checks)?$/;
const COMMIT = /^(?:commit|pull\/\d{1,10}\/commits)\/([\da-f]{7,40})(#commitcomment-\d+)?$/;
const COMPARE = /^compare\/([\w./-]+?\.{2,3}[\w./-]+)$/;
const LINES = /^blob\/([\da-f]{40})\/([^?#]+)(?:#L(\d{1,7})(?:C\d+)?(?:-L(\d{1,7})(?:C\d+)?)?)?$/;
/** What a link to a part of an issue shows behind its number. */
const PARTS = [
  [/^#(?:issuecomment-|discussioncomment-|discussion_r|issue-)\d+$/, ' (comment)'],
  [/^#pullrequestreview-\d+$/, ' (review)'],
];

/** Lines of what GitHub draws, such as Markdown, are those of its source. @param {string} address */
const asSource = (address) => address.replace('?plain=1#L', '#L');

const short = (commit) => commit.slice(0, 7);

/** @param {Repository} repository @param {Repository|null|undefined} home @returns {string} '' at home */
function named({ owner, repo }, home) {
  const isHome = home?.owner.toLowerCase() === owner.toLowerCase() && home.repo.toLowerCase() === repo.toLowerCase();
  return isHome ? '' : `${owner}/${repo}`;
}

/** @param {Repository} of @param {string} number @param {string} text @returns {Reference} */
export function issue({ owner, repo }, number, text) {
  const href = `https://github.com/${owner}/${repo}/issues/${number}`;
  return { type: 'reference', kind: 'issue', href, text, owner, repo, number: Number(number) };
}

/** @param {Repository} of @param {string} id @param {string} [before] what the short form starts with */
export function commit({ owner, repo }, id, before = '') {
  const href = `https://github.com/${owner}/${repo}/commit/${id}`;
  const text = before === '' ? short(id) : `${before}@${short(id)}`;
  return /** @type {Reference} */ ({ type: 'reference', kind: 'commit', href, text, owner, repo, commit: id });
}

/** @param {string} login @returns {Reference} */
export const person = (login) => (
  { type: 'reference', kind: 'person', href: `https://github.com/${login}`, text: `@${login}`, login });

/**
 * @param {string} href @param {Repository|null} [home]
 * @returns {Reference|null} null unless it is the address of a thing that GitHub shortens
 */
export function shorten(href, home) {
  const [, owner, repo, rest] = ADDRESS.exec(href) ?? [];
  if (!rest) return null;
  const where = named({ owner, repo }, home);
  const thing = THING.exec(rest);
  if (thing) {
    const [, number, part = ''] = thing;
    const isPage = /^[a-z]/.test(part);
    const suffix = isPage ? ` (${part})` : PARTS.find(([pattern]) => /** @type {RegExp} */ (pattern).test(part))?.[1];
    if (part !== '' && suffix === undefined) return null;
    return { ...issue({ owner, repo }, number, `${where}#${number}${suffix ?? ''}`), href };
  }
  const [, id, comment] = COMMIT.exec(rest) ?? [];
  if (id) {
    const reference = commit({ owner, repo }, id, where);
    return { ...reference, href, text: comment ? `${reference.text} (comment)` : reference.text };
  }
  const [, range] = COMPARE.exec(rest) ?? [];
  if (range) {
    const text = range.split(/(\.{2,3})/).map((end) => (/^[\da-f]{40}$/.test(end) ? short(end) : end)).join('');
    return { type: 'reference', kind: 'compare', href, text: where === '' ? text : `${where}@${text}`, owner, repo };
  }
  const [, blob, path, from, to] = LINES.exec(asSource(rest)) ?? [];
  if (!blob) return null;
  const lines = from ? `#L${from}${to && to !== from ? `-L${to}` : ''}` : '';
  /** @type {Reference} */
  const reference = {
    type: 'reference', kind: 'lines', href, text: `${where}@${short(blob)}/${readable(path)}${lines}`, owner, repo,
    commit: blob, path: readable(path),
  };
  if (where === '') reference.text = reference.text.slice(1);
  return from ? { ...reference, from: Number(from), to: Number(to ?? from) } : reference;
}

const CARD = /^https?:\/\/(?:www\.)?github\.com\/([A-Za-z\d][\w-]{0,99})(?:\/([\w.-]{1,100})(?:\/([^?]+?))?)?\/?$/i;
const RELEASE = /^releases\/tag\/[^?#,\s]{1,255}$/;

/**
 * What has a card: the address of an issue, a pull request, a commit, a release, lines of a file as of a commit, a
 * repository or a person, in one spelling for all ways to write it. Without commas, which stand between references.
 * @param {string} href
 * @returns {string|null}
 */
export function cardReference(href) {
  const [, owner, repo, rest = ''] = CARD.exec(asSource(href)) ?? [];
  if (!owner) return null;
  const base = `https://github.com/${owner}${repo ? `/${repo}` : ''}`.toLowerCase();
  if (rest === '') return base;
  if (RELEASE.test(rest)) return `${base}/${rest}`;
  const [, number] = THING.exec(rest) ?? [];
  if (number && !rest.startsWith('discussions')) return `${base}/issues/${number}`;
  const [, id] = COMMIT.exec(rest) ?? [];
  if (id) return `${base}/commit/${id}`;
  const [, blob, path, from, to = from] = LINES.exec(rest) ?? [];
  return from ? `${base}/blob/${blob}/${path.replaceAll(',', '%2C')}#L${from}${to === from ? '' : `-L${to}`}` : null;
}

/** The number of lines that a reference of `cardReference` names; 0 if it does not name lines. */
export function linesNamed(/** @type {string} */ reference) {
  const [, from, to = from] = /#L(\d+)(?:-L(\d+))?$/.exec(reference) ?? [];
  return from ? Math.max(0, Number(to) - Number(from) + 1) : 0;
}

/** A path without percent-encoding. @param {string} path */
function readable(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
