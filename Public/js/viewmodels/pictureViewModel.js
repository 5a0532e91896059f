import { Observable } from '../models/observableArray.js';
import { pictureTexts as words } from '../models/texts/pictures.js';
import { problemText } from '../models/texts.js';

/**
 * Choosing, storing and removing a picture (A4). `read` makes a small square of a file; it throws an error whose
 * `reason` is `not-image` or `too-large`.
 */
export class PictureViewModel {
  #read;
  #store;
  #remove;
  #abort = null;
  #turn = 0;
  #state = new Observable({ stage: 'idle', blob: null, progress: 0, error: null, note: '' });

  /**
   * @param {object} means
   * @param {(file: Blob) => Promise<Blob>} means.read
   * @param {(picture: Blob, options: {onProgress: (share: number) => void, signal: AbortSignal}) => Promise<void>}
   *   [means.store] left out: the chosen picture is kept in `state.blob` for whoever owns this
   * @param {() => Promise<void>} [means.remove]
   */
  constructor({ read, store = null, remove = null }) {
    this.#read = read;
    this.#store = store;
    this.#remove = remove;
  }

  /**
   * @returns {{stage: 'idle'|'reading'|'chosen'|'storing', blob: Blob|null, progress: number, error: string|null,
   *   note: string}} `progress` from 0 to 1; `note` says what was done
   */
  get state() {
    return this.#state.state;
  }

  get canStore() {
    return this.#store !== null;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#turn += 1;
    this.#abort?.abort();
  }

  /** A file was chosen, dropped or pasted. @param {Blob} file */
  async choose(file) {
    if (this.state.stage === 'storing') return;
    const turn = (this.#turn += 1);
    this.#state.update({ stage: 'reading', error: null, note: '' });
    try {
      const blob = await this.#read(file);
      // Another file was chosen meanwhile, or none is wanted any more.
      if (turn === this.#turn) this.#state.update({ stage: 'chosen', blob });
    } catch (error) {
      if (turn !== this.#turn) return;
      const text = error.reason === 'too-large' ? words.tooLarge : words.notImage;
      this.#state.update({ stage: this.state.blob ? 'chosen' : 'idle', error: text });
    }
  }

  /** Takes back what was chosen, or stops its upload. */
  cancel() {
    this.#turn += 1;
    this.#abort?.abort();
    this.#state.update({ stage: 'idle', blob: null, progress: 0, error: null, note: '' });
  }

  /** Stores what was chosen. @returns {Promise<boolean>} never rejects; what was chosen stays when it fails */
  async use() {
    const { stage, blob } = this.state;
    if (stage !== 'chosen' || !this.#store) return false;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#state.update({ stage: 'storing', progress: 0, error: null, note: '' });
    try {
      const onProgress = (progress) => {
        if (!signal.aborted) this.#state.update({ progress });
      };
      await this.#store(blob, { onProgress, signal });
      this.#state.update({ stage: 'idle', blob: null, progress: 0, note: words.stored });
      return true;
    } catch (error) {
      if (!signal.aborted) this.#state.update({ stage: 'chosen', progress: 0, error: storeProblem(error) });
      return false;
    }
  }

  /** @returns {Promise<boolean>} */
  async remove() {
    if (this.state.stage === 'storing' || !this.#remove) return false;
    this.#turn += 1;
    this.#state.update({ stage: 'storing', blob: null, progress: 0, error: null, note: '' });
    try {
      await this.#remove();
      this.#state.update({ stage: 'idle', note: words.removed });
      return true;
    } catch (error) {
      this.#state.update({ stage: 'idle', error: storeProblem(error) });
      return false;
    }
  }
}

function storeProblem(error) {
  if (error.kind === 'too-large') return words.tooLargeForServer;
  if (error.kind === 'unsupported-media-type' || error.kind === 'invalid') return words.notImage;
  return problemText(error);
}
