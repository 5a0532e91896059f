import { ageText, dateText, hourText } from '../../models/format.js';
import { Observable, ObservableArray } from '../../models/observableArray.js';
import { groupTexts } from '../../models/texts/groups.js';
import { serverTexts } from '../../models/texts/server.js';
import { problemText } from '../../models/texts.js';

const words = groupTexts.invitations;
const HOUR = 3600;

/** Choices of how long a link works, in seconds; null: without end. */
export const LASTING = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR, ever: null };
/** Choices of how many people may come in by a link. */
export const TIMES = { one: 1, ten: 10, hundred: 100, any: null };

/** Invitations by link of a group, or (null) of the whole instance (R1, A3). Loaded when they are looked at. */
export class InvitationsViewModel {
  #roomId;
  #services;
  #origin;
  #open = [];
  #busy = new Set();
  #state = new Observable({
    loading: false, error: null, empty: false, lasting: 'week', times: 'any', creating: false, url: null, note: '',
    allowed: true,
  });

  /** `{id, by, limits, busy}` */
  rows = new ObservableArray({ key: (row) => row.id });

  /**
   * @param {string|null} roomId
   * @param {object} services `groups`, `store`, `clock`, `origin` of this page
   */
  constructor(roomId, services) {
    this.#roomId = roomId;
    this.#services = services;
    this.#origin = services.origin;
  }

  /** `url` is that of the link made last: told once. `allowed: false`: one may not invite here. */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  choose(name, value) {
    this.#state.update({ [name]: value });
  }

  async open() {
    this.#state.update({ loading: this.#open.length === 0, error: null });
    try {
      const { body } = await this.#services.groups.invitations(this.#roomId);
      this.#open = body;
      this.#state.update({ loading: false, allowed: true });
    } catch (error) {
      const refused = error.kind === 'forbidden' || error.kind === 'not-found';
      const text = refused ? null : `${words.loadFailed} ${problemText(error)}`;
      this.#state.update({ loading: false, allowed: !refused, error: text });
    }
    this.#build();
  }

  /** Makes a link. @returns {Promise<string|null>} its address; never rejects */
  async create() {
    if (this.state.creating) return null;
    const { lasting, times } = this.state;
    const limits = {};
    if (LASTING[lasting] !== null) limits.expires_in = LASTING[lasting];
    if (TIMES[times] !== null) limits.max_uses = TIMES[times];
    this.#state.update({ creating: true, error: null, note: '' });
    try {
      const { body } = await this.#services.groups.invite(this.#roomId, limits);
      const { url: path, ...invitation } = body;
      const url = new URL(path, this.#origin).href;
      this.#open = [invitation, ...this.#open];
      this.#state.update({ creating: false, url });
      return url;
    } catch (error) {
      const text = error.kind === 'conflict' ? words.tooMany : serverTexts.said(error.errors?.[0]?.detail) || problemText(error);
      this.#state.update({ creating: false, error: text });
      return null;
    } finally {
      this.#build();
    }
  }

  /** @returns {Promise<boolean>} never rejects */
  async end(id) {
    if (this.#busy.has(id)) return false;
    this.#busy.add(id);
    this.#state.update({ error: null, note: '' });
    this.#build();
    try {
      await this.#services.groups.endInvitation(this.#roomId, id);
      this.#open = this.#open.filter((invitation) => invitation.id !== id);
      this.#state.update({ note: words.ended, url: this.#open.length === 0 ? null : this.state.url });
      return true;
    } catch (error) {
      this.#state.update({ error: problemText(error) });
      return false;
    } finally {
      this.#busy.delete(id);
      this.#build();
    }
  }

  #build() {
    const now = this.#services.clock.now();
    this.rows.replaceAll(this.#open.map((invitation) => this.#rowOf(invitation, now)));
    this.#state.update({ empty: this.#open.length === 0 && !this.state.loading && !this.state.error });
  }

  #rowOf(invitation, now) {
    const { store } = this.#services;
    const inviter = invitation.inviter ?? store.me;
    const by = words.by(store.person(inviter).name, ageText(Date.parse(invitation.created_at), now));
    const until = invitation.expires_at ? words.until(momentText(Date.parse(invitation.expires_at))) : words.forever;
    const uses = words.used(invitation.uses ?? 0, invitation.max_uses ?? null);
    return { id: invitation.id, by, limits: `${uses} · ${until}`, busy: this.#busy.has(invitation.id) };
  }
}

/** '14 March 2026, 18:03' */
function momentText(milliseconds) {
  return `${dateText(milliseconds)}, ${hourText(milliseconds)}`;
}
