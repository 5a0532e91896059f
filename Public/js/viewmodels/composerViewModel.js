import { plainLine } from '../models/format.js';
import { countCharacters, limits } from '../models/limits.js';
import { Observable } from '../models/observableArray.js';
import { chatTexts, failureText } from '../models/texts/conversation.js';

const SHOW_REMAINING = 500;
/** The server ends a typing indicator after 6 s, so it is renewed before that. */
const TYPING_AGAIN = 4000;
/** The delay before typing is reported: a message sent sooner reports none, and others still see it within a second. */
const TYPING_BEGINS = 250;
const TYPING_ENDS = 5000;

/**
 * The composer of one chat: a new message, a reply, or an edit. It belongs to that chat, so that a text cannot be sent
 * to another one. The draft is kept during an edit.
 * @extends {Observable<import('./types.js').ComposerState>}
 */
export class ComposerViewModel extends Observable {
  #roomId;
  #services;
  #typing;
  #saveEdit;
  /** The message being edited: `{seq, text}`. */
  #editing = /** @type {{seq: number, text: string}|null} */ (null);

  /**
   * @param {string} roomId
   * @param {object} services `api`, `outbox`, `draftSync`, `sync`, `clock`
   * @param {(seq: number, text: string) => Promise<void>} saveEdit stores an edited message; may reject
   */
  constructor(roomId, services, saveEdit) {
    super({ busy: false, error: '', ...draftOf(services.draftSync, roomId) });
    this.#roomId = roomId;
    this.#services = services;
    this.#saveEdit = saveEdit;
    this.#typing = new TypingNotices(roomId, services);
    this.onClose(services.draftSync.subscribe((changed) => {
      if (changed === roomId && !this.#editing) this.update(this.#draft());
    }));
  }

  close() {
    super.close();
    this.leave();
  }

  /** The page is hidden or the chat is closed: syncs the draft to the other devices. */
  leave() {
    this.#typing.end();
    this.#services.draftSync.flush(this.#roomId);
  }

  /** The field's text changed. */
  input(text) {
    if (text === this.state.text || this.state.busy) return;
    this.update({ ...textOf(text), error: '' });
    if (this.#editing) return;
    this.#services.draftSync.set(this.#roomId, text);
    if (text.trim() === '') this.#typing.end();
    else this.#typing.tell();
  }

  /** Starts a reply. @param {{seq: number, name: string, text: string}} target */
  reply({ seq, name, text }) {
    this.#services.draftSync.setReply(this.#roomId, { seq, name, text });
    this.#leaveEditing();
  }

  /** Starts an edit; the draft comes back afterwards. @param {{seq: number, text: string}} message */
  edit({ seq, text }) {
    this.#typing.end();
    this.#editing = { seq, text };
    const banner = bannerOf('edit', { seq, name: '', text: plainLine(text) });
    this.update({ ...textOf(text), banner, error: '', busy: false });
  }

  /** Cancels the edit, else the reply. @returns {boolean} whether there was one */
  cancel() {
    if (this.state.banner === null || this.state.busy) return false;
    if (!this.#editing) this.#services.draftSync.setReply(this.#roomId, null);
    this.#leaveEditing();
    return true;
  }

  /** Adds the message to the outbox, or saves the edit. @returns {boolean} whether the field is empty now */
  send() {
    const { text, canSend, banner } = this.state;
    if (!canSend) return false;
    if (this.#editing) {
      this.#save(text.trim());
      return false;
    }
    const replyTo = banner?.seq ?? null;
    this.#services.outbox.add({ roomId: this.#roomId, text: text.trim(), replyTo });
    this.#services.draftSync.clear(this.#roomId);
    this.update(this.#draft());
    // Other screens end the indicator when the message arrives. The server must know too: else it takes the next
    // indicator for a repetition and does not send it.
    this.#typing.end(this.#services.clock.afterPaint);
    return true;
  }

  /** The field lost the focus. */
  blur() {
    this.#typing.end();
  }

  async #save(text) {
    const { seq, text: before } = /** @type {{seq: number, text: string}} */ (this.#editing);
    if (text === before) return this.#leaveEditing();
    if (this.#services.sync.state.connection === 'offline') return this.update({ error: chatTexts.offlineEdit });
    this.update({ busy: true, canSend: false, error: '' });
    try {
      await this.#saveEdit(seq, text);
      this.#leaveEditing();
    } catch (error) {
      this.update({ ...textOf(this.state.text), busy: false, error: failureText(chatTexts.editFailed, error) });
    }
  }

  #leaveEditing() {
    this.#editing = null;
    this.update({ ...this.#draft(), error: '', busy: false });
  }

  /** The stored draft. */
  #draft() {
    return draftOf(this.#services.draftSync, this.#roomId);
  }
}

function draftOf(draftSync, roomId) {
  const reply = draftSync.reply(roomId);
  return { ...textOf(draftSync.text(roomId)), banner: reply && bannerOf('reply', reply) };
}

function bannerOf(kind, { seq, name, text }) {
  const title = kind === 'edit' ? chatTexts.editing : chatTexts.replyingTo(name);
  return Object.freeze({ kind, seq, title, text });
}

function textOf(text) {
  const left = limits.message - countCharacters(text.trim());
  const tooLong = left < 0;
  return {
    text,
    tooLong,
    canSend: text.trim() !== '' && !tooLong,
    remaining: left < SHOW_REMAINING ? left : null,
    hint: hintOf(left),
  };
}

function hintOf(left) {
  if (left < 0) return chatTexts.tooLong(-left, limits.message);
  return left < SHOW_REMAINING ? chatTexts.left(left) : '';
}

/** Reports to the server that the user starts and stops typing. */
class TypingNotices {
  #roomId;
  #services;
  #toldAt = -Infinity;
  #telling = false;
  #beginTimer = null;
  #endTimer = null;
  #toTell = null;
  #noticing = false;

  /** @param {string} roomId @param {object} services `api`, `clock` */
  constructor(roomId, services) {
    this.#roomId = roomId;
    this.#services = services;
  }

  /** A key was pressed. */
  tell() {
    const { clock } = this.#services;
    clock.clearTimeout(this.#endTimer);
    this.#endTimer = clock.setTimeout(() => this.end(), TYPING_ENDS);
    if (clock.now() - this.#toldAt < TYPING_AGAIN) return;
    this.#beginTimer ??= clock.setTimeout(() => this.#begin(), TYPING_BEGINS);
  }

  /** Typing ended. @param {(act: () => void) => void} [wait] schedules the request, if not now */
  end(wait = (act) => act()) {
    const { clock } = this.#services;
    clock.clearTimeout(this.#endTimer);
    clock.clearTimeout(this.#beginTimer);
    this.#beginTimer = null;
    if (!this.#telling) return;
    this.#telling = false;
    this.#toldAt = -Infinity;
    wait(() => this.#notice(false));
  }

  #begin() {
    this.#beginTimer = null;
    this.#toldAt = this.#services.clock.now();
    this.#telling = true;
    this.#notice(true);
  }

  /** One request at a time, so that they stay in order; of later ones only the last is sent. */
  async #notice(typing) {
    this.#toTell = typing;
    if (this.#noticing) return;
    this.#noticing = true;
    while (this.#toTell !== null) {
      const next = this.#toTell;
      this.#toTell = null;
      // A lost request does no harm: the indicator is renewed, and expires on the server.
      await this.#services.api.typing(this.#roomId, next).catch(() => {});
    }
    this.#noticing = false;
  }
}
