import { countCharacters } from '../models/format.js';
import { Observable } from '../models/observableArray.js';
import { chatTexts, failureText } from '../models/texts/conversation.js';

export const LONGEST_MESSAGE = 10_000;
const SHOW_REMAINING = 500;
/** The server forgets a typist after 6 s: say it again before that. */
const TYPING_AGAIN = 4000;
/** Short enough to show within a second; what is sent at once by then was never typing, and no key waits for a request. */
const TYPING_BEGINS = 250;
const TYPING_ENDS = 5000;

/**
 * What is being written in one chat (K1, K3, K4, C7, S6): a message, a reply, or another text for a message that was
 * sent. It belongs to that chat: it is sent there or nowhere. While a message is edited, the draft waits.
 */
export class ComposerViewModel {
  #roomId;
  #services;
  #state;
  #typing;
  #unsubscribe;
  #saveEdit;
  /** The message being edited: `{seq, text}`. */
  #editing = null;

  /**
   * @param {string} roomId
   * @param {object} services `api`, `outbox`, `draftSync`, `sync`, `clock`
   * @param {(seq: number, text: string) => Promise<void>} saveEdit stores another text of a message; may reject
   */
  constructor(roomId, services, saveEdit) {
    this.#roomId = roomId;
    this.#services = services;
    this.#saveEdit = saveEdit;
    this.#typing = new TypingNotices(roomId, services);
    this.#state = new Observable({ busy: false, error: '', ...this.#draft() });
    this.#unsubscribe = services.draftSync.subscribe((changed) => {
      if (changed === roomId && !this.#editing) this.#state.update(this.#draft());
    });
  }

  /** @returns {import('./types.js').ComposerState} */
  get state() {
    return this.#state.state;
  }

  subscribe(listener) {
    return this.#state.subscribe(listener);
  }

  close() {
    this.#unsubscribe();
    this.leave();
  }

  /** The page is hidden or the chat left: what is written goes to the other devices now. */
  leave() {
    this.#typing.end();
    this.#services.draftSync.flush(this.#roomId);
  }

  /** The field holds this text now. */
  input(text) {
    if (text === this.state.text || this.state.busy) return;
    this.#state.update({ ...textOf(text), error: '' });
    if (this.#editing) return;
    this.#services.draftSync.set(this.#roomId, text);
    if (text.trim() === '') this.#typing.end();
    else this.#typing.tell();
  }

  /** Answers a message. @param {{seq: number, name: string, text: string}} target */
  reply({ seq, name, text }) {
    this.#services.draftSync.setReply(this.#roomId, { seq, name, text });
    this.#leaveEditing();
  }

  /** Lets one's own message be changed; the draft comes back afterwards. @param {{seq: number, text: string}} message */
  edit({ seq, text }) {
    this.#typing.end();
    this.#editing = { seq, text };
    this.#state.update({ ...textOf(text), banner: bannerOf('edit', { seq, name: '', text }), error: '', busy: false });
  }

  /** Gives up the edit, else the reply. @returns {boolean} whether there was one */
  cancel() {
    if (this.state.banner === null || this.state.busy) return false;
    if (!this.#editing) this.#services.draftSync.setReply(this.#roomId, null);
    this.#leaveEditing();
    return true;
  }

  /** Hands the text to the outbox, or saves the edit. @returns {boolean} whether the field is empty now */
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
    this.#state.update(this.#draft());
    // The message itself ends it on other screens; the server has to hear of it too, or would take the next notice
    // for a repetition and keep it to itself.
    this.#typing.end(this.#services.clock.afterPaint);
    return true;
  }

  /** The field lost the focus. */
  blur() {
    this.#typing.end();
  }

  async #save(text) {
    const { seq, text: before } = this.#editing;
    if (text === before) return this.#leaveEditing();
    if (this.#services.sync.state.connection === 'offline') return this.#state.update({ error: chatTexts.offlineEdit });
    this.#state.update({ busy: true, canSend: false, error: '' });
    try {
      await this.#saveEdit(seq, text);
      this.#leaveEditing();
    } catch (error) {
      this.#state.update({ ...textOf(this.state.text), busy: false, error: failureText(chatTexts.editFailed, error) });
    }
  }

  #leaveEditing() {
    this.#editing = null;
    this.#state.update({ ...this.#draft(), error: '', busy: false });
  }

  /** What is kept for this chat. */
  #draft() {
    const { draftSync } = this.#services;
    const reply = draftSync.reply(this.#roomId);
    return { ...textOf(draftSync.text(this.#roomId)), banner: reply && bannerOf('reply', reply) };
  }
}

function bannerOf(kind, { seq, name, text }) {
  const title = kind === 'edit' ? chatTexts.editing : chatTexts.replyingTo(name);
  return Object.freeze({ kind, seq, title, text });
}

function textOf(text) {
  const left = LONGEST_MESSAGE - countCharacters(text.trim());
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
  if (left < 0) return chatTexts.tooLong(-left);
  return left < SHOW_REMAINING ? chatTexts.left(left) : '';
}

/** Tells the others in a chat that somebody types, and that it ended (S6). */
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

  /** Nothing is typed any more. @param {(act: () => void) => void} [wait] when to say so, if not now */
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

  /** One at a time, so that none overtakes another; of those that come meanwhile the last counts. */
  async #notice(typing) {
    this.#toTell = typing;
    if (this.#noticing) return;
    this.#noticing = true;
    while (this.#toTell !== null) {
      const next = this.#toTell;
      this.#toTell = null;
      // A lost notice does no harm: the next one comes, and the server lets typing expire.
      await this.#services.api.typing(this.#roomId, next).catch(() => {});
    }
    this.#noticing = false;
  }
}
