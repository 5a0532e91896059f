/** Who is banned from a group, behind a heading that opens. */
import { groupTexts } from '../../models/texts/groups.js';
import { Avatar } from '../avatar.js';
import { Scope, element, setAttribute, setText } from '../dom.js';
import { bindList } from '../list.js';
import { ask } from '../question.js';

const words = groupTexts.bans;

export class BansView {
  #scope = new Scope();
  #list = element('ul', { class: 'members', role: 'list', 'aria-label': words.heading, hidden: true });
  #empty = element('p', { class: 'field-hint', hidden: true }, words.none);
  #note = element('p', { class: 'saved', role: 'status' });
  #error = element('p', { class: 'form-error', role: 'alert' });
  #viewModel;
  node;

  /** @param {import('../../viewmodels/groups/bansViewModel.js').BansViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
    const summary = element('summary', {}, element('h2', {}, words.heading));
    this.node = element('details', { class: 'section folding' }, summary,
      element('div', { class: 'folded' }, this.#note, this.#error, this.#empty, this.#list));
    // What happened meanwhile is asked for each time that one looks.
    this.node.addEventListener('toggle', () => this.node.open && viewModel.open());
    const list = bindList({ array: viewModel.rows, container: this.#list, create: (item) => this.#row(item) });
    this.#scope.add(() => list.end());
    this.#scope.bind(viewModel, (state) => {
      setText(this.#note, state.note);
      setText(this.#error, state.error ?? '');
      this.#empty.hidden = !state.empty;
      this.#list.hidden = viewModel.rows.length === 0;
    });
  }

  end() {
    this.#scope.end();
  }

  #row(item) {
    const avatar = new Avatar(40);
    const name = element('span', { class: 'name', dir: 'auto' });
    const login = element('span', { class: 'preview' });
    const lift = element('button', { type: 'button', class: 'button small' }, words.lift);
    lift.addEventListener('click', () => this.#lift(item));
    const node = element('li', { class: 'member' }, avatar.node, element('span', { class: 'line' }, name), login, lift);
    const update = (row) => {
      avatar.show(row);
      setText(name, row.name);
      setText(login, row.login);
      setAttribute(node, 'data-single', row.login === '');
      setAttribute(lift, 'aria-label', words.liftLabel(row.name));
      setAttribute(node, 'aria-busy', row.busy ? 'true' : null);
    };
    update(item);
    return { node, update, remove: () => avatar.release() };
  }

  async #lift(item) {
    const agreed = await ask({ title: groupTexts.confirm.lift(item.name), hints: [], action: words.lift });
    if (agreed && (await this.#viewModel.lift(item))) this.node.querySelector('summary').focus();
  }
}
