/** Whether any tab of the app has attention: each such tab holds a lock, which ends with the tab. */
const LOCK = 'hubbub-attention';

export class Attention {
  #locks;
  #isHere;
  #release = /** @type {((value: any) => void)|null} */ (null);

  /**
   * @param {object} services
   * @param {LockManager|null} services.locks null: only this tab is known
   * @param {() => boolean} services.isHere whether this tab is visible and has the focus
   */
  constructor({ locks, isHere }) {
    this.#locks = locks;
    this.#isHere = isHere;
  }

  /** Whether this tab has attention. */
  get here() {
    return this.#isHere();
  }

  /** The tab's visibility or focus has changed. */
  changed() {
    if (!this.#locks || this.#isHere() === (this.#release !== null)) return;
    if (this.#release) {
      this.#release(null);
      this.#release = null;
      return;
    }
    const held = new Promise((resolve) => {
      this.#release = resolve;
    });
    this.#locks.request(LOCK, { mode: 'shared' }, () => held).catch(() => {});
  }

  /** @returns {Promise<boolean>} whether somebody looks at this tab or another */
  async anywhere() {
    if (this.#isHere()) return true;
    const { held = [] } = await this.#locks?.query() ?? {};
    return held.some(({ name }) => name === LOCK);
  }
}
