/** The page of an invitation, for people who are signed in and who are not. */
import { inviteTexts as words } from '../../models/texts/invite.js';
import { accountTexts } from '../../models/texts/account.js';
import { texts } from '../../models/texts.js';
import { sharedTexts } from '../../models/texts/shared.js';
import { Scope, element, set } from '../dom.js';
import { formError } from '../formParts.js';
import { Avatar, backLink, button, gap, mark, pageHeading } from '../parts.js';
import { spinner } from '../listEnd.js';

/**
 * @typedef {object} InviteOptions
 * @property {boolean} signedIn
 * @property {(roomId: string|null) => void} accepted called after joining; null: the invitation is for no room
 */

export class InviteView {
  #viewModel;
  #options;
  #scope = new Scope();
  #avatar = new Avatar(96);
  #card = element('div', { class: 'card invite-card' });
  #error = formError();
  #accept = button('', () => this.accept(), 'primary');
  #shown = null;
  bar = element('header', { class: 'bar' }, backLink('/chats', sharedTexts.back), gap());
  node;

  /**
   * @param {import('../../viewmodels/groups/inviteViewModel.js').InviteViewModel} viewModel
   * @param {InviteOptions} options
   */
  constructor(viewModel, options) {
    this.#viewModel = viewModel;
    this.#options = options;
    this.node = options.signedIn
      ? element('div', { class: 'form-page invite-page' }, this.bar,
        element('div', { class: 'sign-in scroller' }, this.#card))
      : element('main', { class: 'pane detail-pane sign-in scroller' }, this.#card);
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  focus() {
    this.#card.querySelector('h1')?.focus({ preventScroll: true });
  }

  end() {
    this.#scope.end();
    this.#avatar.release();
    this.#viewModel.close();
  }

  async accept() {
    const roomId = await this.#viewModel.accept();
    const { error, problem } = this.#viewModel.state;
    if (roomId || (!error && !problem)) this.#options.accepted(roomId);
  }

  #show(state) {
    const invited = state.joined ? 'member' : 'invitation';
    const shown = state.loading ? 'loading' : state.problem ? 'problem' : state.inviter !== null ? invited : 'error';
    set(this.#error, { text: state.error ?? '', hidden: state.error === null });
    const label = state.busy ? words.joining : state.room ? words.join(state.room.name) : words.accept;
    set(this.#accept, { text: label, 'aria-disabled': state.busy ? 'true' : null });
    if (shown === this.#shown) return;
    this.#shown = shown;
    const parts = {
      loading: () => [spinner(words.loading, false)],
      error: () => this.#failure(),
      problem: () => this.#problem(state.problem),
      invitation: () => this.#invitation(state),
      member: () => this.#invitation(state),
    }[shown]();
    this.#card.replaceChildren(...parts);
    if (shown !== 'loading' && document.activeElement === document.body) this.focus();
  }

  #failure() {
    return [element('header', { class: 'intro' }, mark(), pageHeading(words.title)), this.#error,
      button(texts.problem.retry, () => this.#viewModel.open())];
  }

  #problem({ title, text }) {
    const href = this.#options.signedIn ? '/chats' : '/sign-in';
    const label = this.#options.signedIn ? sharedTexts.toChats : accountTexts.signIn;
    return [
      element('header', { class: 'intro' }, mark(), pageHeading(title), element('p', {}, text)),
      element('a', { class: 'button', href }, label),
    ];
  }

  #invitation({ room, inviter, makesAccounts, joined }) {
    const intro = element('header', { class: 'intro' });
    if (room) {
      // Pictures require a session.
      const avatarUrl = this.#options.signedIn ? room.avatarUrl : null;
      this.#avatar.show({ initials: room.initials, colour: room.colour, avatarUrl });
      intro.append(this.#avatar.node, element('p', {}, words.invites(inviter)),
        pageHeading(room.name, { dir: 'auto' }),
        element('p', { dir: 'auto', hidden: room.topic === '' }, room.topic),
        element('p', { class: 'number' }, room.members));
    } else {
      intro.append(mark(), element('p', {}, words.invites(inviter)), pageHeading(texts.appName),
        element('p', {}, accountTexts.welcomeHint));
    }
    return [intro, this.#error, ...this.#ways(room, joined, makesAccounts)];
  }

  #ways(room, joined, mayMake) {
    const { signedIn } = this.#options;
    if (signedIn && joined) {
      return [element('p', { class: 'other' }, words.already),
        element('a', { class: 'button primary', href: `/chats/${room.id}` }, words.open)];
    }
    if (signedIn && !room) {
      return [element('p', { class: 'other' }, words.alreadyHere),
        element('a', { class: 'button primary', href: '/chats' }, sharedTexts.toChats)];
    }
    if (signedIn) return [this.#accept];
    const query = `?return_to=${encodeURIComponent(`/invite/${encodeURIComponent(this.#viewModel.token)}`)}`;
    const make = element('a', { class: 'button primary', href: `/sign-up${query}` }, words.signUp);
    const enter = element('a', { class: mayMake ? 'button' : 'button primary', href: `/sign-in${query}` },
      accountTexts.signIn);
    const hint = element('p', { class: 'other' }, mayMake ? words.signInFirst : words.signInOnly);
    return mayMake ? [make, enter, hint] : [enter, hint];
  }
}
