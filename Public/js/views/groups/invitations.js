/** Invitations by link, of a group or of the whole instance: making one, which is told once, and ending those open. */
import { groupTexts } from '../../models/texts/groups.js';
import { Scope, announce, copyText, element, setAttribute, setText } from '../dom.js';
import { groupIcon } from '../groupIcons.js';
import { bindList } from '../list.js';

const words = groupTexts.invitations;
let views = 0;

export class InvitationsView {
  #scope = new Scope();
  #viewModel;
  #id = `invitations-${(views += 1)}`;
  #create = element('button', { type: 'button', class: 'button primary' }, groupIcon('link'), words.create);
  #link = /** @type {HTMLInputElement} */ (
    element('input', { class: 'input code', readonly: true, id: `${this.#id}-link`, dir: 'ltr' })
  );
  #copy = element('button', { type: 'button', class: 'button' }, words.copy);
  #told = element('p', { class: 'field-hint', role: 'status' });
  #linkBox;
  #error = element('p', { class: 'form-error', role: 'alert' });
  #note = element('p', { class: 'saved', role: 'status' });
  #empty = element('p', { class: 'field-hint', hidden: true }, words.none);
  #list = element('ul', { class: 'open-links', role: 'list', 'aria-label': words.list, hidden: true });
  #body;
  node;

  /**
   * @param {import('../../viewmodels/groups/invitationsViewModel.js').InvitationsViewModel} viewModel
   * @param {{heading: string, hint: string}} says
   */
  constructor(viewModel, { heading, hint }) {
    this.#viewModel = viewModel;
    this.#linkBox = element('div', { class: 'field new-link', hidden: true },
      element('label', { for: this.#link.id }, words.link), element('div', { class: 'line' }, this.#link, this.#copy),
      this.#told);
    this.#body = element('div', { class: 'folded' },
      element('p', { class: 'field-hint' }, hint),
      element('div', { class: 'pair' },
        this.#choice('lasting', words.expires, words.lasting), this.#choice('times', words.uses, words.times)),
      element('div', { class: 'actions' }, this.#create),
      this.#error, this.#linkBox, this.#note, this.#empty, this.#list);
    this.node = element('details', { class: 'section folding' },
      element('summary', {}, element('h2', {}, heading)), this.#body);
    this.node.addEventListener('toggle', () => this.node.open && viewModel.open());
    this.#create.addEventListener('click', () => this.#make());
    this.#copy.addEventListener('click', () => this.#copyLink());
    this.#link.addEventListener('focus', () => this.#link.select());
    const list = bindList({ array: viewModel.rows, container: this.#list, create: (item) => this.#row(item) });
    this.#scope.add(() => list.end());
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  end() {
    this.#scope.end();
  }

  #choice(name, label, texts) {
    const id = `${this.#id}-${name}`;
    const select = /** @type {HTMLSelectElement} */ (element('select', { class: 'input', id },
      ...Object.entries(texts).map(([value, text]) => element('option', { value }, text))));
    select.value = this.#viewModel.state[name];
    select.addEventListener('change', () => this.#viewModel.choose(name, select.value));
    return element('div', { class: 'field' }, element('label', { for: id }, label), select);
  }

  async #make() {
    if (!(await this.#viewModel.create())) return;
    await Promise.resolve();
    await this.#copyLink();
  }

  async #copyLink() {
    const copied = await copyText(this.#viewModel.state.url);
    setText(this.#told, copied ? words.copied : words.notCopied);
    setText(this.#copy, copied ? words.copyDone : words.copy);
    if (!copied) this.#link.focus();
    announce(this.#told.textContent);
  }

  #row(item) {
    const by = element('span', { class: 'name', dir: 'auto' });
    const limits = element('span', { class: 'preview' });
    const end = element('button', { type: 'button', class: 'button small' }, words.end);
    end.addEventListener('click', async () => {
      if (await this.#viewModel.end(item.id)) this.#create.focus();
    });
    const node = element('li', {}, groupIcon('link'), by, limits, end);
    const update = (row) => {
      setText(by, row.by);
      setText(limits, row.limits);
      setAttribute(end, 'aria-label', words.endLabel(row.by));
      setAttribute(node, 'aria-busy', row.busy ? 'true' : null);
    };
    update(item);
    return { node, update };
  }

  #show(state) {
    setAttribute(this.#create, 'aria-disabled', state.creating ? 'true' : null);
    this.#linkBox.hidden = state.url === null;
    if (this.#link.value !== (state.url ?? '')) {
      this.#link.value = state.url ?? '';
      setText(this.#copy, words.copy);
      setText(this.#told, '');
    }
    setText(this.#error, state.error ?? '');
    setText(this.#note, state.note);
    this.#empty.hidden = !state.empty;
    this.#list.hidden = this.#viewModel.rows.length === 0;
  }
}
