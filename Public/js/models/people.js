import { colourOf, initialsOf, pictureOf } from './format.js';
import { texts } from './texts.js';

/** What shows of somebody. */
const FACE = ['name', 'login', 'avatar_url', 'github_id'];
/** The people that the next start begins with: those met last. */
const MOST_KEPT = 5000;

/**
 * The people this browser knows: the one place that holds names, pictures and presence. Rooms, messages, mentions and
 * lists carry a person as of some moment, but show who is here under the same id.
 */
export class People {
  #users = new Map();
  #faces = new Map();
  /** What the stream told of presence since the last load: newer than what any answer says, even of strangers. */
  #presence = new Map();
  /** How often the stream has told of presence, in all and when it last told of each person. */
  #told = { count: 0, of: new Map() };

  /** @returns {object|null} */
  get(userId) { return this.#users.get(userId) ?? null; }

  /** @returns {Map<number, object>} those who have a GitHub account */
  byGitHubId() { return new Map([...this.#users.values()].map((user) => [user.github_id, user])); }

  /** @returns {object[]} what is kept of them: all but presence, which is old when it is read */
  toKeep() {
    return [...this.#users.values()].slice(-MOST_KEPT).map(({ online, last_seen_at, ...user }) => user);
  }

  /** The face of somebody: the same frozen object until name or picture change. */
  face(user) {
    const known = this.#users.get(user?.id) ?? user;
    const id = known?.id ?? '';
    let face = this.#faces.get(id);
    if (face) return face;
    const name = known?.name || known?.login || texts.person.unknown;
    const colour = colourOf(known?.github_id ?? id);
    face = Object.freeze({ id, name, initials: initialsOf(name), colour, avatarUrl: pictureOf(known?.avatar_url) });
    this.#faces.set(id, face);
    return face;
  }

  /**
   * Remembers somebody; `presence: false`: the source does not know who is online.
   * @param {object|null} user
   * @param {{fresh?: boolean, presence?: boolean}} how `fresh: false`: from storage, only for whom nobody knows yet
   */
  meet(user, { fresh = true, presence = true } = {}) {
    if (!user) return;
    const known = this.#users.get(user.id);
    if (known && !fresh) return;
    const before = known && !presence ? { online: known.online, last_seen_at: known.last_seen_at } : {};
    this.#users.set(user.id, { ...known, ...user, ...(this.#presence.get(user.id) ?? before) });
    if (!known || FACE.some((name) => name in user && user[name] !== known[name])) this.#faces.delete(user.id);
  }

  /**
   * Takes what the stream tells, or an answer, which is older than anything that the stream told after the request.
   * @param {number} [told] for an answer: `presenceTold` at the request
   * @returns {boolean} whether that changes somebody who is known
   */
  takePresence(userId, presence, told) {
    if (told === undefined) this.#told.of.set(userId, this.#told.count += 1);
    else if (this.#told.of.get(userId) > told) return false;
    this.#presence.set(userId, presence);
    const user = this.#users.get(userId);
    if (user) this.#users.set(userId, { ...user, ...presence });
    return user !== undefined;
  }

  /** @returns {string[]} the ids of those who were ever said to be online, or not */
  withPresence() { return [...this.#users.values()].flatMap((user) => (user.online === undefined ? [] : user.id)); }
  hasPresence(userId) { return this.#presence.has(userId); }
  get presenceTold() { return this.#told.count; }
  forgetPresence() { this.#presence.clear(); }
}
