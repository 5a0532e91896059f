/** Texte eines offenen Chats. */
import { list, number, plural, texts } from '../texts.js';

export const chatTexts = {
  fieldLabel: 'Nachricht',
  send: 'Senden',
  sayHello: (name) => `Sag ${name} hallo.`,
  onGitHub: (login) => `@${login} auf GitHub`,
  missing: 'Diesen Chat gibt es nicht, oder du bist nicht dabei.',
  deleted: 'Diese Nachricht wurde gelöscht',
  edited: 'bearbeitet',
  newLine: 'Neu',
  newBelow: (count) => (count === 0 ? '' : `${count} neu`),
  jumpToLatest: 'Zur neuesten Nachricht springen',
  loadFailed: 'Die Nachrichten konnten nicht geladen werden.',
  discard: 'Löschen',
  loadingMessages: 'Nachrichten werden geladen',
  jumpToDate: 'Zu einem Datum springen',
  removedFrom: (by, group) => `${by} hat dich aus „${group}“ entfernt. Neue Nachrichten siehst du nicht mehr.`,
  bannedFrom: (by, group) => `${by} hat dich aus „${group}“ ausgeschlossen. Neue Nachrichten siehst du nicht mehr.`,
  notIn: (group) => `Du bist nicht mehr in „${group}“.`,
  editedAt: (when) => `Bearbeitet: ${when}`,
  originalGone: 'Diese Nachricht ist nicht mehr verfügbar.',
  forwardedFrom: (name) => `Weitergeleitet von ${name}`,
  goToOriginal: (name) => `Zur Nachricht von ${name}`,
  profileOf: (name) => `Profil von ${name}`,
  original: 'Zum Original',
  pinnedMark: 'Angeheftet',

  editing: 'Nachricht bearbeiten',
  replyingTo: (name) => `Antwort an ${name === texts.views.you ? 'dich selbst' : name}`,
  cancelEdit: 'Bearbeiten abbrechen',
  cancelReply: 'Antwort abbrechen',
  left: (count) => `Noch ${count} Zeichen`,
  tooLong: (count, most) =>
    `${count} Zeichen zu lang: Höchstens ${number.format(most)} können auf einmal gesendet werden`,

  editFailed: 'Deine Änderung ist nicht gespeichert.',
  reactFailed: 'Deine Reaktion ist nicht gespeichert.',
  deleteFailed: 'Die Nachricht ist nicht gelöscht.',
  someFailed: (failed, all) => `Bei ${failed} von ${all} Nachrichten hat es nicht geklappt.`,
  pinFailed: 'Das Anheften ist nicht geändert.',
  forwardFailed: 'Die Nachricht ist nicht weitergeleitet.',
  readersFailed: 'Wer sie gelesen hat, konnte nicht geladen werden.',
  tooManyReactions: 'Mehr verschiedene Reaktionen passen nicht an diese Nachricht.',
  offline: 'Du bist nicht verbunden. Versuch es, sobald die Verbindung wieder da ist.',
  offlineEdit:
    'Du bist nicht verbunden. Deine Änderung bleibt hier: Speichere sie, sobald die Verbindung wieder da ist.',
  gone: 'Diese Nachricht gibt es nicht mehr.',

  actions: 'Aktionen für Nachrichten',
  actionsOf: (name) => `Aktionen für die Nachricht von ${name}`,
  actionsOfOwn: 'Aktionen für deine Nachricht',
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

  codeOf: (language) => (language ? `Quelltext, ${language}` : 'Quelltext'),
  copyCode: 'Kopieren',
  codeCopied: 'Kopiert',
  wrapLines: 'Umbrechen',
  showLines: (count) => `${count} weitere zeigen`,
  table: 'Tabelle',
  footnotes: 'Fußnoten',
  done: 'Erledigt',
  notDone: 'Nicht erledigt',
  alerts: { note: 'Hinweis', tip: 'Tipp', important: 'Wichtig', warning: 'Warnung', caution: 'Vorsicht' },

  copied: 'Text kopiert',
  linkCopied: 'Link kopiert',
  copyFailed: 'Kopieren fehlgeschlagen. Markiere den Text und kopiere ihn von Hand.',

  deleteTitle: (count) => (count === 1 ? 'Diese Nachricht löschen?' : `${count} Nachrichten löschen?`),
  deleteHint: 'Für alle: Ein Hinweis bleibt, dass etwas gelöscht wurde. Nur für dich: Die anderen behalten sie.',
  deleteHintMine: 'Sie verschwindet von deinen Geräten. Die anderen behalten sie.',
  deleteForAll: 'Für alle löschen',
  deleteForMe: 'Nur für mich löschen',

  selected: (count) => `${count} ausgewählt`,
  selection: 'Ausgewählte Nachrichten',
  endSelection: 'Auswahl beenden',
  forwardSelected: 'Weiterleiten',
  deleteSelected: 'Löschen',

  forwardTitle: (count) => (count === 1 ? 'Nachricht weiterleiten an …' : `${count} Nachrichten weiterleiten an …`),
  searchChats: 'Chats durchsuchen',
  noChatFound: 'Kein Chat mit diesem Namen.',
  forwarded: (name) => `Weitergeleitet an ${name}`,
  forwarding: 'Wird weitergeleitet …',
  comment: 'Kommentar (optional)',
  forwardTo: (count) => (count > 1 ? `An ${number.format(count)} Chats weiterleiten` : 'Weiterleiten'),

  alone: 'Noch ist niemand sonst hier',
  aloneHint: 'Füge Leute hinzu, oder gib einen Link weiter: Wer ihn öffnet, ist dabei.',
  addPeople: 'Leute hinzufügen',
  copyGroupLink: 'Link kopieren',

  emojiTitle: 'Emoji auswählen',
  searchEmoji: 'Emojis durchsuchen',
  noEmoji: 'Kein Emoji mit diesem Namen.',

  pinnedBar: 'Angeheftete Nachricht',
  pinnedOf: (index, count) => `Angeheftete Nachricht ${index} von ${count}`,
  pinnedList: 'Alle angehefteten Nachrichten',
  pinnedCount: (count) => `${count} angeheftete ${plural(count, 'Nachricht', 'Nachrichten')}`,

  reactedWith: (emoji, count, mine) =>
    `${emoji} ${count} ${plural(count, 'Reaktion', 'Reaktionen')}${mine ? ', eine davon von dir' : ''}`,
  reactionsOf: 'Reaktionen',
  andMore: (names, count) => list.format([...names, `${count} weitere`]),

  readBy: (count, all) => `Von ${count} von ${all} gelesen`,
  deliveredTo: 'Zugestellt, noch nicht gelesen',
  sentTo: 'Noch nicht zugestellt',
  readersHint: 'Wer seine Lesebestätigungen für sich behält, erscheint als zugestellt.',
  loading: 'Wird geladen …',
  emoji: 'Emojis',
  suggestions: (count) => `${count} ${plural(count, 'Vorschlag', 'Vorschläge')}, Auswahl mit den Pfeiltasten`,
};

/** Was geschehen ist, und warum. @param {string} what @param {{kind?: string}} error */
export function failureText(what, error) {
  const gone = error.kind === 'not-found' || error.kind === 'conflict';
  return `${what} ${gone ? chatTexts.gone : texts.problem[error.kind] ?? texts.problem.server}`;
}
