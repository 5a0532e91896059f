/** What an invitation leads to, and accepting it; the same card for people who are signed in and who are not. */
import { inviteTexts as words } from '../../models/texts/invite.js';
import { texts } from '../../models/texts.js';
import { Avatar } from '../avatar.js';
import { Scope, element, setAttribute, setText } from '../dom.js';
import { icon, mark } from '../icons.js';

/**
 * @typedef {object} InviteOptions
 * @property {boolean} signedIn
 * @property {(roomId: string|null) => void} accepted called when one is in; null: the invitation leads to no room
 */

export class InviteView {
  #viewModel;
  #options;
  #scope = new Scope();
  #avatar = new Avatar(96);
  #card = element('div', { class: 'card invite-card' });
  #error = element('p', { class: 'form-error', role: 'alert', hidden: true });
  #accept = element('button', { type: 'button', class: 'button primary' });
  #shown = null;
  bar = element('header', { class: 'bar' },
    element('a', { class: 'icon-button back', href: '/chats', 'aria-label': texts.views.back, 'data-back': true },
      icon('back')),
    element('span', { class: 'gap' }));
  node;

  /**
   * @param {import('../../viewmodels/groups/inviteViewModel.js').InviteViewModel} viewModel
   * @param {InviteOptions} options
   */
  constructor(viewModel, options) {
    this.#viewModel = viewModel;
    this.#options = options;
    const place = { class: 'pane detail-pane sign-in scroller' };
    this.node = options.signedIn
      ? element('div', { class: 'form-page invite-page' }, this.bar, element('div', { class: 'sign-in scroller' }, this.#card))
      : element('main', place, this.#card);
    this.#accept.addEventListener('click', () => this.accept());
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
    this.#error.hidden = state.error === null;
    setText(this.#error, state.error ?? '');
    setAttribute(this.#accept, 'aria-disabled', state.busy ? 'true' : null);
    if (state.busy) setText(this.#accept, words.joining);
    else setText(this.#accept, state.room ? words.join(state.room.name) : words.accept);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const parts = {
      loading: () => [element('div', { class: 'more', role: 'progressbar', 'aria-label': words.loading },
        element('div', { class: 'spinner' }))],
      error: () => this.#failure(),
      problem: () => this.#problem(state.problem),
      invitation: () => this.#invitation(state),
      member: () => this.#invitation(state),
    }[shown]();
    this.#card.replaceChildren(...parts);
    if (shown !== 'loading' && document.activeElement === document.body) this.focus();
  }

  #failure() {
    const retry = element('button', { type: 'button', class: 'button' }, words.retry);
    retry.addEventListener('click', () => this.#viewModel.open());
    return [element('header', { class: 'intro' }, mark(), element('h1', { tabindex: '-1' }, words.title)), this.#error, retry];
  }

  #problem({ title, text }) {
    const href = this.#options.signedIn ? '/chats' : '/sign-in';
    const label = this.#options.signedIn ? words.toChats : words.signIn;
    return [
      element('header', { class: 'intro' }, mark(), element('h1', { tabindex: '-1' }, title), element('p', {}, text)),
      element('a', { class: 'button', href }, label),
    ];
  }

  #invitation({ room, inviter, makesAccounts, joined }) {
    const intro = element('header', { class: 'intro' });
    if (room) {
      // Pictures are for who is signed in.
      const avatarUrl = this.#options.signedIn ? room.avatarUrl : null;
      this.#avatar.show({ initials: room.initials, colour: room.colour, avatarUrl });
      intro.append(this.#avatar.node, element('p', {}, words.invites(inviter)),
        element('h1', { tabindex: '-1', dir: 'auto' }, room.name),
        element('p', { dir: 'auto', hidden: room.topic === '' }, room.topic),
        element('p', { class: 'number' }, room.members));
    } else {
      intro.append(mark(), element('p', {}, words.invites(inviter)), element('h1', { tabindex: '-1' }, words.instance),
        element('p', {}, words.instanceHint));
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
        element('a', { class: 'button primary', href: '/chats' }, words.toChats)];
    }
    if (signedIn) return [this.#accept];
    const query = `?return_to=${encodeURIComponent(`/invite/${encodeURIComponent(this.#viewModel.token)}`)}`;
    const make = element('a', { class: 'button primary', href: `/sign-up${query}` }, words.signUp);
    const enter = element('a', { class: mayMake ? 'button' : 'button primary', href: `/sign-in${query}` },
      texts.session.signIn);
    return [mayMake ? make : null, enter, element('p', { class: 'other' }, mayMake ? words.signInFirst : words.signInOnly)]
      .filter(Boolean);
  }
}
