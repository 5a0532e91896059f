/** Texte eines offenen Chats. */
import { problemText, texts } from '../texts.js';

const plural = (count, one, many) => (count === 1 ? one : many);

export const chatTexts = {
  editedAt: (when) => `Bearbeitet: ${when}`,
  originalGone: 'Diese Nachricht ist nicht mehr verfügbar.',
  forwardedFrom: (name) => `Weitergeleitet von ${name}`,
  goToOriginal: (name) => `Zur Nachricht von ${name}`,
  original: 'Zum Original',
  pinnedMark: 'Angeheftet',

  editing: 'Nachricht bearbeiten',
  replyingTo: (name) => `Antwort an ${name === texts.views.you ? 'dich selbst' : name}`,
  cancelEdit: 'Bearbeiten abbrechen',
  cancelReply: 'Antwort abbrechen',
  save: 'Speichern',
  left: (count) => `Noch ${count} Zeichen`,
  tooLong: (count) => `${count} Zeichen zu lang: Höchstens 10.000 können auf einmal gesendet werden`,

  editFailed: 'Deine Änderung ist nicht gespeichert.',
  reactFailed: 'Deine Reaktion ist nicht gespeichert.',
  deleteFailed: 'Die Nachricht ist nicht gelöscht.',
  someFailed: (failed, all) => `Bei ${failed} von ${all} Nachrichten hat es nicht geklappt.`,
  pinFailed: 'Das Anheften ist nicht geändert.',
  forwardFailed: 'Die Nachricht ist nicht weitergeleitet.',
  readersFailed: 'Wer sie gelesen hat, konnte nicht geladen werden.',
  listFailed: 'Die Liste konnte nicht geladen werden.',
  tooManyReactions: 'Mehr verschiedene Reaktionen passen nicht an diese Nachricht.',
  offline: 'Du bist nicht verbunden. Versuch es, sobald die Verbindung wieder da ist.',
  offlineEdit: 'Du bist nicht verbunden. Deine Änderung bleibt hier: Speichere sie, sobald die Verbindung wieder da ist.',
  gone: 'Diese Nachricht gibt es nicht mehr.',

  actions: 'Aktionen für Nachrichten',
  actionsOf: (name) => `Aktionen für die Nachricht von ${name}`,
  reply: 'Antworten',
  react: 'Reagieren',
  reactWith: (name) => `Mit ${name} reagieren`,
  moreEmoji: 'Weitere Emojis',
  edit: 'Bearbeiten',
  copyText: 'Text kopieren',
  copyLink: 'Link kopieren',
  forward: 'Weiterleiten …',
  pin: 'Anheften',
  unpin: 'Ablösen',
  select: 'Auswählen',
  deselect: 'Nicht mehr auswählen',
  remove: 'Löschen …',
  readers: 'Wer sie gelesen hat',
  reactors: 'Wer reagiert hat',

  copied: 'Text kopiert',
  linkCopied: 'Link kopiert',
  copyFailed: 'Kopieren fehlgeschlagen. Markiere den Text und kopiere ihn von Hand.',
  cancel: 'Abbrechen',
  close: 'Schließen',

  deleteTitle: (count) => (count === 1 ? 'Diese Nachricht löschen?' : `${count} Nachrichten löschen?`),
  deleteHint: 'Für alle: Ein Hinweis bleibt, dass etwas gelöscht wurde. Nur für dich: Die anderen behalten sie.',
  deleteHintMine: 'Sie verschwindet von deinen Geräten. Die anderen behalten sie.',
  deleteForAll: 'Für alle löschen',
  deleteForMe: 'Nur für mich löschen',

  selected: (count) => `${count} ausgewählt`,
  selection: 'Ausgewählte Nachrichten',
  endSelection: 'Auswahl beenden',
  copySelected: 'Kopieren',
  forwardSelected: 'Weiterleiten',
  deleteSelected: 'Löschen',

  forwardTitle: (count) => (count === 1 ? 'Nachricht weiterleiten an …' : `${count} Nachrichten weiterleiten an …`),
  searchChats: 'Chats durchsuchen',
  noChatFound: 'Kein Chat mit diesem Namen.',
  forwarded: (name) => `Weitergeleitet an ${name}`,
  openChat: 'Öffnen',
  forwarding: 'Wird weitergeleitet …',

  emojiTitle: 'Emoji auswählen',
  searchEmoji: 'Emojis durchsuchen',
  noEmoji: 'Kein Emoji mit diesem Namen.',
  recentEmoji: 'Häufig benutzt',
  allEmoji: 'Alle',

  pinnedBar: 'Angeheftete Nachricht',
  pinnedOf: (index, count) => `Angeheftete Nachricht ${index} von ${count}`,
  pinnedList: 'Alle angehefteten Nachrichten',
  pinnedCount: (count) => `${count} angeheftete ${plural(count, 'Nachricht', 'Nachrichten')}`,

  reactedWith: (emoji, count, mine) =>
    `${emoji} ${count} ${plural(count, 'Reaktion', 'Reaktionen')}${mine ? ', eine davon von dir' : ''}`,
  reactionsOf: 'Reaktionen',
  whoReacted: (emoji, names) => `${emoji} ${names}`,
  you: 'Du',
  and: (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} und ${names.at(-1)}`),
  andMore: (names, count) => `${names.join(', ')} und ${count} weitere`,

  readBy: (count, all) => `Von ${count} von ${all} gelesen`,
  deliveredTo: 'Zugestellt, noch nicht gelesen',
  sentTo: 'Noch nicht zugestellt',
  readersHint: 'Wer seine Lesebestätigungen für sich behält, erscheint als zugestellt.',
  loading: 'Wird geladen …',

  people: 'Leute',
  emoji: 'Emojis',
  suggestions: (count) => `${count} ${plural(count, 'Vorschlag', 'Vorschläge')}, Auswahl mit den Pfeiltasten`,
};

/** Was geschehen ist, und warum. @param {string} what @param {{kind?: string}} error */
export function failureText(what, error) {
  const gone = error.kind === 'not-found' || error.kind === 'conflict';
  return `${what} ${gone ? chatTexts.gone : error.kind ? problemText(error) : texts.problem.server}`;
}
