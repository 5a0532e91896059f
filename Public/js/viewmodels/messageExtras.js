import { withCount } from '../models/reactions.js';
import { Originals } from './originals.js';
import { PinsViewModel } from './pinsViewModel.js';
import { ReactionToggles } from './reactionToggles.js';

/** What hangs on the messages of an open chat: reactions, pins, and the originals of replies (C7, R3). */
export class MessageExtras {
  #store;
  #window;
  #onChange;
  #originals;
  #reactions;
  pins;

  /**
   * @param {string} roomId
   * @param {object} services `messageApi`, `store`, `sync`
   * @param {import('./messageWindow.js').MessageWindow} window
   * @param {{now: () => void, soon: () => void}} onChange what of it shows has changed, by me or by others
   */
  constructor(roomId, services, window, onChange) {
    this.#store = services.store;
    this.#window = window;
    this.#onChange = onChange;
    this.#originals = new Originals(roomId, services, window.timeline, onChange.soon);
    this.#reactions = new ReactionToggles(roomId, services, window, onChange.now);
    this.pins = new PinsViewModel(roomId, services, (seq) => window.timeline.get(seq));
  }

  /** What `buildRows` takes of it. */
  get sources() {
    return { original: this.#originals.get, reactions: this.#reactions.shown };
  }

  /** The connection is back. */
  retry() {
    this.#originals.retry();
  }

  /** @returns {Promise<string|null>} why it failed */
  react(seq, emoji) {
    return this.#reactions.toggle(seq, emoji);
  }

  /** A pin of mine is stored, or taken away: `pinnedAt` null. */
  pinned(seq, pinnedAt) {
    this.applied({ id: null, event: pinnedAt ? 'pin.added' : 'pin.removed', data: { seq, pinned_at: pinnedAt } });
  }

  /** An event of this chat that concerns neither its list nor a text. */
  applied({ id, event, data }) {
    if (event.startsWith('reaction.')) {
      const mine = data.user_id === this.#store.me?.id ? event === 'reaction.added' : null;
      this.#amend(id, data.seq, (one) => ({ ...one, reactions: withCount(one.reactions, data, mine) }));
    } else if (event.startsWith('pin.')) {
      const pinnedAt = event === 'pin.added' ? data.pinned_at : null;
      this.#amend(id, data.seq, (one) => ({ ...one, pinned_at: pinnedAt }));
      this.pins.applied(event, data, id);
    }
  }

  /** A message has another text, or none any more. */
  changed(message) {
    this.#originals.update(message);
    this.pins.changed(message);
    this.#onChange.soon();
  }

  /** A message is gone for me. */
  hidden(seq) {
    this.#originals.drop(seq);
    this.pins.changed({ seq, deleted_at: 'hidden' });
  }

  #amend(id, seq, change) {
    if (this.#window.amend(seq, change, id)) this.#onChange.soon();
  }
}
