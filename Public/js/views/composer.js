/** The composer: a field that grows to a third of the screen, and a button whose place never moves. */
import { Scope, element, isComposing, isTouch, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import { texts } from '../models/texts.js';
import { chatTexts } from '../models/texts/conversation.js';

/** Keys that on-screen keyboards do not have: one of them shows that a real keyboard is there. */
const hardwareKeys = new Set(['Tab', 'Escape', 'ArrowUp', 'ArrowDown', 'Control', 'Meta', 'Alt', 'F1', 'F2']);
let hardwareKeyboard = false;
addEventListener('keydown', (event) => {
  if (hardwareKeys.has(event.key)) hardwareKeyboard = true;
});

/** Whether this key press sends: Return alone, unless an input method is composing or fingers are typing. */
function sends(event) {
  if (event.key !== 'Enter' || isComposing(event) || event.shiftKey || event.altKey) return false;
  return event.ctrlKey || event.metaKey || !isTouch() || hardwareKeyboard;
}

const growsByItself = CSS.supports('field-sizing', 'content');

export class ComposerView {
  #viewModel;
  #host;
  #completion = null;
  /** The list of names, once it is there. */
  #list = null;
  #banner = null;
  #bannerShown = null;
  #scope = new Scope();
  #limit = element('p', { class: 'limit', role: 'status' });
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
  #line = element('div', { class: 'line' }, this.#field, this.#send);
  node = element('form', { class: 'composer' }, this.#limit, this.#line);

  /**
   * @param {import('../viewmodels/composerViewModel.js').ComposerViewModel} viewModel
   * @param {object} host
   * @param {(field: HTMLTextAreaElement, apply: Function) => Promise<object>} host.complete makes the list of names
   * @param {() => boolean} host.editLast lets my last message be edited, if there is one
   * @param {(seq: number) => void} host.jumpTo
   */
  constructor(viewModel, host) {
    this.#viewModel = viewModel;
    this.#host = host;
    const field = this.#field;
    setAttribute(this.#send, 'aria-label', texts.composer.send);
    field.addEventListener('input', () => {
      viewModel.input(field.value);
      this.#grow();
      this.#suggest();
    });
    field.addEventListener('keydown', (event) => this.#press(event));
    field.addEventListener('blur', () => viewModel.blur());
    // Pressing the button must not take the focus from the field: that would close the on-screen keyboard.
    this.#send.addEventListener('pointerdown', (event) => event.preventDefault());
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#scope.listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'hidden') viewModel.leave();
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
    this.#completion?.then((view) => view.end()).catch(() => {});
    this.#viewModel.close();
  }

  #press(event) {
    if (this.#list?.press(event)) return;
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    if (sends(event)) {
      event.preventDefault();
      this.#submit();
    } else if (key === 'Escape' && !isComposing(event) && this.#viewModel.cancel()) {
      event.preventDefault();
    } else if (key === 'ArrowUp' && !isComposing(event) && !(shiftKey || ctrlKey || altKey || metaKey)
      && this.#field.value === '' && this.#host.editLast()) event.preventDefault();
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
    if (state.banner !== this.#bannerShown) this.#showBanner(state.banner);
    setAttribute(this.#send, 'aria-disabled', String(!state.canSend));
    setAttribute(this.#field, 'readonly', state.busy);
    // Always there, be it empty: what appears together with its words is not read out.
    setText(this.#limit, state.error || state.hint);
    setAttribute(this.#limit, 'data-over', state.tooLong || state.error !== '');
    setAttribute(this.#field, 'aria-invalid', state.tooLong ? 'true' : null);
  }

  /** What is being edited or answered, above the field. */
  #showBanner(banner) {
    const began = banner !== null && banner.seq !== this.#bannerShown?.seq;
    this.#bannerShown = banner;
    this.#banner?.remove();
    this.#banner = null;
    if (!banner) return;
    const label = banner.kind === 'edit' ? chatTexts.cancelEdit : chatTexts.cancelReply;
    const cancel = element('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label }, icon('close'));
    cancel.addEventListener('click', () => {
      this.#viewModel.cancel();
      this.focus();
    });
    const what = element(
      'button',
      { type: 'button', class: 'what' },
      element('span', { class: 'title', dir: 'auto' }, banner.title),
      element('span', { class: 'text', dir: 'auto' }, banner.text),
    );
    what.addEventListener('click', () => this.#host.jumpTo(banner.seq));
    this.#banner = element('div', { class: 'banner', 'data-kind': banner.kind }, what, cancel);
    this.node.prepend(this.#banner);
    // That of a draft which was there before takes no focus.
    if (began && this.node.isConnected) {
      this.focus();
      this.#field.setSelectionRange(this.#field.value.length, this.#field.value.length);
    }
  }

  /** Names are looked for from the first `@` or `:` on; the list arrives then. */
  async #suggest() {
    const { value, selectionStart: caret } = this.#field;
    if (!this.#completion && !/(?:^|[\s(])[@:][^\s]{0,40}$/u.test(value.slice(Math.max(0, caret - 50), caret))) return;
    this.#completion ??= this.#host.complete(this.#field, (replaced) => this.#replace(replaced)).then((view) => {
      this.#line.prepend(view.node);
      this.#list = view;
      return view;
    });
    try {
      (await this.#completion).update();
    } catch {
      // It did not arrive: typing goes on without, and the next name tries again.
      this.#completion = null;
    }
  }

  #replace({ text, caret }) {
    this.#field.value = text;
    this.#field.setSelectionRange(caret, caret);
    this.#viewModel.input(text);
    this.#grow();
  }

  /** For engines without `field-sizing: content`. */
  #grow() {
    if (growsByItself) return;
    this.#field.style.blockSize = 'auto';
    this.#field.style.blockSize = `${this.#field.scrollHeight + 2}px`;
  }
}
