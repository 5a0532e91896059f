import { ageText } from '../../models/days.js';
import { dateText, fullTimeText, hourText, dayKey } from '../../models/format.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { browserName } from '../../models/userAgent.js';
import { ListModel } from '../listModel.js';

const words = settingsTexts.sessions;

/**
 * The sessions of this account. Rows are `{id, name, userAgent, current, when, whenTitle, busy}`: this session first,
 * then newest first.
 */
export class SessionsViewModel extends ListModel {
  #services;
  #sessions = [];

  /** @param {object} services `profile`, `clock` */
  constructor(services) {
    super({ loading: true, error: null, alone: false, busy: false, note: '' });
    this.#services = services;
  }

  open() {
    return this.loading(async () => {
      this.#sessions = (await this.#services.profile.sessions()).body;
    }, words.loadFailed);
  }

  /** @param {string} id not of this session @returns {Promise<boolean>} never rejects */
  end(id) {
    return this.#act([id], async () => {
      await this.#services.profile.endSession(id);
      this.#sessions = this.#sessions.filter((session) => session.id !== id);
    }, words.ended);
  }

  /** @returns {Promise<boolean>} never rejects */
  endOthers() {
    const others = this.#sessions.filter(({ current }) => !current).map(({ id }) => id);
    return this.#act(others, async () => {
      await this.#services.profile.endOtherSessions();
      this.#sessions = this.#sessions.filter(({ current }) => current);
    }, words.endedOthers);
  }

  async #act(ids, act, note) {
    if (this.state.busy) return false;
    this.update({ busy: true, error: null, note: '' });
    const done = await this.acting(ids, async () => {
      await act().catch((error) => {
        // Ended elsewhere meanwhile, as requested.
        if (error.kind !== 'not-found') throw error;
        note = '';
        this.#sessions = this.#sessions.filter(({ id }) => !ids.includes(id));
      });
      this.update({ note });
    });
    this.update({ busy: false });
    return done;
  }

  build() {
    const sorted = [...this.#sessions].sort((one, other) => Number(other.current) - Number(one.current)
      || Date.parse(other.created_at) - Date.parse(one.created_at) || (one.id < other.id ? 1 : -1));
    const now = this.#services.clock.now();
    this.rows.replaceAll(sorted.map((session) => this.#rowOf(session, now)));
    this.update({ alone: this.#sessions.length === 1 });
  }

  #rowOf(session, now) {
    const at = Date.parse(session.created_at);
    const used = session.last_used_at ? `, ${words.lastUsed(ageText(Date.parse(session.last_used_at), now))}` : '';
    return {
      id: session.id,
      name: browserName(session.user_agent),
      userAgent: session.user_agent ?? '',
      current: Boolean(session.current),
      signedIn: dayText(at, now),
      when: words.signedIn(dayText(at, now)) + (session.current ? '' : used),
      whenTitle: fullTimeText(at),
      busy: this.isBusy(session.id),
    };
  }
}

/** 'today at 18:03', '14 March 2026' */
function dayText(milliseconds, now) {
  const { lastSeenToday, lastSeenDate } = sharedTexts;
  return dayKey(milliseconds) === dayKey(now)
    ? lastSeenToday(hourText(milliseconds)) : lastSeenDate(dateText(milliseconds));
}
