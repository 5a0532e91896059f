/** The account's sessions: this browser's, and the others, which can be ended. */
import { settingsTexts } from '../../models/texts/settings.js';
import { Scope, element, fill, setText } from '../dom.js';
import { actions, formError, hint, savedNote, section } from '../formParts.js';
import { bindList } from '../boundList.js';
import { RowView, button, icon } from '../parts.js';
import { spinner } from '../listEnd.js';

const words = settingsTexts.sessions;

class SessionRow extends RowView {
  constructor(item, end) {
    super('session-row');
    const isPhone = /Android|iPhone|iPad|Mobile/.test(item.userAgent);
    this.parts.end = button(words.end, () => end(this.item.id), 'small');
    this.parts.current.append(words.current);
    this.node.prepend(icon(isPhone ? 'phone' : 'laptop'));
    this.node.append(this.parts.end);
    this.update(item);
  }

  update(item) {
    this.item = item;
    fill(this.parts, {
      node: { 'aria-busy': item.busy ? 'true' : null },
      name: { text: item.name, title: item.userAgent || null },
      current: { hidden: !item.current },
      when: { text: item.when, title: item.whenTitle },
      end: { 'aria-label': words.endLabel(item.name, item.signedIn), hidden: item.current },
    });
  }
}

export class SessionsView {
  #scope = new Scope();
  #list = element('ul', { class: 'sessions', role: 'list', 'aria-label': settingsTexts.sessions.heading });
  #busy = spinner(words.loading, false);
  #alone = hint(words.none, { hidden: true });
  #note = savedNote();
  #error = formError();
  #heading = element('h2', { tabindex: '-1' }, words.heading);
  node;

  /** @param {import('../../viewmodels/profile/sessionsViewModel.js').SessionsViewModel} viewModel */
  constructor(viewModel) {
    const focusAfter = async (ending) => (await ending) && this.#heading.focus();
    const others = actions(button(words.endOthers, () => focusAfter(viewModel.endOthers())));
    this.node = section(this.#heading, hint(words.hint), this.#busy, this.#list, this.#alone, others, this.#note,
      this.#error);
    const create = (item) => new SessionRow(item, (id) => focusAfter(viewModel.end(id)));
    this.#scope.keep(bindList({ array: viewModel.rows, container: this.#list, create }));
    this.#scope.bind(viewModel, (state) => {
      this.#busy.hidden = !state.loading;
      this.#list.hidden = state.loading || viewModel.rows.length === 0;
      others.hidden = state.loading || viewModel.rows.length < 2;
      this.#alone.hidden = !state.alone;
      setText(this.#note, state.note);
      setText(this.#error, state.error ?? '');
    });
  }

  end() {
    this.#scope.end();
  }
}
