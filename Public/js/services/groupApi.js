/** The API of groups, loaded with their pages. All methods reject with `ApiError` only. */

/** The page size of people and members: most groups take one request. */
const PAGE = 100;

const part = (value) => encodeURIComponent(value);
const room = (roomId) => `/rooms/${part(roomId)}`;
/** Invitations of a room, or (null) of the whole instance. */
const invitations = (roomId) => (roomId === null ? '/invitations' : `${room(roomId)}/invitations`);

/** @typedef {import('./api.js').Answer} Answer */

export class Groups {
  #api;
  #upload;

  /**
   * @param {import('./api.js').Api} api
   * @param {import('./upload.js').Upload} upload
   */
  constructor(api, upload) {
    this.#api = api;
    this.#upload = upload;
  }

  /** People of this instance by name. @param {string} query @param {object} [options] @returns {Promise<Answer>} */
  people(query, options) {
    const asked = query === '' ? { sort: 'name', limit: 30 } : { query, sort: 'name', limit: 30 };
    return this.#api.request('GET', '/users', { ...options, query: asked });
  }

  create(values) {
    return this.#api.request('POST', '/rooms', { body: { kind: 'group', ...values } });
  }

  room(roomId) {
    return this.#api.request('GET', room(roomId));
  }

  /** Changes name, topic, public, repository; or the user's own muted, pinned, mention_level. */
  change(roomId, patch) {
    return this.#api.request('PATCH', room(roomId), { body: patch });
  }

  join(roomId) {
    return this.#api.request('PUT', `${room(roomId)}/membership`, { body: {} });
  }

  leave(roomId) {
    return this.#api.request('DELETE', `${room(roomId)}/membership`);
  }

  /** @param {string} roomId @param {string|null} next the address of a further page */
  members(roomId, next = null) {
    return next === null
      ? this.#api.request('GET', `${room(roomId)}/members`, { query: { limit: PAGE } })
      : this.#api.request('GET', next);
  }

  /** Adds a member, or changes a role; `owner` transfers the room. */
  putMember(roomId, userId, role) {
    const body = role === undefined ? {} : { role };
    return this.#api.request('PUT', `${room(roomId)}/members/${part(userId)}`, { body });
  }

  removeMember(roomId, userId) {
    return this.#api.request('DELETE', `${room(roomId)}/members/${part(userId)}`);
  }

  bans(roomId, next = null) {
    return this.#api.request('GET', next ?? `${room(roomId)}/bans`);
  }

  ban(roomId, userId) {
    return this.#api.request('PUT', `${room(roomId)}/bans/${part(userId)}`, { body: {} });
  }

  lift(roomId, userId) {
    return this.#api.request('DELETE', `${room(roomId)}/bans/${part(userId)}`);
  }

  /** Open invitations of a room, or (null) of the instance. */
  invitations(roomId) {
    return this.#api.request('GET', invitations(roomId));
  }

  /** @param {string|null} roomId @param {{expires_in?: number, max_uses?: number}} limits seconds; uses */
  invite(roomId, limits) {
    return this.#api.request('POST', invitations(roomId), { body: limits });
  }

  endInvitation(roomId, invitationId) {
    return this.#api.request('DELETE', `${invitations(roomId)}/${part(invitationId)}`);
  }

  /** The invitation of a token; also without a session. */
  invitation(token) {
    return this.#api.request('GET', `/invitations/${part(token)}`, { quiet: true });
  }

  accept(token) {
    return this.#api.request('POST', `/invitations/${part(token)}`, { body: {} });
  }

  publicRooms(query, next = null, options = {}) {
    if (next !== null) return this.#api.request('GET', next, options);
    const asked = query === '' ? { limit: PAGE } : { query, limit: PAGE };
    return this.#api.request('GET', '/public_rooms', { ...options, query: asked });
  }

  clear(roomId) {
    return this.#api.request('POST', `${room(roomId)}/clearing`);
  }

  hide(roomId) {
    return this.#api.request('POST', `${room(roomId)}/hiding`);
  }

  /** @param {string} roomId @param {Blob} picture @param {import('./upload.js').UploadOptions} options */
  putPicture(roomId, picture, options) {
    return this.#upload.put(`${room(roomId)}/avatar`, picture, options);
  }

  removePicture(roomId) {
    return this.#api.request('DELETE', `${room(roomId)}/avatar`);
  }
}
