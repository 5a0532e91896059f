/** The part of the API that one's own profile needs; it arrives with the settings. Rejects with `ApiError` alone. */
export class Profile {
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

  /** @param {Blob} picture @param {import('./upload.js').UploadOptions} options */
  putPicture(picture, options) {
    return this.#upload.put('/me/avatar', picture, options);
  }

  removePicture() {
    return this.#api.request('DELETE', '/me/avatar');
  }

  changeEmail(email, password) {
    return this.#api.request('PUT', '/me/email', { body: { email, password } });
  }

  changePassword(current, next) {
    return this.#api.request('PUT', '/me/password', { body: { current, new: next } });
  }

  changeSettings(settings) {
    return this.#api.request('PATCH', '/me', { body: { settings } });
  }

  sessions() {
    return this.#api.request('GET', '/sessions');
  }

  endSession(id) {
    return this.#api.request('DELETE', `/sessions/${encodeURIComponent(id)}`);
  }

  endOtherSessions() {
    return this.#api.request('DELETE', '/sessions');
  }
}
