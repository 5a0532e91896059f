/** The alert above the directory: what happened, when it will be right, and one action. */
import { texts } from '../models/texts.js';
import { copyText, element, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';

/** @typedef {import('../viewmodels/types.js').RateLimitAlert|import('../viewmodels/types.js').FailureAlert} Alert */

export class PeopleAlert {
  #message = element('span');
  #reset = element('time');
  #what = element('p', { class: 'what' }, this.#message, ' ', this.#reset);
  /** Counts each second: a timer, which is not read out by itself. */
  #countdown = element('p', { class: 'when number', role: 'timer', 'aria-live': 'off' });
  #code = element('code', { class: 'code' });
  #copy = element('button', { type: 'button', class: 'button small' });
  #debug = element('div', { class: 'debug' }, this.#code, this.#copy);
  #retry = element('button', { type: 'button', class: 'button small' }, texts.problem.retry);
  node;

  /** @param {() => void} retry */
  constructor(retry) {
    this.#retry.addEventListener('click', retry);
    this.#copy.addEventListener('click', async () => {
      const copied = await copyText(this.#code.textContent);
      setText(this.#copy, copied ? texts.people.copied : texts.views.copyFailed);
    });
    this.node = element(
      'div',
      // What changes in it later is read out by itself, and the countdown not at all.
      { class: 'alert', role: 'alert', 'aria-atomic': 'false', hidden: true },
      icon('warning'),
      this.#what,
      this.#countdown,
      this.#debug,
      this.#retry,
    );
  }

  /** @param {Alert|null} alert */
  show(alert) {
    this.node.hidden = alert === null;
    if (alert === null) {
      // Emptied, so that the same words are read out when they come again.
      setText(this.#message, '');
      return;
    }
    const limited = alert.kind === 'rate-limit';
    setAttribute(this.node, 'data-kind', alert.kind);
    setText(this.#message, alert.message);
    const resets = limited && alert.resetAtText ? texts.people.resetsAt(alert.resetAtText) : '';
    setText(this.#reset, resets);
    setAttribute(this.#reset, 'datetime', limited ? alert.resetAtISO : null);
    this.#countdown.hidden = !limited;
    setText(this.#countdown, limited ? alert.countdownText : '');
    const debug = limited ? '' : alert.debug;
    this.#debug.hidden = debug === '';
    if (this.#code.textContent !== debug) {
      setText(this.#code, debug);
      setText(this.#copy, texts.people.copy);
    }
    this.#retry.hidden = !alert.canRetry;
  }
}
