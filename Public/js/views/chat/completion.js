/**
 * The list of people, emoji or issues above the field while a name is typed. The field keeps the focus and stays a
 * textbox; `aria-activedescendant` names the active item.
 */
import { texts } from '../../models/texts.js';
import { Scope, announce, element, isComposing, setAttribute } from '../dom.js';
import { chatTexts } from '../../models/texts/conversation.js';
import { writingTexts } from '../../models/texts/writing.js';
import { Avatar } from '../parts.js';

export class CompletionView {
  #viewModel;
  #field;
  #apply;
  #scope = new Scope();
  #faces = [];
  #items = null;
  #nodes = [];
  /** Makes the parts of an issue, once it is loaded. */
  #issueOption = /** @type {typeof import('./issueOption.js').issueOption|null} */ (null);
  node = element('ul', { class: 'completion', role: 'listbox', id: 'completion', hidden: true });

  /**
   * @param {import('../../viewmodels/completionViewModel.js').CompletionViewModel} viewModel
   * @param {HTMLTextAreaElement} field
   * @param {(replaced: {text: string, caret: number}) => void} apply
   */
  constructor(viewModel, field, apply) {
    this.#viewModel = viewModel;
    this.#field = field;
    this.#apply = apply;
    setAttribute(field, 'aria-autocomplete', 'list');
    this.#scope.listen(field, 'blur', () => viewModel.close());
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
    this.#release();
  }

  /** The text or the caret changed. */
  async update() {
    const { value, selectionStart: caret, selectionEnd: end } = this.#field;
    if (caret !== end) return this.#viewModel.close();
    const replaced = await this.#viewModel.typed(value, caret);
    if (replaced && this.#field.value === value) this.#apply(replaced);
  }

  /** Handles a key. @param {KeyboardEvent} event @returns {boolean} whether it was handled */
  press(event) {
    if (!this.#viewModel.state.open || isComposing(event)) return false;
    const plain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.#viewModel.move(event.key === 'ArrowDown' ? 1 : -1);
    else if (plain && (event.key === 'Enter' || event.key === 'Tab')) this.#accept();
    else if (event.key === 'Escape') this.#viewModel.dismiss();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #accept(index) {
    const replaced = this.#viewModel.accept(index);
    if (replaced) this.#apply(replaced);
  }

  #show({ open, kind, items, active }) {
    if (open && kind === 'issues' && !this.#issueOption) {
      this.#loadIssues();
      return;
    }
    this.node.hidden = !open;
    setAttribute(this.#field, 'aria-controls', open ? 'completion' : null);
    if (!open) setAttribute(this.#field, 'aria-activedescendant', null);
    if (items !== this.#items) this.#fill(items, kind);
    if (!open) return;
    this.#nodes.forEach((node, index) => setAttribute(node, 'aria-selected', String(index === active)));
    setAttribute(this.#field, 'aria-activedescendant', `completion-${active}`);
    this.#nodes[active]?.scrollIntoView({ block: 'nearest' });
  }

  async #loadIssues() {
    try {
      ({ issueOption: this.#issueOption } = await import('./issueOption.js'));
      this.#show(this.#viewModel.state);
    } catch {
      this.#viewModel.close();
    }
  }

  #fill(items, kind) {
    const opens = this.#nodes.length === 0 && items.length > 0;
    this.#items = items;
    this.#release();
    const labels = { emoji: chatTexts.emoji, issues: writingTexts.issues, people: texts.sections.people };
    setAttribute(this.node, 'aria-label', labels[kind ?? 'people']);
    this.#nodes = items.map((item, index) => this.#make(item, index));
    this.node.replaceChildren(...this.#nodes);
    if (opens) announce(chatTexts.suggestions(items.length));
  }

  #make(item, index) {
    const node = element('li', { role: 'option', id: `completion-${index}`, 'aria-selected': 'false' });
    // The field keeps the focus, so that the on-screen keyboard stays open.
    node.addEventListener('pointerdown', (event) => event.preventDefault());
    node.addEventListener('click', () => this.#accept(index));
    if (item.issue) {
      node.append(...this.#issueOption?.(item) ?? []);
      return node;
    }
    if (item.person) {
      const face = new Avatar(32);
      face.show({ ...item.person, online: false });
      this.#faces.push(face);
      node.append(face.node);
    } else node.append(element('span', { class: 'emoji', 'aria-hidden': 'true' }, item.emoji));
    node.append(element('span', { class: 'label', dir: 'auto' }, item.label));
    if (item.detail) node.append(element('span', { class: 'detail' }, item.detail));
    return node;
  }

  #release() {
    for (const face of this.#faces) face.release();
    this.#faces = [];
  }
}
