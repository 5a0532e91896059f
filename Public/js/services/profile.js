/** The part of the API that one's own profile needs; it arrives after the first page. Rejects with `ApiError` alone. */
export class Profile {
  #api;
  #upload;

  /**
   * @param {import('./api.js').Api} api
   * @param {import('./upload.js').Upload|null} upload null where no picture is sent
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

  /** @param {string|null} password null where there is none yet */
  changeEmail(email, password) {
    return this.#api.request('PUT', '/me/email', { body: password === null ? { email } : { email, password } });
  }

  /** @param {string|null} current null where there is none yet */
  changePassword(current, next) {
    return this.#api.request('PUT', '/me/password', { body: current === null ? { new: next } : { current, new: next } });
  }

  /** Where to send the browser to link a GitHub account; it comes back to `returnTo`. */
  linkGitHub(returnTo) {
    return this.#api.request('POST', '/me/github', { body: { return_to: returnTo } });
  }

  unlinkGitHub() {
    return this.#api.request('DELETE', '/me/github');
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
