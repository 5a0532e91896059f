import { ageText } from '../../models/days.js';
import { dateText, hourText, problemText } from '../../models/format.js';
import { groupTexts } from '../../models/texts/groups.js';
import { serverTexts } from '../../models/texts/server.js';
import { ListModel } from '../listModel.js';

const words = groupTexts.invitations;
const HOUR = 3600;

/** The choices of a link's lifetime in seconds; null: unlimited. */
const LASTING = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR, ever: null };
/** The choices of a link's number of uses. */
const TIMES = { one: 1, ten: 10, hundred: 100, any: null };

/**
 * Invitation links of a group, or (null) of the whole instance. Rows are `{id, by, limits, busy}`. `state.url` is the
 * link made last, which the server returns only once; `allowed: false`: this person may not invite here.
 */
export class InvitationsViewModel extends ListModel {
  #roomId;
  #services;
  #origin;
  #open = [];
  /** Counts loads: an older answer does not replace a newer one. */
  #turn = 0;

  /**
   * @param {string|null} roomId
   * @param {object} services `groups`, `store`, `clock`, `origin` of this page
   */
  constructor(roomId, services) {
    super({
      loading: false, error: null, empty: false, lasting: 'week', times: 'any', creating: false, url: null, note: '',
      allowed: true,
    });
    this.#roomId = roomId;
    this.#services = services;
    this.#origin = services.origin;
    this.onClose(services.store.subscribe(({ type, roomId: changed, role }) => {
      // Somebody came in, perhaps by one of these.
      const cameIn = roomId === null ? type === 'me' : type === 'member' && changed === roomId && role;
      if (cameIn && this.#open.length > 0) this.open();
    }));
  }

  choose(name, value) {
    this.update({ [name]: value });
  }

  open() {
    const turn = (this.#turn += 1);
    return this.loading(async () => {
      try {
        const { body } = await this.#services.groups.invitations(this.#roomId);
        if (turn === this.#turn) this.#open = body;
        return { allowed: true };
      } catch (error) {
        if (error.kind === 'forbidden' || error.kind === 'not-found') return { allowed: false };
        throw error;
      }
    }, words.loadFailed);
  }

  /** Makes a link. @returns {Promise<string|null>} its address; never rejects */
  async create() {
    if (this.state.creating) return null;
    const { lasting, times } = this.state;
    const limits = {};
    if (LASTING[lasting] !== null) limits.expires_in = LASTING[lasting];
    if (TIMES[times] !== null) limits.max_uses = TIMES[times];
    this.update({ creating: true, error: null, note: '' });
    try {
      const { body } = await this.#services.groups.invite(this.#roomId, limits);
      const { url: path, ...invitation } = body;
      const url = new URL(path, this.#origin).href;
      this.#open = [invitation, ...this.#open];
      this.update({ creating: false, url });
      return url;
    } catch (error) {
      const text = error.kind === 'conflict'
        ? words.tooMany : serverTexts.said(error.errors?.[0]?.detail) || problemText(error);
      this.update({ creating: false, error: text });
      return null;
    } finally {
      this.build();
    }
  }

  /** @returns {Promise<boolean>} never rejects */
  end(id) {
    this.update({ error: null, note: '' });
    return this.acting([id], async () => {
      await this.#services.groups.endInvitation(this.#roomId, id);
      this.#open = this.#open.filter((invitation) => invitation.id !== id);
      this.update({ note: words.ended, url: this.#open.length === 0 ? null : this.state.url });
    });
  }

  build() {
    const now = this.#services.clock.now();
    this.rows.replaceAll(this.#open.map((invitation) => this.#rowOf(invitation, now)));
    this.update({ empty: this.#open.length === 0 && !this.state.loading && !this.state.error });
  }

  #rowOf(invitation, now) {
    const { store } = this.#services;
    const inviter = invitation.inviter ?? store.me;
    const by = words.by(store.person(inviter).name, ageText(Date.parse(invitation.created_at), now));
    const until = invitation.expires_at ? words.until(momentText(Date.parse(invitation.expires_at))) : words.forever;
    const uses = words.used(invitation.uses ?? 0, invitation.max_uses ?? null);
    return { id: invitation.id, by, limits: `${uses} · ${until}`, busy: this.isBusy(invitation.id) };
  }
}

/** '14 March 2026, 18:03' */
function momentText(milliseconds) {
  return `${dateText(milliseconds)}, ${hourText(milliseconds)}`;
}
