import { isMark, marked } from '../models/reactions.js';
import { Originals } from './originals.js';
import { PinsViewModel } from './pinsViewModel.js';
import { ReactionToggles } from './reactionToggles.js';

/** Reactions, pins, and the originals of replies of an open chat. */
export class MessageExtras {
  #store;
  #window;
  #onChange;
  #originals;
  #reactions;
  #changes = /** @type {import('./changeLines.js').ChangeLines|null} */ (null);
  pins;

  /**
   * @param {string} roomId
   * @param {object} services `messageApi`, `store`, `sync`
   * @param {import('./messageWindow.js').MessageWindow} window
   * @param {{now: () => void, soon: () => void}} onChange called when rows must be rebuilt
   */
  constructor(roomId, services, window, onChange) {
    this.#store = services.store;
    this.#window = window;
    this.#onChange = onChange;
    this.#originals = new Originals(roomId, services, window.timeline, onChange.soon);
    this.#reactions = new ReactionToggles(roomId, services, window, onChange.now);
    this.pins = new PinsViewModel(roomId, services, (seq) => window.timeline.get(seq));
  }

  /** The inputs of `buildRows`. */
  get sources() {
    return { original: this.#originals.get, reactions: this.#reactions.shown, place: this.#changes?.place };
  }

  /**
   * Shows the lines of a group's log that are not messages.
   * @param {(...given: any[]) => import('./changeLines.js').ChangeLines} make of the window and `onChange`
   */
  showChanges(make) {
    this.#changes ??= make(this.#window, this.#onChange);
    return this.#changes;
  }

  /** The connection is back: retries. */
  retry() {
    this.#originals.retry();
    this.pins.retry();
  }

  /** @returns {Promise<string|null>} why it failed */
  react(seq, emoji) {
    return this.#reactions.toggle(seq, emoji);
  }

  /** The user's own pin or unpin (`pinnedAt` null) is stored. */
  pinned(seq, pinnedAt) {
    this.applied({ id: null, event: pinnedAt ? 'pin.added' : 'pin.removed', data: { seq, pinned_at: pinnedAt } });
  }

  /** Applies an event about reactions or pins. */
  applied({ id, event, data }) {
    if (!isMark(event)) return;
    const mine = data.user_id === this.#store.me?.id;
    this.#amend(id, data.seq, (one) => marked(one, { event, data, mine }));
    if (event.startsWith('pin.')) this.pins.applied(event, data, id);
  }

  /** A message was edited or deleted. */
  changed(message) {
    this.#originals.update(message);
    this.pins.changed(message);
    this.#onChange.soon();
  }

  /** A message was deleted for this user. */
  hidden(seq) {
    this.#originals.drop(seq);
    this.pins.changed({ seq, deleted_at: 'hidden' });
  }

  #amend(id, seq, change) {
    if (this.#window.amend(seq, change, id)) this.#onChange.soon();
  }
}
