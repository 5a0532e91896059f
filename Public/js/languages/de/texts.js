/**
 * Alle Texte auf Deutsch, in der Form von `js/models/texts.js`. Angeredet wird mit du.
 * Was von einer Zahl oder einem Namen abhängt, ist eine Funktion.
 */

export const locale = 'de';
export const number = new Intl.NumberFormat(locale);
export const list = new Intl.ListFormat(locale);
const rules = new Intl.PluralRules(locale);
export const plural = (count, one, many) => (rules.select(count) === 'one' ? one : many);

export const texts = {
  appName: 'Hubbub',

  time: {
    full: (weekday, date, hour) => `${weekday}, ${date}, ${hour}`,
  },

  views: {
    navigation: 'Hauptnavigation',
    skip: 'Navigation überspringen',
    toList: 'Zurück zur Liste',
    newChat: 'Neuer Chat',
    noChats: 'Noch keine Chats',
    noChatsHint: 'Finde jemanden, den du von GitHub kennst, und sag hallo.',
    find: 'Jemanden finden',
    chooseTitle: 'Noch nichts geöffnet',
    chooseHint: 'Wähl einen Chat aus der Liste oder schreib jemand Neuem.',
    loadingChats: 'Deine Chats werden geladen',
    resizeList: 'Breite der Liste',
    notifications: 'Hinweise',
    noMessages: 'Noch keine Nachrichten',
    profile: 'Dein Profil',
    startFailed: 'Hubbub konnte nicht starten',
    partFailed: 'Diese Seite ist nicht angekommen',
    partFailedHint: 'Prüf die Verbindung und versuch es noch einmal.',
    startFailedHint: 'Ein Teil der App ist nicht angekommen. Prüf die Verbindung und lade die Seite neu.',
    reload: 'Neu laden',
  },

  /** Mit weichen Trennstrichen, denn die Leiste ist schmal. */
  sections: { chats: 'Chats', people: 'Leute', news: 'Neuig\u00ADkeiten', settings: 'Einstel\u00ADlungen' },

  person: { unknown: 'Unbekannt' },

  problem: {
    network: 'Hubbub ist nicht erreichbar. Prüf deine Verbindung.',
    timeout: 'Hubbub hat zu lange nicht geantwortet.',
    unauthenticated: 'Du bist abgemeldet.',
    forbidden: 'Das darfst du nicht.',
    'not-found': 'Das gibt es nicht (mehr).',
    server: 'Auf dem Server ist etwas schiefgegangen.',
    'rate-limited': 'Das war zu viel auf einmal. Versuch es gleich noch einmal.',
    retry: 'Noch einmal',
  },

  chats: {
    you: 'Du: ',
    said: (name) => `${name}: `,
    draft: 'Entwurf: ',
    mentioned: 'Du wurdest erwähnt',
    actions: (name) => `Aktionen für ${name}`,
    deletedPreview: 'Nachricht gelöscht',
    typing: 'schreibt …',
    nameTyping: (name) => `${name} schreibt …`,
    namesTyping: (count) => `${count} Leute schreiben …`,
    unread: (count) => (count === 0 ? '' : count > 99 ? '99+' : String(count)),
    unreadLabel: (count) => `${count} ungelesene ${plural(count, 'Nachricht', 'Nachrichten')}`,
    muted: 'Stummgeschaltet',
    pinned: 'Angeheftet',
    loadFailed: 'Deine Chats konnten nicht geladen werden.',
  },

  people: {
    search: 'Suche',
  },

  states: {
    unsent: 'Noch nicht gesendet',
    sent: 'Gesendet',
    delivered: 'Zugestellt',
    read: 'Gelesen',
    failed: 'Nicht gesendet',
    received: '',
  },

  failures: {
    'too-long': 'Sie ist zu lang.',
    removed: 'Du bist nicht mehr in diesem Chat.',
    forbidden: 'Hier darfst du nicht schreiben.',
    'signed-out': 'Du wurdest abgemeldet.',
    conflict: 'Ihre Nummer war schon vergeben. „Noch einmal“ sendet sie neu.',
    invalid: 'Der Server hat sie nicht angenommen.',
    server: 'Der Server hatte eine Minute lang ein Problem.',
    network: 'Der Server war eine Minute lang nicht erreichbar.',
  },

  connection: {
    label: 'Verbindung',
    online: '',
    connecting: 'Verbinde …',
    offline: 'Keine Verbindung',
    back: 'Wieder verbunden',
    failed: (text, why) => `Nicht gesendet: ${text}. ${why}`,
    offlineWaiting: (count) => `Keine Verbindung, ${count} ${plural(count, 'Nachricht wartet', 'Nachrichten warten')}`,
    sending: (count) => `${count} ${plural(count, 'Nachricht wird', 'Nachrichten werden')} gesendet …`,
    slowedDown: 'Zu viele Nachrichten auf einmal. Der Rest folgt von selbst.',
    paused: (count, span) => `${count} ${plural(count, 'Nachricht wartet', 'Nachrichten warten')}, weiter in ${span}`,
  },

  shell: {
    title: (count, name) => [count > 0 ? `(${count}) ` : '', name ? `${name} · ` : '', 'Hubbub'].join('')
      .replaceAll('\u00AD', ''),
  },
};
