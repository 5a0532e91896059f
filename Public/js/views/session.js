/** Sign-in and sign-up: GitHub first if it is set up, email below. */
import { tokenOf } from '../models/invitationToken.js';
import { limits } from '../models/limits.js';
import { inviteTexts } from '../models/texts/invite.js';
import { accountTexts as words } from '../models/texts/account.js';
import { sharedTexts } from '../models/texts/shared.js';
import { Scope, element, set, setAttribute, setText } from './dom.js';
import { FieldView } from './fieldView.js';
import { formError, submitButton } from './formParts.js';
import { icon, mark } from './parts.js';

/**
 * @typedef {{registration: string, gitHubSignIn: boolean, returnTo: string, failure?: string, ended: boolean}}
 *   SessionOptions `failure`: the error of a GitHub sign-in; `ended`: the session of this browser has ended
 */

export class SessionView {
  #viewModel;
  #scope = new Scope();
  #fields;
  #formError = formError();
  #submit;
  #invited = element('p', { class: 'invited', dir: 'auto', hidden: true });
  node;

  /**
   * @param {import('../viewmodels/sessionViewModel.js').SessionViewModel} viewModel
   * @param {SessionOptions} options
   */
  constructor(viewModel, options) {
    this.#viewModel = viewModel;
    const signingUp = viewModel.state.mode === 'sign-up';
    const { registration } = options;
    const refused = signingUp && (registration === 'closed' || registration === 'github');
    this.#fields = this.#makeFields(signingUp);
    this.#submit = submitButton(signingUp ? words.signUp : words.signIn);
    const card = element('div', { class: 'card' }, refused ? this.#refusal(options) : this.#intro(signingUp, options));
    const mayUseGitHub = options.gitHubSignIn && !(refused && registration === 'closed');
    if (options.failure) card.append(element('p', { class: 'form-error', role: 'alert' }, options.failure));
    if (mayUseGitHub) card.append(this.#gitHub(options));
    if (mayUseGitHub && !refused) card.append(element('div', { class: 'or' }, words.orEmail));
    if (!refused) card.append(this.#form(signingUp, registration));
    card.append(this.#other(signingUp, options) ?? '');
    this.node = element('main', { class: 'pane detail-pane sign-in scroller' }, card);
    this.#scope.bind(viewModel, (state) => this.#show(state));
  }

  focus() {
    this.node.querySelector('input, a, button')?.focus();
  }

  #form(signingUp, registration) {
    const { invitation, first_name: first, last_name: last, email, password } = this.#fields;
    const names = signingUp ? element('div', { class: 'pair' }, first.node, last.node) : null;
    this.#asksInvitation = registration === 'invite';
    const form = element('form', { novalidate: true }, this.#formError, signingUp && invitation.node, names, email.node,
      password.node, this.#submit);
    form.addEventListener('submit', (event) => this.#send(event));
    return form;
  }

  #asksInvitation = false;

  /** Says that accounts cannot be created here, or not by email, and what to do instead. */
  #refusal({ registration, gitHubSignIn }) {
    const closed = registration === 'closed';
    const why = closed ? inviteTexts.closed : gitHubSignIn ? inviteTexts.gitHub : inviteTexts.gitHubMissing;
    const title = closed ? inviteTexts.closedTitle : inviteTexts.gitHubTitle;
    return element('header', { class: 'intro' }, mark(), element('h1', {}, title), element('p', {}, why));
  }

  #intro(signingUp, { ended }) {
    const hint = ended ? words.endedHint : words.welcomeHint;
    return element('header', { class: 'intro' }, mark(), element('h1', {}, signingUp ? words.join : words.welcome),
      element('p', {}, signingUp ? words.joinHint : hint), this.#invited);
  }

  #gitHub({ returnTo }) {
    this.#gitHubAddress = `/auth/github?return_to=${encodeURIComponent(returnTo)}`;
    const attributes = { class: 'button', href: this.#gitHubAddress, 'data-outside': true };
    return (this.#gitHubLink = element('a', attributes, icon('github'), words.continueWithGitHub));
  }

  #gitHubLink = null;
  #gitHubAddress = '';

  #other(signingUp, { registration, returnTo }) {
    const query = returnTo === '/chats' ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
    const line = (question, label, path) =>
      element('p', { class: 'other' }, `${question} `, element('a', { class: 'link', href: path + query }, label));
    if (signingUp) return line(words.knownHere, words.toSignIn, '/sign-in');
    if (registration === 'open') return line(words.newHere, words.createOne, '/sign-up');
    if (registration !== 'invite') return null;
    // An invitation can be pasted on the sign-up page.
    return line(words.byInvite, words.createOne, '/sign-up');
  }

  #makeFields(signingUp) {
    const show = element('button', { type: 'button', 'aria-pressed': 'false' }, sharedTexts.show);
    const fields = {
      invitation: new FieldView({
        name: 'invitation', label: inviteTexts.title, hint: inviteTexts.fieldHint,
        attributes: { autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none', required: true },
      }),
      first_name: new FieldView({
        name: 'first_name', label: words.firstName, attributes: { autocomplete: 'given-name', required: true },
      }),
      last_name: new FieldView({
        name: 'last_name',
        label: words.lastName,
        attributes: { autocomplete: 'family-name', placeholder: words.optional },
      }),
      email: new FieldView({
        name: 'email',
        label: words.email,
        attributes: {
          type: 'email', autocomplete: signingUp ? 'email' : 'username', required: true, spellcheck: 'false',
        },
      }),
      password: new FieldView({
        name: 'password',
        label: words.password,
        attributes: {
          type: 'password', autocomplete: signingUp ? 'new-password' : 'current-password', required: true,
        },
        hint: signingUp ? words.atLeast(limits.short_password) : '',
        button: show,
      }),
    };
    show.addEventListener('click', () => {
      const shown = fields.password.input.type === 'text';
      fields.password.input.type = shown ? 'password' : 'text';
      show.setAttribute('aria-pressed', String(!shown));
      setText(show, shown ? sharedTexts.show : sharedTexts.hide);
    });
    for (const [name, { input }] of Object.entries(fields)) {
      input.addEventListener('input', () => this.#viewModel.set(name, input.value));
      // An error would move the link to the other page while it is being pressed.
      input.addEventListener('blur', (event) => {
        if (event.relatedTarget?.localName !== 'a' && input.value !== '') this.#viewModel.leave(name);
      });
    }
    return fields;
  }

  async #send(event) {
    event.preventDefault();
    // Password managers fill fields without an event.
    for (const [name, { input }] of this.#shownFields()) {
      if (input.value !== this.#viewModel.state.values[name]) this.#viewModel.set(name, input.value);
    }
    if (await this.#viewModel.submit()) return;
    queueMicrotask(() => {
      const [, first = this.#fields.password] =
        this.#shownFields().find(([, { input }]) => input.hasAttribute('aria-invalid')) ?? [];
      first.input.focus();
    });
  }

  /** Shows the name fields at sign-up only. */
  #shownFields() {
    return Object.entries(this.#fields).filter(([, { input }]) => input.isConnected);
  }

  #show(state) {
    for (const [name, field] of Object.entries(this.#fields)) field.show(state.values[name], state.fieldErrors[name]);
    this.#fields.invitation.node.hidden = !this.#asksInvitation && !state.fieldErrors.invitation;
    // With the invitation, GitHub sign-in may create an account.
    const token = tokenOf(state.values.invitation);
    const carried = token ? `&invitation=${encodeURIComponent(token)}` : '';
    if (this.#gitHubLink) setAttribute(this.#gitHubLink, 'href', this.#gitHubAddress + carried);
    set(this.#invited, { text: state.invited, hidden: state.invited === '' });
    set(this.#formError, { text: state.formError ?? '', hidden: state.formError === null });
    setAttribute(this.#submit, 'aria-busy', state.busy ? 'true' : null);
  }
}
