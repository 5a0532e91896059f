import { isQuiet, isTold, noticeOf } from '../models/notificationRules.js';

/**
 * Notifies of messages: system notifications and sounds. Runs in every tab; the leading one shows notifications, and
 * sounds come from the tab with attention, else from the leading one.
 */
export class Alerts {
  #services;
  #ends;
  /** The last message of each chat that needs no notification. */
  #marks = new Map();

  /**
   * @param {object} services
   * @param {import('../models/chatStore.js').ChatStore} services.store
   * @param {{subscribe: Function}} services.outbox
   * @param {{get: (name: string) => string}} services.preferences
   * @param {import('../services/systemNotifications.js').SystemNotifications} services.notifications
   * @param {import('../services/attention.js').Attention} services.attention
   * @param {import('../services/sounds.js').Sounds} services.sounds
   * @param {() => boolean} services.leads whether this is the leading tab
   * @param {import('./types.js').Clock} services.clock
   */
  constructor(services) {
    this.#services = services;
    this.#ends = [
      services.store.subscribe((change) => this.#changed(change)),
      services.outbox.subscribe((change) => change.type === 'added' && this.#sound('sending')),
    ];
    this.#closeAllRead();
  }

  end() {
    for (const end of this.#ends) end();
  }

  /** Whether nothing is to be told now. */
  get quiet() {
    const { store, clock } = this.#services;
    return isQuiet(store.me?.settings?.do_not_disturb, clock.now());
  }

  #changed(change) {
    const { type, kind, message, roomId } = change;
    if (type === 'message' && kind === 'created') this.#arrived(message);
    if (type === 'message' && kind === 'deleted') {
      this.#close(({ tag, seq }) => tag === message.room_id && seq === message.seq);
    }
    if (type === 'room' || type === 'cleared') this.#closeRead(roomId);
    if (type === 'rooms') this.#closeAllRead();
    if (type === 'removed') this.#close(({ tag }) => tag === roomId);
  }

  async #arrived(message) {
    const { store, attention, notifications, preferences, leads } = this.#services;
    if (!isTold(message, store) || this.quiet) return;
    const isSeen = await attention.anywhere();
    if (attention.here || (!isSeen && leads())) this.#sound('receiving');
    if (isSeen || !leads() || preferences.get('notifications') !== 'on') return;
    // It may have been read while the tabs were asked for attention.
    if (!isTold(message, store)) return;
    await notifications.show(noticeOf(message, store));
    // Or while it was being shown.
    if (!isTold(message, store)) this.#close(({ tag, seq }) => tag === message.room_id && seq <= message.seq);
  }

  /** @param {'sending'|'receiving'} name */
  #sound(name) {
    const { sounds, preferences } = this.#services;
    if (preferences.get(`sound-${name}`) !== 'off' && !this.quiet) sounds.play(name);
  }

  /** Closes a chat's notification when it was read on any device, cleared or muted. */
  #closeRead(roomId) {
    const mark = markOf(this.#services.store.room(roomId));
    if (this.#marks.get(roomId) === mark) return;
    this.#marks.set(roomId, mark);
    this.#close(({ tag, seq }) => tag === roomId && seq <= mark);
  }

  /** The same for all chats, after a load. */
  #closeAllRead() {
    const { store } = this.#services;
    this.#close(({ tag, seq }) => seq <= markOf(store.room(tag)));
  }

  #close(done) {
    const { notifications, leads } = this.#services;
    if (leads() && notifications.permission === 'granted') notifications.close(done);
  }
}

/** The last message of a chat that needs no notification. */
function markOf(room) {
  if (!room) return 0;
  return room.muted ? Infinity : Math.max(room.read_seq, room.cleared_seq ?? 0);
}
