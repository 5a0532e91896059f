/** The GitHub account that is linked to one's own (A6). */
import { gitHubTexts as words } from '../../models/texts/gitHub.js';
import { Avatar } from '../avatar.js';
import { Scope, element, setAttribute, setText } from '../dom.js';
import { icon } from '../icons.js';
import { ask } from '../question.js';

export class GitHubSection {
  #scope = new Scope();
  #avatar = new Avatar(40);
  #name = element('p', { class: 'name', dir: 'auto' });
  #linked = element('div', { class: 'linked-account', hidden: true }, this.#avatar.node, this.#name);
  #hint = element('p', { class: 'field-hint' });
  #link = element('button', { type: 'button', class: 'button' }, icon('github'), words.link);
  #unlink = element('button', { type: 'button', class: 'button' }, words.unlink);
  #note = element('p', { class: 'saved', role: 'status' });
  #error = element('p', { class: 'form-error', role: 'alert' });
  #heading = element('h2', { tabindex: '-1' }, words.heading);
  node;

  /** @param {import('../../viewmodels/profile/gitHubViewModel.js').GitHubViewModel} viewModel */
  constructor(viewModel) {
    const actions = element('div', { class: 'actions' }, this.#link, this.#unlink);
    this.node = element('section', { class: 'section', hidden: true }, this.#heading, this.#linked, this.#hint, actions,
      this.#note, this.#error);
    this.#link.addEventListener('click', () => viewModel.link());
    this.#unlink.addEventListener('click', async () => {
      const { login } = viewModel.state;
      const sure = await ask({ title: words.unlinkTitle(login), hints: words.unlinkHints, action: words.unlink });
      if (sure && (await viewModel.unlink())) this.#heading.focus();
    });
    this.#scope.bind(viewModel, (state) => {
      this.node.hidden = !state.shown;
      this.#linked.hidden = !state.linked;
      if (state.me) this.#avatar.show(state.me);
      setText(this.#name, state.linked ? words.linked(state.login) : '');
      setText(this.#hint, state.hint);
      this.#link.hidden = !state.mayLink;
      this.#unlink.hidden = !state.mayUnlink;
      actions.hidden = !state.mayLink && !state.mayUnlink;
      for (const button of [this.#link, this.#unlink]) setAttribute(button, 'aria-disabled', state.busy ? 'true' : null);
      setText(this.#note, state.note);
      setText(this.#error, state.error ?? '');
    });
  }

  end() {
    this.#scope.end();
    this.#avatar.release();
  }
}
