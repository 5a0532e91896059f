/** Where one is signed in: this browser, and the others, which can be ended. */
import { settingsTexts } from '../../models/texts/settings.js';
import { Scope, element, setAttribute, setText } from '../dom.js';
import { groupIcon } from '../groupIcons.js';
import { bindList } from '../list.js';

const words = settingsTexts.sessions;

export class SessionsView {
  #scope = new Scope();
  #viewModel;
  #list = element('ul', { class: 'sessions', role: 'list', 'aria-label': words.list });
  #busy = element('div', { class: 'more', role: 'progressbar', 'aria-label': words.loading },
    element('div', { class: 'spinner' }));
  #others = element('button', { type: 'button', class: 'button' }, words.endOthers);
  #alone = element('p', { class: 'field-hint', hidden: true }, words.none);
  #note = element('p', { class: 'saved', role: 'status' });
  #error = element('p', { class: 'form-error', role: 'alert' });
  #heading = element('h2', { tabindex: '-1' }, words.heading);
  node;

  /** @param {import('../../viewmodels/profile/sessionsViewModel.js').SessionsViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
    const actions = element('div', { class: 'actions' }, this.#others);
    this.node = element('section', { class: 'section' }, this.#heading,
      element('p', { class: 'field-hint' }, words.hint), this.#busy, this.#list, this.#alone, actions, this.#note,
      this.#error);
    this.#others.addEventListener('click', async () => {
      if (await viewModel.endOthers()) this.#heading.focus();
    });
    const list = bindList({ array: viewModel.rows, container: this.#list, create: (item) => this.#row(item) });
    this.#scope.add(() => list.end());
    this.#scope.bind(viewModel, (state) => {
      this.#busy.hidden = !state.loading;
      this.#list.hidden = state.loading || viewModel.rows.length === 0;
      actions.hidden = state.loading || viewModel.rows.length < 2;
      this.#alone.hidden = !state.alone;
      setText(this.#note, state.note);
      setText(this.#error, state.error ?? '');
    });
  }

  end() {
    this.#scope.end();
  }

  #row(item) {
    const name = element('span', { class: 'name' });
    const current = element('span', { class: 'current' }, words.current);
    const when = element('span');
    const end = element('button', { type: 'button', class: 'button small' }, words.end);
    end.addEventListener('click', async () => {
      if (await this.#viewModel.end(item.id)) this.#heading.focus();
    });
    const sign = groupIcon(/Android|iPhone|iPad|Mobile/.test(item.userAgent) ? 'phone' : 'laptop');
    const node = element('li', {}, sign, name, element('span', { class: 'preview' }, current, when), end);
    const update = (row) => {
      setText(name, row.name);
      setAttribute(name, 'title', row.userAgent || null);
      current.hidden = !row.current;
      setText(when, row.when);
      setAttribute(when, 'title', row.whenTitle);
      end.hidden = row.current;
      setAttribute(end, 'aria-label', words.endLabel(row.name, row.signedIn));
      setAttribute(node, 'aria-busy', row.busy ? 'true' : null);
    };
    update(item);
    return { node, update };
  }
}
