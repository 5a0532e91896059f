import { Observable } from '../models/observableArray.js';
import { pictureTexts as words } from '../models/texts/pictures.js';
import { problemText } from '../models/format.js';

/**
 * Chooses, uploads and removes a picture. `read` makes a small square of a file; it throws an error with the `reason`
 * `not-image` or `too-large`.
 */
export class PictureViewModel extends Observable {
  #read;
  #store;
  #remove;
  #abort = /** @type {AbortController|null} */ (null);
  #turn = 0;

  /**
   * @param {object} means
   * @param {(file: Blob) => Promise<Blob>} means.read
   * @param {((picture: Blob, options: {onProgress: (share: number) => void, signal: AbortSignal}) => Promise<void>)
   *   |null} [means.store] without it, the chosen picture stays in `state.blob`
   * @param {(() => Promise<void>)|null} [means.remove]
   */
  constructor({ read, store = null, remove = null }) {
    super({ stage: 'idle', blob: null, progress: 0, error: null, note: '' });
    this.#read = read;
    this.#store = store;
    this.#remove = remove;
  }

  get canStore() {
    return this.#store !== null;
  }

  close() {
    super.close();
    this.#turn += 1;
    this.#abort?.abort();
  }

  /** A file was chosen, dropped or pasted. @param {Blob} file */
  async choose(file) {
    if (this.state.stage === 'storing') return;
    const turn = (this.#turn += 1);
    this.update({ stage: 'reading', error: null, note: '' });
    try {
      const blob = await this.#read(file);
      // Another file was chosen meanwhile, or the choice was cancelled.
      if (turn === this.#turn) this.update({ stage: 'chosen', blob });
    } catch (error) {
      if (turn !== this.#turn) return;
      const text = error.reason === 'too-large' ? words.tooLarge : words.notImage;
      this.update({ stage: this.state.blob ? 'chosen' : 'idle', error: text });
    }
  }

  /** Cancels the choice or its upload. */
  cancel() {
    this.#turn += 1;
    this.#abort?.abort();
    this.update({ stage: 'idle', blob: null, progress: 0, error: null, note: '' });
  }

  /** Uploads the chosen picture, which stays on failure. @returns {Promise<boolean>} never rejects */
  async use() {
    const { stage, blob } = this.state;
    if (stage !== 'chosen' || !this.#store) return false;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.update({ stage: 'storing', progress: 0, error: null, note: '' });
    try {
      const onProgress = (progress) => {
        if (!signal.aborted) this.update({ progress });
      };
      await this.#store(blob, { onProgress, signal });
      this.update({ stage: 'idle', blob: null, progress: 0, note: words.stored });
      return true;
    } catch (error) {
      if (!signal.aborted) this.update({ stage: 'chosen', progress: 0, error: storeProblem(error) });
      return false;
    }
  }

  /** @returns {Promise<boolean>} */
  async remove() {
    if (this.state.stage === 'storing' || !this.#remove) return false;
    this.#turn += 1;
    this.update({ stage: 'storing', blob: null, progress: 0, error: null, note: '' });
    try {
      await this.#remove();
      this.update({ stage: 'idle', note: words.removed });
      return true;
    } catch (error) {
      this.update({ stage: 'idle', error: storeProblem(error) });
      return false;
    }
  }
}

function storeProblem(error) {
  if (error.kind === 'too-large') return words.tooLargeForServer;
  if (error.kind === 'unsupported-media-type' || error.kind === 'invalid') return words.notImage;
  return problemText(error);
}
