import { colourOf, initialsOf, pictureOf } from '../../models/format.js';
import { inviterName as nameOf } from '../../models/invitationToken.js';
import { Observable } from '../../models/observableArray.js';
import { inviteTexts as words } from '../../models/texts/invite.js';
import { problemText } from '../../models/texts.js';

/** Where an invitation leads, and accepting it; also for people who are not signed in (R1, A3). */
export class InviteViewModel {
  #token;
  #services;
  #end;
  #state = new Observable({
    loading: true, problem: null, error: null, inviter: null, room: null, makesAccounts: false, joined: false,
    busy: false,
  });

  /**
   * @param {string} token
   * @param {object} services `groups`, and `store` where somebody is signed in
   */
  constructor(token, services) {
    this.#token = token;
    this.#services = services;
    // Which chats are mine may be known only after what the invitation leads to.
    this.#end = services.store?.subscribe(() => this.#state.update({ joined: this.#isJoined() }));
  }

  /**
   * `problem`: the invitation does not work, `{title, text}`; `error`: it could not be asked for;
   * `room`: `{id, name, topic, members, initials, colour}`, null: the instance itself; `inviter`: a name.
   */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#end?.();
  }

  get token() {
    return this.#token;
  }

  async open() {
    this.#state.update({ loading: true, error: null, problem: null });
    try {
      const { body } = await this.#services.groups.invitation(this.#token);
      const { room, inviter, makes_accounts: makesAccounts } = body;
      this.#state.update({
        loading: false,
        inviter: nameOf(inviter),
        makesAccounts,
        room: room && Object.freeze({
          id: room.id, name: room.name, topic: room.topic ?? '', members: words.members(room.members_count),
          initials: initialsOf(room.name), colour: colourOf(room.id),
          avatarUrl: pictureOf(room.avatar_url),
        }),
      });
      this.#state.update({ joined: this.#isJoined() });
    } catch (error) {
      this.#state.update({ loading: false, ...explained(error) });
    }
  }

  #isJoined() {
    return Boolean(this.state.room && this.#services.store?.room(this.state.room.id)?.role);
  }

  /** @returns {Promise<string|null>} the room that one is in now; null for none, or a failure that the state tells */
  async accept() {
    if (this.state.busy) return null;
    this.#state.update({ busy: true, error: null });
    try {
      const { body } = await this.#services.groups.accept(this.#token);
      this.#state.update({ busy: false });
      if (!body?.id) return null;
      this.#services.store?.putRoom(body);
      return body.id;
    } catch (error) {
      this.#state.update({ busy: false, ...explained(error) });
      return null;
    }
  }
}

/** What to say of an invitation that failed. The server tells why by a code where it knows. */
function explained(error) {
  const code = error.errors?.[0]?.code ?? '';
  if (error.kind === 'forbidden') return { problem: Object.freeze({ title: words.bannedTitle, text: words.banned }) };
  if (error.kind === 'conflict' && !code) return { problem: Object.freeze({ title: words.bannedTitle, text: words.full }) };
  const gone = error.kind === 'not-found' || error.kind === 'invalid' || error.kind === 'conflict' || error.status === 410;
  if (!gone) return { error: problemText(error) };
  const known = { expired: words.expired, ended: words.ended, used: words.used };
  return { problem: Object.freeze({ title: words.unknownTitle, text: known[code] ?? words.unknown }) };
}
