/** The linked GitHub account. */
import { gitHubTexts as words } from '../../models/texts/gitHub.js';
import { settingsTexts } from '../../models/texts/settings.js';
import { Scope, element, set, setText } from '../dom.js';
import { FieldView } from '../fieldView.js';
import { actions, formError, hint, savedNote, section } from '../formParts.js';
import { Avatar, button, icon } from '../parts.js';
import { ask } from '../question.js';

export class GitHubSection {
  #scope = new Scope();
  #avatar = new Avatar(40);
  #name = element('p', { class: 'name', dir: 'auto' });
  #linked = element('div', { class: 'linked-account', hidden: true }, this.#avatar.node, this.#name);
  #hint = hint();
  #note = savedNote();
  #error = formError();
  #password = new FieldView({
    name: 'github_password', label: settingsTexts.email.password,
    attributes: { type: 'password', autocomplete: 'current-password' },
  });
  #heading = element('h2', { tabindex: '-1' }, words.heading);
  node;

  /** @param {import('../../viewmodels/profile/gitHubViewModel.js').GitHubViewModel} viewModel */
  constructor(viewModel) {
    const link = button([icon('github'), words.link], () => viewModel.link(this.#password.input.value));
    const unlink = button(words.unlink, async () => {
      const { login } = viewModel.state;
      const sure = await ask({ title: words.unlinkTitle(login), hints: words.unlinkHints, action: words.unlink });
      if (sure && (await viewModel.unlink(this.#password.input.value))) this.#heading.focus();
    });
    const offered = actions(link, unlink);
    this.node = section(this.#heading, this.#linked, this.#hint, this.#password.node, offered, this.#note,
      this.#error);
    this.#scope.bind(viewModel, (state) => {
      this.node.hidden = !state.shown;
      this.#linked.hidden = !state.linked;
      if (state.me) this.#avatar.show(state.me);
      setText(this.#name, state.linked ? words.linked(state.login) : '');
      setText(this.#hint, state.hint);
      const isAsked = state.asksPassword && this.#password.node.hidden;
      this.#password.node.hidden = !state.asksPassword;
      this.#password.show(state.asksPassword ? this.#password.input.value : '', state.passwordError);
      if (isAsked) this.#password.input.focus();
      const disabled = state.busy ? 'true' : null;
      set(link, { hidden: !state.mayLink, 'aria-disabled': disabled });
      set(unlink, { hidden: !state.mayUnlink, 'aria-disabled': disabled });
      offered.hidden = !state.mayLink && !state.mayUnlink;
      setText(this.#note, state.note);
      setText(this.#error, state.error ?? '');
    });
  }

  end() {
    this.#scope.end();
    this.#avatar.release();
  }
}
