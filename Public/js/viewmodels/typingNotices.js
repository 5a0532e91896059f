/** The server forgets a typist after 6 s: say it again before that. */
const AGAIN = 4000;
const ENDS = 5000;

/** Tells the others in a chat that somebody types, and that it ended (S6). */
export class TypingNotices {
  #roomId;
  #services;
  #toldAt = -Infinity;
  #telling = false;
  #endTimer = null;
  #toTell = null;
  #noticing = false;

  /** @param {string} roomId @param {object} services `api`, `clock` */
  constructor(roomId, services) {
    this.#roomId = roomId;
    this.#services = services;
  }

  /** A key was pressed. */
  tell() {
    const { clock } = this.#services;
    clock.clearTimeout(this.#endTimer);
    this.#endTimer = clock.setTimeout(() => this.end(), ENDS);
    if (clock.now() - this.#toldAt < AGAIN) return;
    this.#toldAt = clock.now();
    this.#telling = true;
    this.#notice(true);
  }

  /** Nothing is typed any more. */
  end() {
    this.#services.clock.clearTimeout(this.#endTimer);
    if (!this.#telling) return;
    this.#telling = false;
    this.#toldAt = -Infinity;
    this.#notice(false);
  }

  /** One at a time, so that none overtakes another; of those that come meanwhile the last counts. */
  async #notice(typing) {
    this.#toTell = typing;
    if (this.#noticing) return;
    this.#noticing = true;
    while (this.#toTell !== null) {
      const next = this.#toTell;
      this.#toTell = null;
      // A lost notice does no harm: the next one comes, and the server lets typing expire.
      await this.#services.api.typing(this.#roomId, next).catch(() => {});
    }
    this.#noticing = false;
  }
}
