const inRoom = (roomId, rest) => `/rooms/${encodeURIComponent(roomId)}${rest}`;
const ofMessage = (roomId, seq, rest = '') => inRoom(roomId, `/messages/${seq}${rest}`);

/** What an open chat asks of the REST API beyond reading and sending. All methods reject with `ApiError` only. */
export class MessageApi {
  #api;

  /** @param {import('./api.js').Api} api */
  constructor(api) {
    this.#api = api;
  }

  message(roomId, seq) {
    return this.#api.request('GET', ofMessage(roomId, seq));
  }

  /** Gives one's own message another text. */
  edit(roomId, seq, text) {
    return this.#api.request('PATCH', ofMessage(roomId, seq), { body: { text } });
  }

  /** Deletes for everyone. */
  remove(roomId, seq) {
    return this.#api.request('DELETE', ofMessage(roomId, seq));
  }

  /** Hides for oneself, on all devices. */
  hide(roomId, seq) {
    return this.#api.request('DELETE', ofMessage(roomId, seq), { query: { for: 'me' } });
  }

  /** Puts an emoji under a message, or takes it away. */
  react(roomId, seq, emoji, wanted) {
    const path = ofMessage(roomId, seq, `/reactions/${encodeURIComponent(emoji)}`);
    return this.#api.request(wanted ? 'PUT' : 'DELETE', path);
  }

  /** Who reacted with what. */
  reactions(roomId, seq) {
    return this.#api.request('GET', ofMessage(roomId, seq, '/reactions'));
  }

  pins(roomId) {
    return this.#api.request('GET', inRoom(roomId, '/pins'));
  }

  pin(roomId, seq, wanted) {
    return this.#api.request(wanted ? 'PUT' : 'DELETE', inRoom(roomId, `/pins/${seq}`));
  }

  /** Sends what somebody wrote into another chat. @param {{roomId: string, seq: number}} from */
  forward(roomId, from, clientId) {
    const forward = { room_id: from.roomId, seq: from.seq };
    return this.#api.request('POST', inRoom(roomId, '/messages'), { body: { client_id: clientId, forward } });
  }

  receipts(roomId) {
    return this.#api.receipts(roomId);
  }

  /** A page of who is in a chat, with `next` for the one after it. */
  members(roomId, next = null) {
    if (next) return this.#api.request('GET', next);
    return this.#api.request('GET', inRoom(roomId, '/members'), { query: { limit: 200 } });
  }
}
