/** The composer: a field that grows to a third of the screen, and a send button that never moves. */
import { Scope, clone, element, fill, isComposing, isTouch } from './dom.js';
import { iconButton } from './parts.js';
import { chatTexts } from '../models/texts/conversation.js';

/** Keys that on-screen keyboards lack: any of them reveals a hardware keyboard. */
const hardwareKeys = new Set(['Tab', 'Escape', 'ArrowUp', 'ArrowDown', 'Control', 'Meta', 'Alt', 'F1', 'F2']);
let hardwareKeyboard = false;
addEventListener('keydown', (event) => {
  if (hardwareKeys.has(event.key)) hardwareKeyboard = true;
});

/** Whether a key press sends: Return alone, unless an input method is composing or the keyboard is on screen. */
function sends(event) {
  if (event.key !== 'Enter' || isComposing(event) || event.shiftKey || event.altKey) return false;
  return event.ctrlKey || event.metaKey || !isTouch() || hardwareKeyboard;
}

/** What the tools of writing may go on with at Return and Tab: lists, quotes, fences. */
const STRUCTURE = /^[ \t]*(?:[-*+>]|\d+[.)])|```|~~~/m;
const FENCES = /^[ \t>]*(?:```|~~~)/gm;

/** Whether a key may be for the tools of writing. @param {KeyboardEvent} event @param {HTMLTextAreaElement} field */
function isForTools(event, { value, selectionStart: start, selectionEnd: end }) {
  const { key, shiftKey, ctrlKey, metaKey } = event;
  if (!event.isTrusted || isComposing(event)) return false;
  if (ctrlKey || metaKey) return (start < end ? /^[beik]$/i : /^[bei]$/i).test(key) || (shiftKey && /^p$/i.test(key));
  if (key === 'Enter' && sends(event)) return (value.slice(0, start).match(FENCES)?.length ?? 0) % 2 === 1;
  return /^(?:Enter|Tab|Escape)$/.test(key) && STRUCTURE.test(value);
}

const growsByItself = CSS.supports('field-sizing', 'content');

export class ComposerView {
  #viewModel;
  #host;
  /** The tools of writing, once they are loaded. */
  #tools = null;
  #loading = null;
  /** Keys that wait for the tools, and those after them. */
  #held = /** @type {KeyboardEvent[]|null} */ (null);
  #banner = null;
  #bannerShown = null;
  #scope = new Scope();
  #parts = clone('composer');
  #field = /** @type {HTMLTextAreaElement} */ (this.#parts.field);
  node = this.#parts.node;

  /**
   * @param {import('../viewmodels/composerViewModel.js').ComposerViewModel} viewModel
   * @param {object} host
   * @param {(composer: object) => Promise<import('./chat/writingTools.js').WritingTools>} host.writing makes the tools
   * @param {() => boolean} host.editLast edits the user's last message, if there is one
   * @param {() => boolean} host.toMessages focuses the newest message on screen, if there is one
   * @param {(seq: number) => void} host.jumpTo
   * @param {(choose: (emoji: string) => void) => void} host.pickEmoji
   */
  constructor(viewModel, host) {
    this.#viewModel = viewModel;
    this.#host = host;
    const field = this.#field;
    const { fieldLabel: label, send } = chatTexts;
    fill(this.#parts, {
      field: { 'aria-label': label, placeholder: label, enterkeyhint: isTouch() ? 'enter' : 'send' },
      send: { 'aria-label': send, title: send },
      emoji: { 'aria-label': chatTexts.emojiTitle, title: chatTexts.emojiTitle, 'aria-haspopup': 'dialog' },
    });
    field.addEventListener('input', () => {
      viewModel.input(field.value);
      this.#grow();
      this.#withTools((tools) => tools.typed());
    });
    field.addEventListener('keydown', (event) => this.#press(event));
    field.addEventListener('paste', (event) => this.#paste(event));
    field.addEventListener('blur', () => viewModel.blur());
    // Pressing a button must not take the focus from the field: that would close the on-screen keyboard.
    const { send: sendButton, emoji } = this.#parts;
    for (const node of [sendButton, emoji]) node.addEventListener('pointerdown', (event) => event.preventDefault());
    emoji.addEventListener('click', () => {
      // A dialog over the page may cost the caret.
      const { selectionStart: start, selectionEnd: end } = field;
      host.pickEmoji((chosen) => {
        field.setSelectionRange(start, end);
        this.insert(chosen);
      });
    });
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#scope.listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'hidden') viewModel.leave();
    });
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  get field() {
    return this.#field;
  }

  focus() {
    this.#field.focus({ preventScroll: true });
  }

  blur() {
    this.#field.blur();
  }

  /** Puts a text where the caret is, apart from a word before it. @param {string} text */
  insert(text) {
    this.focus();
    this.#withTools((tools) => tools.insert(text));
  }

