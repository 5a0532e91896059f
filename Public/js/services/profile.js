/** The API of the user's own profile, loaded after the first page. Rejects with `ApiError` only. */
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
    return this.#upload?.put('/me/avatar', picture, options);
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
    return this.#api.request('PUT', '/me/password',
      { body: current === null ? { new: next } : { current, new: next } });
  }

  /**
   * The address that links a GitHub account and leads back to `returnTo`. An older session needs the password.
   * @param {string} returnTo @param {string} [password]
   */
  linkGitHub(returnTo, password) {
    const body = { return_to: returnTo, ...(password ? { password } : {}) };
    return this.#api.request('POST', '/me/github', { body });
  }

  /** @param {string} [password] */
  unlinkGitHub(password) {
    return this.#api.request('DELETE', '/me/github', ...(password ? [{ body: { password } }] : []));
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
