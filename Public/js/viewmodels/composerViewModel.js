import { countCharacters } from '../models/format.js';
import { Observable } from '../models/observableArray.js';
import { chatTexts, failureText } from '../models/texts/conversation.js';
import { TypingNotices } from './typingNotices.js';

export const LONGEST_MESSAGE = 10_000;
const SHOW_REMAINING = 500;

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
  #onEdited;
  /** The message being edited: `{seq, text}`. */
  #editing = null;

  /**
   * @param {string} roomId
   * @param {object} services `api`, `messageApi`, `outbox`, `draftSync`, `sync`, `clock`
   * @param {(message: object) => void} [onEdited] called with the server's answer to an edit
   */
  constructor(roomId, services, onEdited = () => {}) {
    this.#roomId = roomId;
    this.#services = services;
    this.#onEdited = onEdited;
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
    this.#typing.end();
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
      const { body } = await this.#services.messageApi.edit(this.#roomId, seq, text);
      this.#onEdited(body);
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
