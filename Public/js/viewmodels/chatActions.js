import { chatQuestion } from '../models/chatQuestions.js';
import { problemText } from '../models/format.js';
import { listTexts } from '../models/texts/list.js';

/** How many of the newest messages to search for another person's, to be marked as unread. */
const LOOKED_THROUGH = 50;

/**
 * The actions of a chat's row. A change shows at once; it is undone with an error message if the server refuses it.
 */
export class ChatActions {
  #services;
  /** The last request of each chat, so that requests reach the server in order. */
  #last = new Map();

  /**
   * @param {import('./types.js').Client & {tell: (text: string) => void}} services `tell` shows an error
   */
  constructor(services) {
    this.#services = services;
  }

  /** @returns {{name: string, label: string, asks: boolean}[]} in the menu's order; `asks`: it asks for confirmation */
  items(roomId) {
    const room = this.#services.store.room(roomId);
    if (!room) return [];
    const names = [room.muted ? 'unmute' : 'mute', room.pinned ? 'unpin' : 'pin'];
    if (room.unread_count > 0) names.unshift('read');
    else if (room.last_message) names.unshift('unread');
    const asking = room.last_message ? ['clear'] : [];
    asking.push(room.kind === 'group' ? 'leave' : 'delete');
    const item = (asks) => (name) => ({ name, label: listTexts.actions[name], asks });
    return [...names.map(item(false)), ...asking.map(item(true))];
  }

  /** The confirmation of an action. @returns {{title: string, hints: string[], action: string}|null} */
  question(roomId, name) {
    const room = this.#services.store.room(roomId);
    return chatQuestion(room, name, this.#nameOf(room));
  }

  /** @returns {string} what to say once it shows */
  doneText(roomId, name) {
    return listTexts.done[name](this.#nameOf(this.#services.store.room(roomId)));
  }

  /** @param {string} name of an item @returns {Promise<boolean>} whether the server has done it */
  async run(roomId, name) {
    const { store, api, receipts, drafts } = this.#services;
    const room = store.room(roomId);
    if (!room) return false;
    const path = `/rooms/${encodeURIComponent(roomId)}`;
    const patch = (members) => this.#request(roomId, name, members,
      () => api.request('PATCH', path, { body: members }));
    const emptied = { last_message: null, unread_count: 0, mention_count: 0 };
    switch (name) {
      case 'read':
        receipts.read(roomId, room.last_seq);
        return true;
      case 'unread':
        return this.#markUnread(room);
      case 'mute':
      case 'unmute':
        return patch({ muted: name === 'mute' });
      case 'pin':
      case 'unpin':
        return patch({ pinned: name === 'pin' });
      case 'clear':
        return this.#request(roomId, name, emptied, () => api.request('POST', `${path}/clearing`));
      case 'delete': {
        const done = await this.#request(roomId, name, { hidden: true }, () => api.request('POST', `${path}/hiding`));
        if (done) drafts.set(roomId, '');
        return done;
      }
      case 'leave':
        return this.#request(roomId, name, { hidden: true }, () => api.request('DELETE', `${path}/membership`));
      default:
        return false;
    }
  }

  async #markUnread(room) {
    const { store, api, tell } = this.#services;
    let from = room.last_message;
    if (!this.#counts(from)) {
      try {
        const { body } = await api.messages(room.id, { limit: LOOKED_THROUGH });
        from = body.findLast((message) => this.#counts(message));
      } catch (error) {
        this.#failed(room, 'unread', error);
        return false;
      }
    }
    if (!from) {
      tell(listTexts.nothingToMark(this.#nameOf(room)));
      return false;
    }
    const { seq } = from;
    const members = { read_seq: seq - 1, unread_count: 1, mention_count: store.mentionsMe(from) ? 1 : 0 };
    const body = { unread_from: seq };
    const path = `/rooms/${encodeURIComponent(room.id)}/receipt`;
    return this.#request(room.id, 'unread', members, () => api.request('PUT', path, { body }));
  }

  #counts(message) {
    return !this.#services.store.isMine(message) && !message.deleted_at;
  }

  async #request(roomId, name, members, send) {
    const { store } = this.#services;
    const room = store.room(roomId);
    const asked = store.ask(roomId, members);
    const sent = (this.#last.get(roomId) ?? Promise.resolve()).then(send);
    const settled = sent.then(() => true, () => false);
    this.#last.set(roomId, settled);
    try {
      await sent;
      asked.done();
      return true;
    } catch (error) {
      asked.failed();
      this.#failed(room, name, error);
      return false;
    } finally {
      if (this.#last.get(roomId) === settled) this.#last.delete(roomId);
    }
  }

  #failed(room, name, error) {
    this.#services.tell(`${listTexts.failed[name](this.#nameOf(room))} ${problemText(error)}`);
  }

  #nameOf(room) {
    return room.peer ? this.#services.store.person(room.peer).name : room.name;
  }
}
