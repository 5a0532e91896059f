/** Was die Suche sagt. */
import { plural } from '../texts.js';

export const searchTexts = {
  results: 'Suchergebnisse',
  title: 'Alles durchsuchen',
  titleOf: (query) => (query === '' ? 'Suche' : `Suche: ${query}`),
  hint: 'Leute, Chats und Nachrichten: Wörter, „ganze Wendungen“ in Anführungszeichen, Code, Pfade, #123.',
  narrow: 'Eingrenzen',
  operators: {
    'from:': 'wer es schrieb: from:ada',
    'in:': 'in welchem Chat: in:team',
    'before:': 'vor einem Tag: before:2026-03-14',
    'after:': 'ab einem Tag: after:2026-03-14',
    'has:': 'was darin ist: has:link, has:code, has:mention',
  },
  kinds: { 'has:link': 'mit einem Link', 'has:code': 'mit Code', 'has:mention': 'die jemanden erwähnen' },
  gitHub: (query) => `Auf GitHub nach „${query}“ suchen`,
  loading: 'Es wird gesucht',
  more: 'Es wird weiter gesucht',
  nothing: (query) => `Nichts gefunden für „${query}“`,
  nothingHint: 'Mit weniger oder anderen Wörtern findet sich vielleicht mehr.',
  end: 'Das ist alles.',
  failed: 'Die Suche ist fehlgeschlagen.',
  offlineTitle: 'Keine Verbindung',
  offline:
    'Nur die Namen deiner Chats lassen sich jetzt durchsuchen. '
      + 'Der Rest folgt von selbst, sobald du wieder verbunden bist.',
  clear: 'Suche leeren',
  inside: (name) => `in ${name}`,
  publicRoom: 'Öffentliche Gruppe',
  member: (online) => (online ? 'Ist online' : 'Bei diesem Hubbub'),
  found: (count, more) =>
    count === 0 ? 'Nichts gefunden' : `${count}${more ? ' oder mehr' : ''} ${plural(count, 'Ergebnis', 'Ergebnisse')}`,
};
