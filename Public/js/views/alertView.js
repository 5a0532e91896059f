/** The alert above the directory: the error, when it will be over, and one action. */
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';
import { clone, fill, setText } from './dom.js';
import { copyText } from './clipboard.js';
import { button } from './parts.js';

/** @typedef {import('../viewmodels/types.js').RateLimitAlert|import('../viewmodels/types.js').FailureAlert} Alert */

/** A live region, except for its countdown, which changes each second. */
export class PeopleAlert {
  #parts = clone('alert');
  #copy = button('', () => this.#copyDebug(), 'small');
  #retry;
  node = this.#parts.node;

  /** @param {() => void} retry */
  constructor(retry) {
    this.#retry = button(texts.problem.retry, retry, 'small');
    this.#parts.debug.append(this.#copy);
    this.node.append(this.#retry);
  }

  /** @param {Alert|null} alert */
  show(alert) {
    this.node.hidden = alert === null;
    // Emptied, so that the same text is announced again.
    if (alert === null) return setText(this.#parts.message, '');
    const limited = alert.kind === 'rate-limit';
    const debug = limited ? '' : alert.debug;
    if (this.#parts.code.textContent !== debug) setText(this.#copy, sharedTexts.copy);
    fill(this.#parts, {
      node: { 'data-kind': alert.kind },
      message: alert.message,
      reset: {
        text: limited && alert.resetAtText ? sharedTexts.resetsAt(alert.resetAtText) : '',
        datetime: limited ? alert.resetAtISO : null,
      },
      countdown: { text: limited ? alert.countdownText : '', hidden: !limited },
      debug: { hidden: debug === '' },
      code: debug,
    });
    this.#retry.hidden = !alert.canRetry;
  }

  async #copyDebug() {
    const copied = await copyText(this.#parts.code.textContent);
    setText(this.#copy, copied ? sharedTexts.copied : sharedTexts.copyFailed);
  }
}
