/** The banned people of a group, in a collapsible section. */
import { groupTexts } from '../../models/texts/groups.js';
import { Scope, element, fill, setText } from '../dom.js';
import { foldingSection, formError, hint, savedNote } from '../formParts.js';
import { bindList } from '../boundList.js';
import { RowView, button } from '../parts.js';
import { ask } from '../question.js';

const words = groupTexts.bans;

class BanRow extends RowView {
  #lift = button(words.lift, null, 'small');

  constructor(item, lift) {
    super('member-row');
    this.parts.role.replaceWith(this.#lift);
    this.#lift.addEventListener('click', () => lift(this.item));
    this.update(item);
  }

  update(item) {
    this.item = item;
    this.face.show(item);
    fill({ ...this.parts, lift: this.#lift }, {
      node: { 'data-single': item.login === '', 'aria-busy': item.busy ? 'true' : null },
      name: item.name,
      login: item.login,
      lift: { 'aria-label': words.liftLabel(item.name) },
    });
  }
}

export class BansView {
  #scope = new Scope();
  #list = element('ul', { class: 'members', role: 'list', 'aria-label': words.heading, hidden: true });
  #empty = hint(words.none, { hidden: true });
  #note = savedNote();
  #error = formError();
  #viewModel;
  node = foldingSection(words.heading, element('div', {}, this.#note, this.#error, this.#empty, this.#list));

  /** @param {import('../../viewmodels/groups/bansViewModel.js').BansViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
    // Reloaded each time it opens, since other admins may change the list.
    this.node.addEventListener('toggle', () => this.node.open && viewModel.open());
    const create = (item) => new BanRow(item, (row) => this.#lift(row));
    this.#scope.keep(bindList({ array: viewModel.rows, container: this.#list, create }));
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

  async #lift(item) {
    const agreed = await ask({ title: groupTexts.confirm.lift(item.name), hints: [], action: words.lift });
    if (agreed && (await this.#viewModel.lift(item))) this.node.querySelector('summary').focus();
  }
}
