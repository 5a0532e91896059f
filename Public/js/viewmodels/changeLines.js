import { timesOf } from '../models/messageRows.js';
import { changeTexts } from '../models/texts/changes.js';

/** Of more lines than this without a message in between, the earlier ones are counted by one. */
const MOST_TOGETHER = 10;
/** The same in an empty chat, which says so. */
const MOST_ALONE = 3;

/**
 * A line of the log that is not a message; it has the members of a message's row that neighbours and the log look at.
 * @typedef {object} ChangeRow
 * @property {string} key
 * @property {'change'} kind
 * @property {null} seq
 * @property {false} own
 * @property {null} sender
 * @property {string} text 'Ada renamed the group to “Engines”'
 * @property {string} href leads to the message that was pinned; '' for none
 * @property {boolean} isNews it happened while the chat was open, by somebody else: it is read out
 * @property {string} timeTitle
 * @property {string} [dayLabel] with `firstOfDay`, and what else follows from the neighbours
 */

/**
 * What changed in a group, between its messages by time: kept changes at once, then the server's as far back as
 * messages are shown, then those of events. Commands never reject.
 */
export class ChangeLines {
  #roomId;
  #services;
  #window;
  #onChange;
  /** All that are known, by id and in order. */
  #known = new Map();
  #sorted = [];
  /** Those that came by events. */
  #live = new Set();
  /** All changes since this moment are known. */
  #reach = Infinity;
  /** The address of the page before; null where there is none. */
  #earlier = null;
  #cleared = 0;
  /** Asked for the newest in vain. */
  #failed = false;
  #loading = false;
  #ends;

  /**
   * @param {string} roomId
   * @param {object} services `messageApi`, `store`, `sync`
   * @param {import('./messageWindow.js').MessageWindow} window
   * @param {{soon: () => void}} onChange lines came or went
   */
  constructor(roomId, services, window, onChange) {
    this.#roomId = roomId;
    this.#services = services;
    this.#window = window;
    this.#onChange = onChange;
    this.#ends = [
      services.store.subscribe((change) => this.#heard(change)),
      services.sync.subscribe(({ connection }) => connection === 'online' && this.#failed && this.#load()),
    ];
  }

  close() {
    for (const end of this.#ends) end();
  }

  async open() {
    this.#add(await this.#services.sync.kept(this.#roomId, 'changes'), { fresh: false });
    await this.#load();
  }

  /** Puts the lines between the rows of messages. @param {any[]} rows with their time as `at` @returns {any[]} */
  place = (rows) => {
    const { timeline, hasEarlier, loaded } = this.#window;
    if (timeline.size === 0 && !loaded) return rows;
    const { messages } = timeline;
    const since = hasEarlier ? Date.parse(messages[0].created_at) : -Infinity;
    const until = timeline.live || messages.length === 0 ? Infinity : Date.parse(messages.at(-1).created_at);
    if (since < this.#reach && this.#earlier) this.#loadEarlier();
    const cleared = this.#services.store.room(this.#roomId)?.cleared_change ?? 0;
    const lines = this.#sorted.filter((one) => one.id > cleared).map((one) => this.#row(one))
      .filter(({ at }) => at > since && at < until);
    const placed = [];
    let next = 0;
    const placeBefore = (end) => {
      const from = next;
      while (next < lines.length && lines[next].at < end) next += 1;
      placed.push(...together(lines.slice(from, next), timeline.size > 0 ? MOST_TOGETHER : MOST_ALONE));
    };
    for (const row of rows) {
      // What is not stored yet comes last.
      placeBefore(row.seq === null ? Infinity : row.at);
      placed.push(row);
    }
    placeBefore(Infinity);
    return placed;
  };

  #heard({ type, roomId, event, data }) {
    if (event === 'room.changed' && data.room_id === this.#roomId) {
      this.#live.add(data.id);
      this.#add([data]);
    } else if (type === 'reset') this.#load();
    else if (type === 'room' && roomId === this.#roomId) this.#roomChanged();
    // Out of the group, nothing of it is heard.
    else if (type === 'removed' && roomId === this.#roomId) this.#failed = true;
  }

  #roomChanged() {
    const room = this.#services.store.room(this.#roomId);
    if (room && this.#failed && this.#services.sync.state.connection === 'online') this.#load();
    const cleared = room?.cleared_change ?? 0;
    if (cleared !== this.#cleared) this.#onChange.soon();
    this.#cleared = cleared;
  }

  /** @param {any[]} changes @param {{fresh?: boolean}} [how] whether their people are as they are now */
  #add(changes, how = {}) {
    const unknown = changes.filter(({ id }) => !this.#known.has(id));
    if (unknown.length === 0) return;
    for (const one of unknown) {
      this.#known.set(one.id, one);
      for (const person of [one.by, one.user]) this.#services.store.meet(person, { presence: false, ...how });
    }
    this.#sorted = [...this.#known.values()].sort((one, other) => one.id - other.id);
    this.#onChange.soon();
  }

  /** The newest page; what is known of earlier ones stays. */
  #load() { return this.#ask(null); }

  /** The page before, unless it is on its way. */
  #loadEarlier() { if (!this.#loading && !this.#failed) this.#ask(this.#earlier); }

  async #ask(page) {
    const { messageApi, sync } = this.#services;
    this.#failed = false;
    this.#loading = true;
    try {
      const { body, prev } = await messageApi.changes(this.#roomId, page);
      this.#earlier = prev;
      this.#reach = prev ? Date.parse(body[0].at) : -Infinity;
      this.#loading = false;
      this.#add(body);
      sync.keep(this.#roomId, [], false, this.#sorted);
      // Messages from before this page may be shown.
      if (prev) this.#onChange.soon();
    } catch {
      // Kept ones show; asked again when the connection is back.
      this.#failed = true;
      this.#loading = false;
    }
  }

  /** @returns {ChangeRow & {at: number}} */
  #row(change) {
    const { store } = this.#services;
    const { id, kind, by, user, text = '', message_seq: seq } = change;
    const mine = by.id === store.me?.id;
    const whom = user && (user.id === store.me?.id ? changeTexts.toYou : store.person(user).name);
    const say = Object.hasOwn(changeTexts, kind) ? changeTexts[kind] : changeTexts.other;
    return {
      key: `change-${id}`, kind: 'change', seq: null, own: false, sender: null,
      text: say({ by: mine ? changeTexts.you : store.person(by).name, mine, whom: whom ?? '', text }),
      href: seq ? `/chats/${this.#roomId}?at=${seq}` : '', isNews: this.#live.has(id) && !mine,
      ...timesOf(change, change.at),
    };
  }
}

/** Many lines in a row: a count and the last ones. @param {any[]} lines @param {number} most */
function together(lines, most) {
  const more = lines.length - most;
  if (more < 2) return lines;
  const [first] = lines;
  return [{ ...first, text: changeTexts.earlier(more), href: '' }, ...lines.slice(more)];
}
