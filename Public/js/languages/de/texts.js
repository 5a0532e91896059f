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
    today: 'Heute',
    yesterday: 'Gestern',
    full: (weekday, date, hour) => `${weekday}, ${date}, ${hour}`,
    justNow: 'gerade eben',
  },

  views: {
    navigation: 'Hauptnavigation',
    skip: 'Navigation überspringen',
    back: 'Zurück',
    cancel: 'Abbrechen',
    close: 'Schließen',
    save: 'Speichern',
    saved: 'Gespeichert',
    toChats: 'Zu deinen Chats',
    toList: 'Zurück zur Liste',
    you: 'Du',
    newChat: 'Neuer Chat',
    noChats: 'Noch keine Chats',
    noChatsHint: 'Finde jemanden, den du von GitHub kennst, und sag hallo.',
    find: 'Jemanden finden',
    chooseTitle: 'Noch nichts geöffnet',
    chooseHint: 'Wähl einen Chat aus der Liste oder schreib jemand Neuem.',
    choosePerson: 'Mit wem möchtest du reden?',
    choosePersonHint: 'Wähl jemanden aus. Wer noch nicht hier ist, findet deine Nachrichten nach dem Anmelden.',
    loadingChats: 'Deine Chats werden geladen',
    resizeList: 'Breite der Liste',
    notifications: 'Hinweise',
    go: 'Los',
    copyInvite: 'Einladungslink kopieren',
    copyFailed: 'Kopieren fehlgeschlagen',
    noMessages: 'Noch keine Nachrichten',
    show: 'Anzeigen',
    hide: 'Verbergen',
    profile: 'Dein Profil',
    lostTitle: 'Hier ist nichts',
    lostHint: 'Vielleicht ist die Adresse falsch geschrieben, oder das Ziel gibt es nicht mehr.',
    startFailed: 'Hubbub konnte nicht starten',
    partFailed: 'Diese Seite ist nicht angekommen',
    partFailedHint: 'Prüf die Verbindung und versuch es noch einmal.',
    startFailedHint: 'Ein Teil der App ist nicht angekommen. Prüf die Verbindung und lade die Seite neu.',
    reload: 'Neu laden',
  },

  /** Mit weichen Trennstrichen, denn die Leiste ist schmal. */
  sections: { chats: 'Chats', people: 'Leute', news: 'Neuig\u00ADkeiten', settings: 'Einstel\u00ADlungen' },

  person: { unknown: 'Unbekannt', online: 'Ist online' },

  problem: {
    network: 'Hubbub ist nicht erreichbar. Prüf deine Verbindung.',
    timeout: 'Hubbub hat zu lange nicht geantwortet.',
    unauthenticated: 'Du bist abgemeldet.',
    forbidden: 'Das darfst du nicht.',
    'not-found': 'Das gibt es nicht (mehr).',
    server: 'Auf dem Server ist etwas schiefgegangen.',
    'rate-limited': 'Das war zu viel auf einmal. Versuch es gleich noch einmal.',
    retry: 'Noch einmal',
    notSaved: 'Das wurde nicht gespeichert.',
    notLoaded: 'Das konnte nicht geladen werden.',
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
    resetsAt: (time) => `Um ${time} Uhr geht es weiter.`,
    loadFailed: 'Die Liste konnte nicht geladen werden.',
    openFailed: (name) => `Der Chat mit ${name} konnte nicht geöffnet werden.`,
    limitedUntil: (time) => `GitHub antwortet um ${time} Uhr wieder.`,
    member: 'Bei diesem Hubbub',
    copy: 'Kopieren',
    copied: 'Kopiert',
  },

  conversation: {
    label: 'Nachrichten',
    online: 'ist online',
    login: (login) => `@${login} auf GitHub`,
    lastSeen: (when) => `zuletzt online ${when}`,
    lastSeenToday: (hour) => `heute um ${hour} Uhr`,
    lastSeenYesterday: (hour) => `gestern um ${hour} Uhr`,
    lastSeenDate: (date) => `am ${date}`,
    members: (count) => `${number.format(count)} ${plural(count, 'Mitglied', 'Mitglieder')}`,
    waiting: (name) => `${name} ist noch nicht bei diesem Hubbub. Deine Nachrichten warten dort.`,
    missing: 'Diesen Chat gibt es nicht, oder du bist nicht dabei.',
    deleted: 'Diese Nachricht wurde gelöscht',
    edited: 'bearbeitet',
    newLine: 'Neu',
    newBelow: (count) => (count === 0 ? '' : `${count} neu`),
    jumpToLatest: 'Zur neuesten Nachricht springen',
    loadFailed: 'Die Nachrichten konnten nicht geladen werden.',
    remove: 'Löschen',
    loading: 'Nachrichten werden geladen',
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
    open: 'Öffnen',
    dismiss: 'Ausblenden',
  },
};
