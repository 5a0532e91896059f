/** Who somebody is: face, name, login, whether they are here, and the way to them. */
import { groupTexts } from '../../models/texts/groups.js';
import { Avatar } from '../avatar.js';
import { announce, copyText, element, setAttribute, setText } from '../dom.js';
import { groupIcon } from '../groupIcons.js';
import { icon } from '../icons.js';

const words = groupTexts.person;

export class PersonHead {
  #viewModel;
  #avatar = new Avatar(96);
  #name = element('p', { class: 'name', dir: 'auto' });
  #login = element('p', { class: 'login' });
  #seen = element('p', { class: 'seen' });
  #gitHub = element('a', { class: 'link', target: '_blank', rel: 'noreferrer', hidden: true }, words.gitHub);
  #inviteHint = element('p', { class: 'field-hint' });
  #inviteButton = element('button', { type: 'button', class: 'button small' }, groupIcon('link'), words.invite);
  #inviteLink = /** @type {HTMLInputElement} */ (
    element('input', { class: 'input code', readonly: true, hidden: true, dir: 'ltr', 'aria-label': words.inviteShown })
  );
  #said = element('p', { class: 'saved', role: 'status' });
  #invite = element('div', { class: 'invite', hidden: true },
    this.#inviteHint, this.#inviteButton, this.#inviteLink, this.#said);
  node;

  /** @param {import('../../viewmodels/groups/roomInfoViewModel.js').RoomInfoViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
    const about = element('div', { class: 'about' }, this.#name, this.#login, this.#seen, this.#gitHub);
    this.node = element('section', { class: 'section person-head' }, this.#avatar.node, about, this.#invite);
    this.#gitHub.prepend(icon('github'));
    this.#inviteButton.addEventListener('click', () => this.#copyInvite());
  }

  end() {
    this.#avatar.release();
  }

  show({ room, person }) {
    this.#avatar.show({ ...room, online: person.online });
    setText(this.#name, room.name);
    this.#login.hidden = person.login === '';
    setText(this.#login, person.login);
    this.#seen.hidden = person.seen === '';
    setText(this.#seen, person.seen);
    setAttribute(this.#seen, 'data-online', person.online);
    this.#gitHub.hidden = person.login === '';
    if (person.login) setAttribute(this.#gitHub, 'href', `https://github.com/${encodeURIComponent(person.login)}`);
    this.#invite.hidden = person.member || person.online;
    setText(this.#inviteHint, words.inviteHint(room.name));
  }

  async #copyInvite() {
    const link = await this.#viewModel.inviteLink(location.origin);
    if (!link) return;
    const copied = await copyText(link);
    this.#inviteLink.hidden = false;
    this.#inviteLink.value = link;
    setText(this.#said, copied ? words.inviteCopied : words.inviteShown);
    announce(this.#said.textContent);
    if (!copied) this.#inviteLink.select();
  }
}
