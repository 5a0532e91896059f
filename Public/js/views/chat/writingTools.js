/**
 * The tools for writing a message: keys of lists, code and marks, completion, what is offered for a pasted text, and
 * the preview. Loaded when the first text is typed.
 */
import { Scope, announce, element, isComposing, isTouch, set, setAttribute } from '../dom.js';
import { icon } from '../parts.js';
import { writingTexts as words } from '../../models/texts/writing.js';
import { changeField } from './fieldEdit.js';

/** @typedef {import('../../models/writing/structure.js').Writing} Writing */

const isApple = /Mac|iP/.test(navigator.platform);
const control = isApple ? '⌘' : `${words.control}+`;
const shift = isApple ? '⇧' : `${words.shift}+`;
/** How the tools look. */
const signs = { bold: 'B', italic: 'I', code: '</>', link: icon('link'), outdent: '⇤', indent: '⇥' };

export class WritingTools {
  #viewModel;
  #host;
  #field;
  #scope = new Scope();
  #completion = null;
  /** The completion list, once it is loaded. */
  #list = null;
  #preview = null;
  #offered = false;
  #shownTools = '';
  #tools = element('div', { class: 'writing-tools', role: 'toolbar', 'aria-label': words.tools, hidden: true });
  #previewButton = element('button', {
    type: 'button', class: 'preview-button', 'aria-label': words.preview, 'aria-pressed': 'false',
    title: `${words.preview} (${control}${shift}P)`,
  }, eye());

  /**
   * @param {import('../../viewmodels/writingViewModel.js').WritingViewModel} viewModel
   * @param {object} host
   * @param {HTMLTextAreaElement} host.field
   * @param {HTMLElement} host.line holds the field and its buttons
   * @param {HTMLElement} host.emoji
   * @param {(event: KeyboardEvent) => boolean} host.sends
   * @param {() => boolean} host.mayCancel whether Escape ends a reply or an edit
   * @param {() => Promise<import('../../viewmodels/completionViewModel.js').CompletionViewModel>} host.completion
   * @param {() => string|null} host.repository of the room
   * @param {() => Promise<string>} host.mentions who is mentioned by name, as `mentionedIn` says it
   */
  constructor(viewModel, host) {
    this.#viewModel = viewModel;
    this.#host = host;
    this.#field = host.field;
    host.line.prepend(this.#tools);
    host.emoji.before(this.#previewButton);
    // The field keeps the focus, and the on-screen keyboard stays open.
    for (const node of [this.#previewButton, this.#tools]) {
      node.addEventListener('pointerdown', (event) => event.preventDefault());
    }
    this.#previewButton.addEventListener('click', () => viewModel.togglePreview());
    this.#scope.listen(host.field, 'blur', () => viewModel.moved());
    this.#scope.listen(host.field, 'pointerdown', () => viewModel.moved());
    if (isTouch()) this.#scope.listen(document, 'selectionchange', () => this.#showTools());
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
    this.#completion?.then((view) => view.end()).catch(() => {});
  }

  /** @returns {Writing} */
  get #writing() {
    const { value: text, selectionStart: start, selectionEnd: end } = this.#field;
    return { text, start, end };
  }

  /** Handles a key. @param {KeyboardEvent} event @returns {boolean} whether it was handled */
  press(event) {
    if (isComposing(event)) return false;
    if (this.#list?.press(event)) return true;
    const { altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || (isApple ? ctrlKey : metaKey)) return false;
    const command = ctrlKey || metaKey;
    const name = event.key.length > 1 ? event.key : letterOf(event);
    const writing = this.#writing;
    const key = { name, shift: shiftKey, command, sends: this.#host.sends(event), cancels: this.#host.mayCancel() };
    const next = this.#viewModel.press(key, writing);
    if (!next) return false;
    event.preventDefault();
    event.stopPropagation();
    if (next !== writing) this.change(next);
    return true;
  }

  /** A text is pasted. @param {string} text @returns {boolean} whether it was handled */
  paste(text) {
    const next = this.#viewModel.paste(text, this.#writing);
    if (next) this.change(next);
    return next !== null;
  }

  /** The text was typed in. */
  typed() {
    this.replaced();
    this.#suggest();
  }

  /** The text is another one. */
  replaced() {
    this.#viewModel.typed(this.#field.value);
    this.#preview?.draw();
    this.#showTools();
  }

  /** Puts a text where the caret is, apart from a word before it. @param {string} added */
  insert(added) {
    const { text, start, end } = this.#writing;
    const lead = added.startsWith('@') && /\S$/u.test(text.slice(0, start)) ? ' ' : '';
    const caret = start + lead.length + added.length;
    this.change({ text: text.slice(0, start) + lead + added + text.slice(end), start: caret, end: caret });
  }

  /** @param {Writing} writing */
  change(writing) {
    changeField(this.#field, writing);
  }

  /** Loads the completion list at the first `@`, `:` or `#`. */
  async #suggest() {
    const { value, selectionStart: caret } = this.#field;
    if (!this.#completion && !/(?:^|[\s(])[@:#][^\s]{0,40}$/u.test(value.slice(Math.max(0, caret - 50), caret))) return;
    this.#completion ??= this.#makeCompletion();
    try {
      (await this.#completion).update();
    } catch {
      // It failed to load: the next name retries.
      this.#completion = null;
    }
  }

  async #makeCompletion() {
    const [{ CompletionView }, viewModel] = await Promise.all([import('./completion.js'), this.#host.completion()]);
    this.#list = new CompletionView(viewModel, this.#field, ({ text, caret }) => {
      this.change({ text, start: caret, end: caret });
    });
    this.#host.line.prepend(this.#list.node);
    return this.#list;
  }

  #show({ isEmpty, offersCode, previews, tabLeaves }) {
    set(this.#previewButton, { hidden: isEmpty && !previews, 'aria-pressed': String(previews) });
    if (tabLeaves) announce(words.tabLeaves);
    if (offersCode && !this.#offered) announce(words.offered(`${control}E`));
    this.#offered = offersCode;
    this.#showTools();
    this.#showPreview(previews).catch(() => this.#viewModel.togglePreview());
  }

  async #showPreview(previews) {
    if (!previews) {
      this.#preview?.node.remove();
      this.#preview = null;
    } else if (!this.#preview) {
      const [{ PreviewView }, mentions] = await Promise.all([import('./preview.js'), this.#host.mentions()]);
      if (!this.#viewModel.state.previews || this.#preview) return;
      this.#preview = new PreviewView({
        text: () => this.#field.value.trim(), mentions, repository: this.#host.repository,
        close: () => {
          this.#viewModel.togglePreview();
          this.#field.focus({ preventScroll: true });
        },
      });
      this.#host.line.before(this.#preview.node);
      announce(`${words.preview}. ${words.previewHint}`);
    }
  }

  /** The offer for what was pasted; on touch, where keys lack, also the tools for the selection. */
  #showTools() {
    const isHere = document.activeElement === this.#field;
    const here = isTouch() && isHere ? this.#viewModel.toolsAt(this.#writing) : [];
    const names = this.#viewModel.state.offersCode ? ['codeBlock', 'dismiss'] : here;
    if (names.join() === this.#shownTools) return;
    this.#shownTools = names.join();
    this.#tools.hidden = names.length === 0;
    this.#tools.replaceChildren(...names.map((name) => this.#makeTool(name)));
  }

  #makeTool(name) {
    const use = () => {
      const writing = this.#writing;
      if (name === 'dismiss') this.#viewModel.dismiss();
      else if (name === 'codeBlock') this.change(this.#viewModel.makeCode(writing));
      else this.change(this.#viewModel.use(name, writing));
      this.#field.focus({ preventScroll: true });
    };
    if (name === 'codeBlock') {
      const keys = isTouch() ? null : element('kbd', { 'aria-hidden': 'true' }, `${control}E`);
      return element('button', { type: 'button', onclick: use }, words.codeBlock, keys);
    }
    const label = words[name];
    const sign = name === 'dismiss' ? icon('close') : signs[name];
    const attributes = { type: 'button', 'data-tool': name, 'aria-label': label, title: label, onclick: use };
    return element('button', attributes, typeof sign === 'string' ? sign : sign.cloneNode(true));
  }
}

/** The Latin letter of a key, also on keyboards that write others. @param {KeyboardEvent} event */
function letterOf({ key, code }) {
  return /^[\0-\x7f]$/.test(key) ? key.toLowerCase() : /^Key([A-Z])$/.exec(code)?.[1].toLowerCase() ?? key;
}

function eye() {
  const namespace = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(namespace, 'svg');
  setAttribute(drawing, 'class', 'icon');
  setAttribute(drawing, 'viewBox', '0 0 24 24');
  setAttribute(drawing, 'aria-hidden', 'true');
  const path = document.createElementNS(namespace, 'path');
  setAttribute(path, 'd', 'M2.5 12s3.4-6 9.5-6 9.5 6 9.5 6-3.4 6-9.5 6-9.5-6-9.5-6z'
    + 'M12 9.25a2.75 2.75 0 1 1 0 5.5 2.75 2.75 0 1 1 0-5.5z');
  drawing.append(path);
  return drawing;
}