  end() {
    this.#scope.end();
    this.#loading?.then((tools) => tools.end()).catch(() => {});
    this.#viewModel.close();
  }

  /** Loads the tools of writing at first use; a failed load is repeated at the next. @returns {Promise<void>} */
  async #withTools(act) {
    this.#loading ??= this.#host.writing({
      field: this.#field, line: this.#parts.line, emoji: this.#parts.emoji, sends,
      mayCancel: () => this.#viewModel.state.banner !== null,
    });
    try {
      this.#tools ??= await this.#loading;
    } catch {
      this.#loading = null;
      return;
    }
    act(this.#tools);
  }

  #paste(event) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (this.#tools) {
      if (this.#tools.paste(text)) event.preventDefault();
    } else if (text !== '' && event.isTrusted) {
      event.preventDefault();
      this.#withTools((tools) => tools.paste(text) || tools.insert(text))
        .then(() => this.#tools ?? document.execCommand('insertText', false, text));
    }
  }

  /** Holds keys until the tools are there, then presses them again, in order. */
  async #hold(event) {
    event.preventDefault();
    event.stopPropagation();
    if (this.#held) return this.#held.push(event);
    this.#held = [event];
    await this.#withTools(() => {});
    const held = this.#held;
    this.#held = null;
    for (const one of held) {
      const isLeft = this.#field.dispatchEvent(new KeyboardEvent('keydown', one));
      const text = one.key === 'Enter' ? '\n' : one.key;
      const isText = text.length === 1 && !one.ctrlKey && !one.metaKey;
      if (isLeft && isText) document.execCommand('insertText', false, text);
    }
  }

  #press(event) {
    // A key that is pressed again has no effect of its own, so that a Tab that leaves the field must not be held.
    if (event.isTrusted && event.key === 'Tab' && this.#held?.at(-1)?.key === 'Escape') return this.#held.pop();
    const isHeld = this.#held ? event.isTrusted : !this.#tools && isForTools(event, this.#field);
    if (isHeld) return this.#hold(event);
    if (this.#tools?.press(event)) return;
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    if (sends(event)) {
      event.preventDefault();
      this.#submit();
    } else if (key === 'Escape' && !isComposing(event) && this.#viewModel.cancel()) {
      event.preventDefault();
    } else if (key === 'Tab' && shiftKey && this.#host.toMessages()) {
      event.preventDefault();
    } else if (key === 'ArrowUp' && !isComposing(event) && !(shiftKey || ctrlKey || altKey || metaKey)
      && this.#field.value === '' && this.#host.editLast()) event.preventDefault();
  }

  #submit() {
    if (!this.#viewModel.state.canSend) return;
    if (this.#viewModel.send()) {
      this.#field.value = '';
      this.#grow();
      this.#tools?.replaced();
    }
    if (document.activeElement !== this.#field) this.focus();
  }

  #show(state) {
    if (this.#field.value !== state.text) {
      this.#field.value = state.text;
      this.#grow();
      this.#tools?.replaced();
    }
    if (state.banner !== this.#bannerShown) this.#showBanner(state.banner);
    fill(this.#parts, {
      send: { 'aria-disabled': String(!state.canSend) },
      // An empty field runs as the page does, with its label in it.
      field: { dir: state.text ? 'auto' : null, readonly: state.busy, 'aria-invalid': state.tooLong ? 'true' : null },
      // Always in the document: a live region inserted together with its text is not announced.
      limit: { text: state.error || state.hint, 'data-over': state.tooLong || state.error !== '' },
    });
  }

  /** The message being edited or answered, above the field. */
  #showBanner(banner) {
    const began = banner !== null && banner.seq !== this.#bannerShown?.seq;
    this.#bannerShown = banner;
    this.#banner?.remove();
    this.#banner = null;
    if (!banner) return;
    const label = banner.kind === 'edit' ? chatTexts.cancelEdit : chatTexts.cancelReply;
    const cancel = iconButton('close', label, () => {
      this.#viewModel.cancel();
      this.focus();
    }, { title: label });
    const what = element(
      'button',
      { type: 'button', class: 'what', onclick: () => this.#host.jumpTo(banner.seq) },
      element('span', { class: 'title', dir: 'auto' }, banner.title),
      element('span', { class: 'text', dir: 'auto' }, banner.text),
    );
    this.#banner = element('div', { class: 'banner', 'data-kind': banner.kind }, what, cancel);
    this.node.prepend(this.#banner);
    // A banner restored with the draft does not take the focus.
    if (began && this.node.isConnected) {
      this.focus();
      this.#field.setSelectionRange(this.#field.value.length, this.#field.value.length);
    }
  }

  /** For engines without `field-sizing: content`. */
  #grow() {
    if (growsByItself) return;
    this.#field.style.blockSize = 'auto';
    this.#field.style.blockSize = `${this.#field.scrollHeight + 2}px`;
  }
}
