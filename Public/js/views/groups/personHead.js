/** A person: face, name, login, presence, and actions. */
import { sharedTexts } from '../../models/texts/shared.js';
import { groupTexts } from '../../models/texts/groups.js';
import { announce, element, set, setText } from '../dom.js';
import { copyText } from '../clipboard.js';
import { hint, savedNote } from '../formParts.js';
import { Avatar, button, icon } from '../parts.js';

const words = groupTexts.person;

export class PersonHead {
  #viewModel;
  #avatar = new Avatar(96);
  #name = element('p', { class: 'name', dir: 'auto' });
  #login = element('p', { class: 'login' });
  #seen = element('p', { class: 'seen' });
  #gitHub = element('a', { class: 'link', target: '_blank', rel: 'noreferrer', hidden: true },
    icon('github'), words.gitHub);
  #inviteHint = hint();
  #inviteLink = /** @type {HTMLInputElement} */ (
    element('input', { class: 'input code', readonly: true, hidden: true, dir: 'ltr', 'aria-label': words.inviteShown })
  );
  #said = savedNote();
  #invite = element('div', { class: 'invite', hidden: true },
    this.#inviteHint, button([icon('link'), sharedTexts.copyInvite], () => this.#copyInvite(), 'small'),
    this.#inviteLink, this.#said);
  node;

  /** @param {import('../../viewmodels/groups/roomInfoViewModel.js').RoomInfoViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
    const about = element('div', { class: 'about' }, this.#name, this.#login, this.#seen, this.#gitHub);
    this.node = element('section', { class: 'section person-head' }, this.#avatar.node, about, this.#invite);
  }

  end() {
    this.#avatar.release();
  }

  show({ room, person }) {
    this.#avatar.show({ ...room, online: person.online });
    setText(this.#name, room.name);
    const isUnlinked = person.login === '';
    set(this.#login, { text: person.login, hidden: isUnlinked });
    set(this.#seen, { text: person.seen, 'data-online': person.online, hidden: person.seen === '' });
    set(this.#gitHub, { href: `https://github.com/${encodeURIComponent(person.login)}`, hidden: isUnlinked });
    this.#invite.hidden = person.member || person.online;
    setText(this.#inviteHint, sharedTexts.waiting(room.name));
  }

  async #copyInvite() {
    const link = await this.#viewModel.inviteLink(location.origin);
    if (!link) return;
    const copied = await copyText(link);
    this.#inviteLink.hidden = false;
    this.#inviteLink.value = link;
    setText(this.#said, copied ? sharedTexts.copied : words.inviteShown);
    announce(this.#said.textContent);
    if (!copied) this.#inviteLink.select();
  }
}
