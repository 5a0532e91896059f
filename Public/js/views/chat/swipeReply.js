/**
 * A finger that draws a message towards the line's start replies to it. The message follows the finger, with resistance
 * beyond the point from which it counts; a sign that comes out beside it says so.
 */
import { Scope, element, setAttribute } from '../dom.js';
import { icon } from '../parts.js';

/** The least distance of a swipe, and the one from which it replies, in pixels. */
const slack = 12;
const counts = 56;

export class SwipeReply {
  #replyTo;
  #scope = new Scope();
  #gesture = null;

  /**
   * @param {HTMLElement} log
   * @param {(event: PointerEvent) => (() => void)|null} replyTo replies to the message at a point; null: there is none
   */
  constructor(log, replyTo) {
    this.#replyTo = replyTo;
    this.#scope.listen(log, 'pointerdown', (event) => this.#begin(event));
    // Left to the browser, it would end in a fling, which eats the tap that follows.
    const ours = (event) => this.#gesture?.moves && event.cancelable && event.preventDefault();
    this.#scope.listen(log, 'touchmove', ours, { passive: false });
  }

  end = () => {
    this.#gesture?.end();
    this.#scope.end();
  };

  #begin(event) {
    if (event.pointerType !== 'touch' || !event.isPrimary || this.#gesture) return;
    const reply = this.#replyTo(event);
    if (!reply) return;
    const row = event.target.closest('.message');
    const press = new Scope();
    const sign = element('span', { class: 'swipe-sign', 'aria-hidden': 'true' }, icon('reply'));
    const gesture = {
      row, sign, reply, x: event.clientX, y: event.clientY, moves: false, offset: 0,
      sense: getComputedStyle(row).direction === 'rtl' ? 1 : -1,
      end: () => {
        press.end();
        this.#gesture = null;
      },
    };
    this.#gesture = gesture;
    const mine = (act) => (other) => other.pointerId === event.pointerId && act(other);
    press.listen(document, 'pointermove', mine((moved) => this.#move(gesture, moved)));
    press.listen(document, 'pointerup', mine(() => this.#finish(gesture, true)));
    press.listen(document, 'pointercancel', mine(() => this.#finish(gesture, false)));
  }

  #move(gesture, { clientX, clientY }) {
    const { row, sign, sense } = gesture;
    const drawn = (clientX - gesture.x) * sense;
    if (!gesture.moves) {
      if (Math.hypot(clientX - gesture.x, clientY - gesture.y) < slack) return;
      if (drawn <= Math.abs(clientY - gesture.y)) return gesture.end();
      gesture.moves = true;
      setAttribute(row, 'data-drawn', 'moving');
      row.prepend(sign);
    }
    gesture.offset = drawn > counts ? counts + (drawn - counts) / 4 : Math.max(0, drawn);
    row.style.translate = `${gesture.offset * sense}px 0`;
    sign.style.translate = `${-gesture.offset * sense}px 0`;
    sign.style.scale = String(Math.min(1, gesture.offset / counts));
    const isEnough = drawn >= counts;
    if (isEnough && !sign.hasAttribute('data-enough')) navigator.vibrate?.(10);
    setAttribute(sign, 'data-enough', isEnough);
  }

  #finish(gesture, completed) {
    const { row, sign, moves, reply } = gesture;
    gesture.end();
    if (!moves) return;
    setAttribute(row, 'data-drawn', 'settling');
    row.style.translate = '';
    const isEnough = sign.hasAttribute('data-enough');
    sign.remove();
    // Its transition may not run at all, as with reduced motion.
    setTimeout(() => row.dataset.drawn === 'settling' && setAttribute(row, 'data-drawn', null), 200);
    if (completed && isEnough) reply();
  }
}
