const inRoom = (roomId, rest) => `/rooms/${encodeURIComponent(roomId)}${rest}`;
const ofMessage = (roomId, seq, rest = '') => inRoom(roomId, `/messages/${seq}${rest}`);

/** The API of an open chat beyond reading and sending. All methods reject with `ApiError` only. */
export class MessageApi {
  #api;

  /** @param {import('./api.js').Api} api */
  constructor(api) {
    this.#api = api;
  }

  message(roomId, seq) {
    return this.#api.request('GET', ofMessage(roomId, seq));
  }

  /** Edits one's own message. */
  edit(roomId, seq, text) {
    return this.#api.request('PATCH', ofMessage(roomId, seq), { body: { text } });
  }

  /** Deletes for everyone. */
  remove(roomId, seq) {
    return this.#api.request('DELETE', ofMessage(roomId, seq));
  }

  /** Deletes for oneself, on all devices. */
  hide(roomId, seq) {
    return this.#api.request('DELETE', ofMessage(roomId, seq), { query: { for: 'me' } });
  }

  /** Adds or removes a reaction. */
  react(roomId, seq, emoji, wanted) {
    const path = ofMessage(roomId, seq, `/reactions/${encodeURIComponent(emoji)}`);
    return this.#api.request(wanted ? 'PUT' : 'DELETE', path);
  }

  /** The reactions with their people. */
  reactions(roomId, seq) {
    return this.#api.request('GET', ofMessage(roomId, seq, '/reactions'));
  }

  pins(roomId) {
    return this.#api.request('GET', inRoom(roomId, '/pins'));
  }

  pin(roomId, seq, wanted) {
    return this.#api.request(wanted ? 'PUT' : 'DELETE', inRoom(roomId, `/pins/${seq}`));
  }

  /** Writes into any chat. */
  send(roomId, text, clientId) {
    return this.#api.send(roomId, { client_id: clientId, text });
  }

  /** The newest changes of a group, ascending, with `prev` for the page before. */
  changes(roomId, prev = null) {
    if (prev) return this.#api.request('GET', prev);
    return this.#api.request('GET', inRoom(roomId, '/changes'), { query: { limit: 200 } });
  }

  /** Forwards a message to another chat. @param {{roomId: string, seq: number}} from */
  forward(roomId, from, clientId) {
    const forward = { room_id: from.roomId, seq: from.seq };
    return this.#api.request('POST', inRoom(roomId, '/messages'), { body: { client_id: clientId, forward } });
  }

  receipts(roomId) {
    return this.#api.receipts(roomId);
  }

  /** A page of a chat's members, with `next` for the following one. */
  members(roomId, next = null) {
    if (next) return this.#api.request('GET', next);
    return this.#api.request('GET', inRoom(roomId, '/members'), { query: { limit: 200 } });
  }
}
