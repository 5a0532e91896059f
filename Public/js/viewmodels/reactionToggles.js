import { withMine } from '../models/reactions.js';
import { chatTexts, failureText } from '../models/texts/conversation.js';

/** Reactions being sent: shown at once, undone with an error message if refused. */
export class ReactionToggles {
  #roomId;
  #services;
  #window;
  #onChange;
  /** Requested and unconfirmed reactions, by message and emoji. */
  #wanted = new Map();

  /**
   * @param {string} roomId
   * @param {object} services `messageApi`, `sync`
   * @param {import('./messageWindow.js').MessageWindow} window
   * @param {() => void} onChange
   */
  constructor(roomId, services, window, onChange) {
    this.#roomId = roomId;
    this.#services = services;
    this.#window = window;
    this.#onChange = onChange;
  }

  /** @returns {readonly import('../models/reactions.js').Reaction[]|undefined} the reactions shown below a message */
  shown = (message) => {
    let { reactions } = message;
    if (this.#wanted.size === 0) return reactions;
    for (const { seq, emoji, wanted } of this.#wanted.values()) {
      if (seq === message.seq) reactions = withMine(reactions, emoji, wanted);
    }
    return reactions;
  };

  /** @returns {Promise<string|null>} why it failed, in words */
  async toggle(seq, emoji) {
    const message = this.#window.timeline.get(seq);
    if (!message) return null;
    const wanted = !this.shown(message)?.find((one) => one.emoji === emoji)?.mine;
    if (this.#services.sync.state.connection === 'offline') return chatTexts.offline;
    const key = `${seq} ${emoji}`;
    const underWay = this.#wanted.get(key);
    if (underWay) underWay.wanted = wanted;
    else this.#wanted.set(key, { seq, emoji, wanted });
    this.#onChange();
    return underWay ? null : this.#tell(key, this.#wanted.get(key));
  }

  /** One request at a time for each emoji; the last choice is sent when it ends. */
  async #tell(key, wish) {
    const { seq, emoji } = wish;
    let failure = null;
    try {
      for (let told = null; told !== wish.wanted;) {
        told = wish.wanted;
        const stored = told;
        await this.#services.messageApi.react(this.#roomId, seq, emoji, stored);
        this.#window.amend(seq, (one) => ({ ...one, reactions: withMine(one.reactions, emoji, stored) }));
      }
    } catch (error) {
      const full = error.kind === 'invalid' || error.kind === 'conflict';
      failure = full ? chatTexts.tooManyReactions : failureText(chatTexts.reactFailed, error);
    }
    this.#wanted.delete(key);
    this.#onChange();
    return failure;
  }
}
