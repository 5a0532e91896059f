/**
 * A failed request. `kind` is the name of the API's problem (`invalid`, `unauthenticated`, `forbidden`, `not-found`,
 * `conflict`, `too-large`, `rate-limited`, `github-rate-limited`, `github-unavailable`, `unavailable`, `internal`), or
 * `network` (no response), `timeout`, or `aborted` (by the caller).
 */
export class ApiError extends Error {
  /** @param {string} kind @param {object} [members] */
  constructor(kind, members = {}) {
    super(members.detail ?? members.title ?? kind);
    this.name = 'ApiError';
    this.kind = kind;
    this.status = members.status ?? 0;
    this.detail = members.detail ?? '';
    /** @type {{field: string, code: string, detail?: string}[]} */
    this.errors = members.errors ?? [];
    this.requestId = members.requestId ?? '';
    /** Milliseconds to wait, or null. */
    this.retryAfter = members.retryAfter ?? null;
    /** When GitHub's limit resets (milliseconds since 1970), or null. */
    this.resetAt = members.resetAt ?? null;
    this.github = members.github ?? { status: null, requestId: '', message: '' };
  }
}

/**
 * A response: `body` is the decoded JSON (null for none), `eventId` the last event that it includes, `next` and `prev`
 * are the paths of the next and the previous page, and `header` returns a field by its name, or null.
 * @typedef {{status: number, body: any, eventId: number|null, fetchedAt: number|null, stale: boolean,
 *   next: string|null, prev: string|null, header: (name: string) => string|null}} Answer
 */

const TIMEOUT = 15_000;
/** The largest page of chats that the server returns. */
const MOST_ROOMS = 200;
const BY_STATUS = {
  401: 'unauthenticated', 403: 'forbidden', 404: 'not-found', 409: 'conflict', 413: 'too-large', 422: 'invalid',
  429: 'rate-limited', 502: 'unavailable', 503: 'unavailable', 504: 'unavailable', 507: 'unavailable',
};

/** The REST API over `fetch`. All methods reject with `ApiError` only. */
export class Api {
  #fetch;
  #clock;
  #base;

  /** Called on each 401, except when a sign-in fails. */
  onUnauthenticated = () => {};

  /**
   * @param {object} environment
   * @param {typeof fetch} environment.fetch
   * @param {{now: () => number, setTimeout: Function, clearTimeout: Function}} environment.clock
   * @param {string} [environment.base]
   */
  constructor({ fetch, clock, base = '/api/v1' }) {
    this.#fetch = fetch;
    this.#clock = clock;
    this.#base = base;
  }

  signUp(values) {
    return this.request('POST', '/accounts', { body: values, quiet: true });
  }

  signIn(email, password) {
    return this.request('POST', '/session', { body: { email, password }, quiet: true });
  }

  signOut() {
    return this.request('DELETE', '/session');
  }

  session() {
    return this.request('GET', '/session');
  }

  changeMe(values) {
    return this.request('PATCH', '/me', { body: values });
  }

  /** A page of the user's chats: pinned first, then newest first. @param {string} [next] of the previous page */
  rooms(next) {
    return next ? this.request('GET', next) : this.request('GET', '/rooms', { query: { limit: MOST_ROOMS } });
  }

  room(roomId) {
    return this.request('GET', `/rooms/${segment(roomId)}`);
  }

  /**
   * Opens a direct chat: 201 if it is new, else 200. `github_id` identifies the person if the login was renamed.
   * @param {{user_id?: string, github_login?: string, github_id?: number}} person
   */
  openDirect(person) {
    return this.request('POST', '/rooms', { body: { kind: 'direct', ...person } });
  }

  /** @param {{before?: number, after?: number, around?: number, on?: string, limit?: number}} cursor */
  messages(roomId, cursor, options = {}) {
    return this.request('GET', `/rooms/${segment(roomId)}/messages`, { ...options, query: cursor });
  }

  /** 201 if the message is stored now, 200 if it was stored before under this client id. */
  send(roomId, message, options) {
    return this.request('POST', `/rooms/${segment(roomId)}/messages`, { ...options, body: message });
  }

  receipts(roomId) {
    return this.request('GET', `/rooms/${segment(roomId)}/receipts`);
  }

  putReceipt(roomId, pointers) {
    return this.request('PUT', `/rooms/${segment(roomId)}/receipt`, { body: pointers });
  }

  typing(roomId, typing) {
    return this.request('POST', `/rooms/${segment(roomId)}/typing`, { body: { typing } });
  }

  /** The presence of these people. @param {string[]} userIds at most 100 */
  presence(userIds) {
    return this.request('GET', '/presence', { query: { users: userIds.join(',') } });
  }

