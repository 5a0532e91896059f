import { ApiError } from './api.js';

const TIMEOUT = 60_000;

/** @typedef {{onProgress?: (share: number) => void, signal?: AbortSignal}} UploadOptions `share` from 0 to 1 */

/** Uploads files with `XMLHttpRequest`, since `fetch` reports no progress of uploads. */
export class Upload {
  #makeRequest;
  #api;
  #base;

  /**
   * @param {object} environment
   * @param {() => XMLHttpRequest} environment.makeRequest
   * @param {import('./api.js').Api} environment.api says what an error means
   * @param {string} [environment.base]
   */
  constructor({ makeRequest, api, base = '/api/v1' }) {
    this.#makeRequest = makeRequest;
    this.#api = api;
    this.#base = base;
  }

  /**
   * @param {string} path below the base
   * @param {Blob} blob its type goes along
   * @param {UploadOptions} options
   * @returns {Promise<{status: number, body: any}>} rejects with `ApiError` only
   */
  put(path, blob, { onProgress = () => {}, signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return void reject(new ApiError('aborted'));
      const request = this.#makeRequest();
      const stop = () => request.abort();
      request.open('PUT', this.#base + path);
      request.setRequestHeader('Content-Type', blob.type);
      request.setRequestHeader('Accept', 'application/json');
      request.timeout = TIMEOUT;
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total);
      };
      request.onload = () => this.#finished(request, resolve, reject);
      request.onerror = () => reject(new ApiError('network'));
      request.ontimeout = () => reject(new ApiError('timeout'));
      request.onabort = () => reject(new ApiError('aborted'));
      request.onloadend = () => signal?.removeEventListener('abort', stop);
      signal?.addEventListener('abort', stop);
      request.send(blob);
    });
  }

  #finished(request, resolve, reject) {
    const { status, responseText } = request;
    if (status >= 200 && status < 300) {
      return resolve({ status, body: responseText === '' ? null : JSON.parse(responseText) });
    }
    const error = this.#api.problem(status, responseText, (name) => request.getResponseHeader(name));
    if (status === 401) this.#api.onUnauthenticated();
    return reject(error);
  }
}
