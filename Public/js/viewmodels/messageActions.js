import { sharedTexts } from '../models/texts/shared.js';
import { chatTexts, failureText } from '../models/texts/conversation.js';

/** The emoji that a menu offers until the user has chosen others. */
const USUAL = ['👍', '❤️', '😂', '🎉', '😮', '🙏'];
const OFFERED = 6;
const REMEMBERED = 24;

/**
 * The actions on messages of an open chat. Commands never reject: they return null on success, else a text that says
 * what failed.
 */
export class MessageActions {
  #roomId;
  #services;
  #conversation;

  /**
   * @param {string} roomId
   * @param {object} services `messageApi`, `store`, `sync`, `preferences`, `clock`, `origin`
   * @param {import('./conversationViewModel.js').ConversationViewModel} conversation
   */
  constructor(roomId, services, conversation) {
    this.#roomId = roomId;
    this.#services = services;
    this.#conversation = conversation;
  }

  /** Whether the user may delete messages of others, and pin in a group. */
  get #keeper() {
    return ['owner', 'admin'].includes(this.#room?.role) && this.#room.kind === 'group';
  }

  get #room() {
    return this.#services.store.room(this.#roomId);
  }

  /** The current row of a message, which may have changed since its menu opened. */
  row(key) {
    return this.#conversation.rows.items.find((row) => row.key === key) ?? null;
  }

  /**
   * What a message's menu offers, in order. @param {import('./types.js').MessageRow} row @returns {string[]}
   */
  offered(row) {
    if (row.seq === null) return row.state === 'failed' ? ['copyText', 'retry', 'discard'] : ['copyText'];
    if (row.deleted) return ['select', 'remove'];
    const group = this.#room?.kind === 'group';
    const mayPin = !group || this.#keeper;
    return [
      'reply', row.own && !row.forwardedFrom && 'edit', 'copyText', 'copyLink', 'forward',
      mayPin && (row.pinned ? 'unpin' : 'pin'), row.replyTo && !row.replyTo.missing && 'original',
      row.reactions.length > 0 && 'reactors', group && row.own && 'readers', 'select', 'remove',
    ].filter(Boolean);
  }

  /** Whether all of these messages may be deleted for everyone. */
  mayDeleteForAll(rows) {
    return rows.every((row) => !row.deleted && (row.own || this.#keeper));
  }

  /** The address of a message. */
  link(row) {
    return `${this.#services.origin}/chats/${encodeURIComponent(this.#roomId)}?at=${row.seq}`;
  }

  /** The text of a message; of several, each with its sender and time. */
  textOf(rows) {
    if (rows.length === 1) return rows[0].text;
    return rows.filter((row) => !row.deleted).map((row) => `${row.sender.name}, ${row.time}\n${row.text}`).join('\n\n');
  }

  /** @returns {string[]} the emoji the user used last, then common ones */
  frequentEmoji(count = OFFERED) {
    const used = this.#usedEmoji();
    return [...used, ...USUAL.filter((emoji) => !used.includes(emoji))].slice(0, count);
  }

  react(row, emoji) {
    const used = this.#usedEmoji().filter((one) => one !== emoji);
    this.#services.preferences.set('emoji', [emoji, ...used].slice(0, REMEMBERED).join(' '));
    return this.#conversation.extras?.react(row.seq, emoji);
  }

  async pin(row, wanted) {
    return this.#try(chatTexts.pinFailed, async () => {
      await this.#services.messageApi.pin(this.#roomId, row.seq, wanted);
      this.#conversation.extras?.pinned(row.seq, wanted ? new Date(this.#services.clock.now()).toISOString() : null);
    });
  }

  /** Deletes messages one after another. @param {{forAll: boolean}} how */
  async remove(rows, { forAll }) {
    const { messageApi, clock } = this.#services;
    const failures = [];
    for (const row of rows) {
      const failure = await this.#try(chatTexts.deleteFailed, async () => {
        if (forAll) {
          await messageApi.remove(this.#roomId, row.seq).catch(unlessGone);
          const at = new Date(clock.now()).toISOString();
          const message = this.#conversation.message(row.seq);
          if (message) this.#conversation.take({ ...message, text: '', deleted_at: at });
        } else {
          await messageApi.hide(this.#roomId, row.seq).catch(unlessGone);
          this.#conversation.hide(row.seq);
        }
      });
      if (failure) failures.push(failure);
    }
    if (failures.length < 2 && rows.length < 2) return failures[0] ?? null;
    return failures.length === 0 ? null : `${chatTexts.someFailed(failures.length, rows.length)} ${failures[0]}`;
  }

  /** Who reacted, by emoji. @returns {Promise<{emoji: string, people: object[]}[]|string>} */
  async reactors(row) {
    const { messageApi, store } = this.#services;
    try {
      const { body } = await messageApi.reactions(this.#roomId, row.seq);
      return body.map(({ emoji, users }) => ({ emoji, people: users.map((user) => this.#personOf(user, store)) }));
    } catch (error) {
      return failureText(sharedTexts.listFailed, error);
    }
  }

  /** Who has read a message, and to whom it was delivered. @returns {Promise<object|string>} */
  async readers(row) {
    const { messageApi, store } = this.#services;
    try {
      const [{ body: receipts }, members] = await Promise.all([messageApi.receipts(this.#roomId), this.members()]);
      store.putReceipts(this.#roomId, receipts);
      const pointers = new Map(receipts.map((receipt) => [receipt.user_id, receipt]));
      const others = members.filter((user) => user.id !== store.me?.id);
      const groups = /** @type {Record<string, any[]>} */ ({ read: [], delivered: [], sent: [] });
      for (const user of others) {
        const { read_seq: read = 0, delivered_seq: delivered = 0 } = pointers.get(user.id) ?? {};
        const state = read >= row.seq ? 'read' : delivered >= row.seq ? 'delivered' : 'sent';
        groups[state].push(this.#personOf(user, store));
      }
      return { ...groups, all: others.length };
    } catch (error) {
      return failureText(chatTexts.readersFailed, error);
    }
  }

  /** @returns {Promise<object[]>} the members of the chat */
  async members() {
    const members = [];
    let next = null;
    do {
      const answer = await this.#services.messageApi.members(this.#roomId, next);
      members.push(...answer.body);
      next = answer.next;
    } while (next !== null);
    for (const user of members) this.#services.store.meet(user, { presence: false });
    return members;
  }

  #personOf(user, store) {
    store.meet(user, { presence: false });
    const person = store.person(user);
    return user.id === store.me?.id ? { ...person, name: sharedTexts.you } : person;
  }

  #usedEmoji() {
    return this.#services.preferences.get('emoji').split(' ').filter(Boolean);
  }

  async #try(what, act) {
    if (this.#services.sync.state.connection === 'offline') return `${what} ${chatTexts.offline}`;
    try {
      await act();
      return null;
    } catch (error) {
      return failureText(what, error);
    }
  }
}

/** The message was deleted meanwhile, which is what was requested. */
function unlessGone(error) {
  if (error.kind !== 'not-found') throw error;
}
