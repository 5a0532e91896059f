/** The composer: a field that grows to a third of the screen, and a button whose place never moves. */
import { Scope, element, isTouch, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import { texts } from '../models/texts.js';

/** Keys that on-screen keyboards do not have: one of them shows that a real keyboard is there. */
const hardwareKeys = new Set(['Tab', 'Escape', 'ArrowUp', 'ArrowDown', 'Control', 'Meta', 'Alt', 'F1', 'F2']);
let hardwareKeyboard = false;
addEventListener('keydown', (event) => {
  if (hardwareKeys.has(event.key)) hardwareKeyboard = true;
});

/** Whether this key press sends: Return alone, unless an input method is composing or fingers are typing. */
function sends(event) {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false;
  if (event.shiftKey || event.altKey) return false;
  return event.ctrlKey || event.metaKey || !isTouch() || hardwareKeyboard;
}

const growsByItself = CSS.supports('field-sizing', 'content');

export class ComposerView {
  #viewModel;
  #scope = new Scope();
  #limit = element('p', { class: 'limit', hidden: true, role: 'status' });
  #field = /** @type {HTMLTextAreaElement} */ (
    element('textarea', {
      rows: '1',
      'aria-label': texts.composer.label,
      placeholder: texts.composer.label,
      dir: 'auto',
      autocomplete: 'off',
      enterkeyhint: isTouch() ? 'enter' : 'send',
    })
  );
  #send = element('button', { class: 'send', title: texts.composer.send, 'aria-disabled': 'true' }, icon('send'));
  node = element(
    'form',
    { class: 'composer' },
    this.#limit,
    element('div', { class: 'line' }, this.#field, this.#send),
  );

  /** @param {import('../viewmodels/composerViewModel.js').ComposerViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
    const field = this.#field;
    setAttribute(this.#send, 'aria-label', texts.composer.send);
    field.addEventListener('input', () => {
      viewModel.input(field.value);
      this.#grow();
    });
    field.addEventListener('keydown', (event) => {
      if (!sends(event)) return;
      event.preventDefault();
      this.#submit();
    });
    field.addEventListener('blur', () => viewModel.blur());
    // Pressing the button must not take the focus from the field: that would close the on-screen keyboard.
    this.#send.addEventListener('pointerdown', (event) => event.preventDefault());
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  focus() {
    this.#field.focus({ preventScroll: true });
  }

  blur() {
    this.#field.blur();
  }

  end() {
    this.#scope.end();
    this.#viewModel.close();
  }

  #submit() {
    if (!this.#viewModel.state.canSend) return;
    if (this.#viewModel.send()) {
      this.#field.value = '';
      this.#grow();
    }
    if (document.activeElement !== this.#field) this.focus();
  }

  #show(state) {
    if (this.#field.value !== state.text) {
      this.#field.value = state.text;
      this.#grow();
    }
    setAttribute(this.#send, 'aria-disabled', String(!state.canSend));
    this.#limit.hidden = state.hint === '';
    setText(this.#limit, state.hint);
    setAttribute(this.#limit, 'data-over', state.tooLong);
    setAttribute(this.#field, 'aria-invalid', state.tooLong ? 'true' : null);
  }

  /** For engines without `field-sizing: content`. */
  #grow() {
    if (growsByItself) return;
    this.#field.style.blockSize = 'auto';
    this.#field.style.blockSize = `${this.#field.scrollHeight + 2}px`;
  }
}