  /** The events after `after`; waits up to `wait` seconds for the first. */
  sync(after, wait, options) {
    return this.request('GET', '/sync', { ...options, query: { after, wait }, timeout: TIMEOUT + wait * 1000 });
  }

  /** A page of the people on this instance by its path, `/users?…`, or by `next` of the previous page. */
  people(path, options) {
    return this.request('GET', path, options);
  }

  /** A page of the directory by its path, `/github/…`, or by `next` of the previous page. */
  directory(path, options) {
    return this.request('GET', path, { ...options, timeout: 2 * TIMEOUT });
  }

  /**
   * @param {string} method
   * @param {string} path below the base, or one that starts with it
   * @param {{query?: object, body?: object, signal?: AbortSignal, timeout?: number, quiet?: boolean}} options
   *   `quiet`: the caller handles a 401
   * @returns {Promise<Answer>}
   */
  async request(method, path, { query, body, signal, timeout = TIMEOUT, quiet = false } = {}) {
    const abort = new AbortController();
    let timedOut = false;
    const timer = this.#clock.setTimeout(() => {
      timedOut = true;
      abort.abort();
    }, timeout);
    const stop = () => abort.abort();
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    try {
      const answer = await this.#exchange(method, this.#address(path, query), body, abort.signal);
      return answer;
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status === 401 && !quiet) this.onUnauthenticated();
        throw error;
      }
      if (signal?.aborted) throw new ApiError('aborted');
      throw new ApiError(timedOut ? 'timeout' : 'network', { detail: String(error?.message ?? '') });
    } finally {
      this.#clock.clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  async #exchange(method, address, body, signal) {
    const headers = { Accept: 'application/json' };
    // The server requires it for every state-changing request with a cookie, even without a body (CSRF).
    if (method !== 'GET') headers['Content-Type'] = 'application/json';
    const response = await this.#fetch(address, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: 'same-origin',
      // A revalidated response would have the event id of the time when it was cached.
      cache: 'no-store',
    });
    const text = await response.text();
    const header = (name) => response.headers.get(name);
    if (!response.ok) throw this.problem(response.status, text, header);
    const fetchedAt = Date.parse(header('Hubbub-Fetched-At') ?? '');
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      eventId: numberOrNull(header('Hubbub-Event-Id')),
      fetchedAt: Number.isNaN(fetchedAt) ? null : fetchedAt,
      stale: header('Hubbub-Stale') === '1',
      next: this.#link(header('Link'), 'next'),
      prev: this.#link(header('Link'), 'prev'),
      header,
    };
  }

  /**
   * The error for a response that is not 2xx; also used by `Upload`.
   * @param {number} status @param {string} text @param {(name: string) => string|null} header
   * @returns {ApiError}
   */
  problem(status, text, header) {
    const problem = parseObject(text);
    const named = /^\/problems\/([a-z-]+)$/.exec(problem.type ?? '')?.[1];
    const resetAt = Date.parse(problem.reset_at ?? '');
    return new ApiError(named ?? BY_STATUS[status] ?? (status >= 500 ? 'internal' : 'invalid'), {
      status,
      title: problem.title,
      detail: problem.detail,
      errors: Array.isArray(problem.errors) ? problem.errors : [],
      requestId: problem.request_id ?? header('X-Request-Id') ?? '',
      retryAfter: this.#retryAfter(header('Retry-After')),
      resetAt: Number.isNaN(resetAt) ? null : resetAt,
      github: {
        status: problem.github_status ?? null,
        requestId: problem.github_request_id ?? '',
        message: problem.github_message ?? '',
      },
    });
  }

  /** Seconds or an HTTP date (RFC 9110 section 10.2.3), as milliseconds from now. */
  #retryAfter(value) {
    if (value === null) return null;
    if (/^\d+$/.test(value)) return Number(value) * 1000;
    const date = Date.parse(value);
    return Number.isNaN(date) ? null : Math.max(0, date - this.#clock.now());
  }

  #address(path, query = {}) {
    const address = path.startsWith(`${this.#base}/`) ? path : this.#base + path;
    const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    if (parameters.length === 0) return address;
    const search = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
    return `${address}${address.includes('?') ? '&' : '?'}${search}`;
  }

  /** The target of a link relation (RFC 8288) if it is below the base of this API; others are ignored. */
  #link(link, relation) {
    for (const [, target, parameters] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
      const relations = /;\s*rel=(?:"([^"]*)"|([^\s;,]+))/.exec(parameters);
      if (!(relations?.[1] ?? relations?.[2] ?? '').split(/\s+/).includes(relation)) continue;
      const path = target.replace(/^https?:\/\/[^/]+/, '');
      if (path.startsWith(`${this.#base}/`)) return path;
    }
    return null;
  }
}

function segment(value) {
  return encodeURIComponent(value);
}

function numberOrNull(value) {
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
