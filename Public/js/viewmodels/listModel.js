import { Observable, ObservableArray } from '../models/observableArray.js';
import { problemText } from '../models/format.js';

/**
 * A list on the server: loads it, and runs actions on its rows.
 * @template {{id: string}} R a row
 * @extends {Observable<any>}
 */
export class ListModel extends Observable {
  #busy = new Set();

  /** @type {ObservableArray<R>} */
  rows = new ObservableArray({ key: (row) => row.id });

  /** Whether an action runs on a row. @param {string} id */
  isBusy(id) {
    return this.#busy.has(id);
  }

  /** Rebuilds `rows`. */
  build() {}

  /**
   * Loads a page, then rebuilds the rows.
   * @param {() => Promise<object|void>} load returns further members of the state; ignored if aborted
   * @param {string} failed the error text before the reason
   * @param {{more?: boolean, signal?: AbortSignal}} page `more`: a further page
   * @returns {Promise<void>} never rejects
   */
  async loading(load, failed, { more = false, signal } = {}) {
    this.update(more ? { loadingMore: true } : { loading: this.rows.length === 0, error: null });
    const patch = await load().catch((error) => ({ error: `${failed} ${problemText(error)}` }));
    if (this.isClosed || signal?.aborted) return;
    this.update({ loading: false, loadingMore: false, ...patch });
    this.build();
  }

  /**
   * Runs an action on rows, which are busy meanwhile. A row has one action at a time.
   * @param {string[]} ids
   * @param {() => Promise<unknown>} act
   * @param {(error: import('../services/api.js').ApiError) => object} [explain] members of the state for a failure
   * @returns {Promise<boolean>} never rejects
   */
  async acting(ids, act, explain = (error) => ({ error: problemText(error) })) {
    if (ids.some((id) => this.#busy.has(id))) return false;
    for (const id of ids) this.#busy.add(id);
    this.build();
    try {
      await act();
      return true;
    } catch (error) {
      this.update(explain(error));
      return false;
    } finally {
      for (const id of ids) this.#busy.delete(id);
      this.build();
    }
  }
}
