import { colourOf, initialsOf, pictureOf, problemText } from '../../models/format.js';
import { inviterName as nameOf } from '../../models/invitationToken.js';
import { Observable } from '../../models/observableArray.js';
import { inviteTexts as words } from '../../models/texts/invite.js';
import { sharedTexts } from '../../models/texts/shared.js';

/** Shows and accepts an invitation, also for people who are not signed in. */
export class InviteViewModel extends Observable {
  #token;
  #services;

  /**
   * @param {string} token
   * @param {object} services `groups`, and `store` if signed in
   */
  constructor(token, services) {
    super({
      loading: true, problem: null, error: null, inviter: null, room: null, makesAccounts: false, joined: false,
      busy: false,
    });
    this.#token = token;
    this.#services = services;
    // The user's chats may be loaded after the invitation.
    this.onClose(services.store?.subscribe(() => this.update({ joined: this.#isJoined() })));
  }

  get token() {
    return this.#token;
  }

  async open() {
    this.update({ loading: true, error: null, problem: null });
    try {
      const { body } = await this.#services.groups.invitation(this.#token);
      const { room, inviter, makes_accounts: makesAccounts } = body;
      this.update({
        loading: false,
        inviter: nameOf(inviter),
        makesAccounts,
        room: room && Object.freeze({
          id: room.id, name: room.name, topic: room.topic ?? '', initials: initialsOf(room.name),
          colour: colourOf(room.id), avatarUrl: pictureOf(room.avatar_url),
          members: sharedTexts.members(room.members_count),
        }),
      });
      this.update({ joined: this.#isJoined() });
    } catch (error) {
      this.update({ loading: false, ...explained(error) });
    }
  }

  #isJoined() {
    return Boolean(this.state.room && this.#services.store?.room(this.state.room.id)?.role);
  }

  /** @returns {Promise<string|null>} the joined room; null for none, or a failure that the state shows */
  async accept() {
    if (this.state.busy) return null;
    this.update({ busy: true, error: null });
    try {
      const { body } = await this.#services.groups.accept(this.#token);
      this.update({ busy: false });
      if (!body?.id) return null;
      this.#services.store?.putRoom(body);
      return body.id;
    } catch (error) {
      this.update({ busy: false, ...explained(error) });
      return null;
    }
  }
}

/** The message for an invitation that failed, by the server's code if there is one. */
function explained(error) {
  const code = error.errors?.[0]?.code ?? '';
  if (error.kind === 'forbidden') return { problem: Object.freeze({ title: words.bannedTitle, text: words.banned }) };
  if (error.kind === 'conflict' && !code) {
    return { problem: Object.freeze({ title: words.bannedTitle, text: words.full }) };
  }
  const gone = ['not-found', 'invalid', 'conflict'].includes(error.kind) || error.status === 410;
  if (!gone) return { error: problemText(error) };
  const known = { expired: words.expired, ended: words.ended, used: words.used };
  return { problem: Object.freeze({ title: words.unknownTitle, text: known[code] ?? words.unknown }) };
}
