import { ageText, dateText, fullTimeText, hourText, dayKey } from '../../models/format.js';
import { Observable, ObservableArray } from '../../models/observableArray.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { problemText, texts } from '../../models/texts.js';
import { browserName } from '../../models/userAgent.js';

const words = settingsTexts.sessions;

/** Where one is signed in, and ending that (A5). */
export class SessionsViewModel {
  #services;
  #sessions = [];
  #busy = new Set();
  #state = new Observable({ loading: true, error: null, alone: false, busy: false, note: '' });

  /** `{id, name, userAgent, current, when, whenTitle, busy}`, this one first, then the newest */
  rows = new ObservableArray({ key: (row) => row.id });

  /** @param {object} services `profile`, `clock` */
  constructor(services) {
    this.#services = services;
  }

  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  async open() {
    this.#state.update({ error: null });
    try {
      this.#sessions = (await this.#services.profile.sessions()).body;
      this.#state.update({ loading: false });
    } catch (error) {
      this.#state.update({ loading: false, error: `${words.loadFailed} ${problemText(error)}` });
    }
    this.#build();
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
    this.#busy = new Set(ids);
    this.#state.update({ busy: true, error: null, note: '' });
    this.#build();
    try {
      await act();
      this.#state.update({ note });
      return true;
    } catch (error) {
      // Ended elsewhere meanwhile: that is what was wanted.
      if (error.kind === 'not-found') {
        this.#sessions = this.#sessions.filter(({ id }) => !ids.includes(id));
        return true;
      }
      this.#state.update({ error: problemText(error) });
      return false;
    } finally {
      this.#busy = new Set();
      this.#state.update({ busy: false });
      this.#build();
    }
  }

  #build() {
    const sorted = [...this.#sessions].sort((one, other) => Number(other.current) - Number(one.current)
      || Date.parse(other.created_at) - Date.parse(one.created_at) || (one.id < other.id ? 1 : -1));
    const now = this.#services.clock.now();
    this.rows.replaceAll(sorted.map((session) => this.#rowOf(session, now)));
    this.#state.update({ alone: this.#sessions.length === 1 });
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
      busy: this.#busy.has(session.id),
    };
  }
}

/** 'today at 18:03', '14 March 2026' */
function dayText(milliseconds, now) {
  const { lastSeenToday, lastSeenDate } = texts.conversation;
  return dayKey(milliseconds) === dayKey(now)
    ? lastSeenToday(hourText(milliseconds)) : lastSeenDate(dateText(milliseconds));
}
