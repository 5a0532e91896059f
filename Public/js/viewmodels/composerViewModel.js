import { countCharacters } from '../models/format.js';
import { Observable } from '../models/observableArray.js';
import { texts } from '../models/texts.js';

export const LONGEST_MESSAGE = 10_000;
const SHOW_REMAINING = 500;
/** The server forgets a typist after 6 s: say it again before that. */
const TYPING_AGAIN = 4000;
const TYPING_ENDS = 5000;

/** What is being written in one chat (K1, K3, S6). It belongs to that chat: it is sent there or nowhere. */
export class ComposerViewModel {
  #roomId;
  #services;
  #state;
  #toldAt = -Infinity;
  #telling = false;
  #endTimer = null;
  #toTell = null;
  #noticing = false;

  /**
   * @param {string} roomId
   * @param {object} services `store`, `api`, `outbox`, `drafts`, `clock`
   */
  constructor(roomId, services) {
    this.#roomId = roomId;
    this.#services = services;
    this.#state = new Observable(stateOf(services.drafts.get(roomId)));
  }

  /** @returns {import('./types.js').ComposerState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#endTyping();
  }

  /** The field holds this text now. */
  input(text) {
    if (text === this.state.text) return;
    this.#services.drafts.set(this.#roomId, text);
    this.#state.update(stateOf(text));
    if (text.trim() === '') this.#endTyping();
    else this.#tellTyping();
  }

  /** Hands the text to the outbox. @returns {boolean} false when there is nothing to send, or too much */
  send() {
    const { text, canSend } = this.state;
    if (!canSend) return false;
    this.#services.outbox.add({ roomId: this.#roomId, text: text.trim() });
    this.#services.drafts.set(this.#roomId, '');
    this.#state.update(stateOf(''));
    // The message itself ends it on other screens; the server has to hear of it too, or would take the next notice
    // for a repetition and keep it to itself.
    this.#endTyping();
    return true;
  }

  /** The field lost the focus. */
  blur() {
    this.#endTyping();
  }

  #tellTyping() {
    const { clock } = this.#services;
    clock.clearTimeout(this.#endTimer);
    this.#endTimer = clock.setTimeout(() => this.#endTyping(), TYPING_ENDS);
    if (clock.now() - this.#toldAt < TYPING_AGAIN) return;
    this.#toldAt = clock.now();
    this.#telling = true;
    this.#notice(true);
  }

  #endTyping() {
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

function stateOf(text) {
  const left = LONGEST_MESSAGE - countCharacters(text.trim());
  const tooLong = left < 0;
  return {
    text,
    tooLong,
    canSend: text.trim() !== '' && !tooLong,
    remaining: left < SHOW_REMAINING ? left : null,
    hint: hintOf(left),
  };
}

function hintOf(left) {
  if (left < 0) return texts.composer.tooLong(-left);
  return left < SHOW_REMAINING ? texts.composer.left(left) : '';
}
