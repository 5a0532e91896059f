/**
 * Alle Texte auf Deutsch, in der Form von `js/models/texts.js`. Angeredet wird mit du.
 * Was von einer Zahl oder einem Namen abhängt, ist eine Funktion.
 */

const plural = (count, one, many) => (count === 1 ? one : many);

export const texts = {
  appName: 'Hubbub',

  months: [
    'Januar', 'Februar', 'März', 'April', 'Mai', 'Juni',
    'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember',
  ],
  weekdays: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],

  time: {
    today: 'Heute',
    yesterday: 'Gestern',
    date: (day, month, year) => `${day}. ${month} ${year}`,
    shortDate: (day, month) => `${day}. ${shortMonth(month)}`,
    shortDateWithYear: (day, month, year) => `${day}. ${shortMonth(month)} ${year}`,
    shortWeekday: (weekday) => weekday.slice(0, 2),
    full: (weekday, date, hour) => `${weekday}, ${date}, ${hour}`,
    agoMinutes: (count) => `vor ${count} ${plural(count, 'Minute', 'Minuten')}`,
    agoHours: (count) => `vor ${count} ${plural(count, 'Stunde', 'Stunden')}`,
    agoDays: (count) => `vor ${count} ${plural(count, 'Tag', 'Tagen')}`,
    justNow: 'gerade eben',
  },

  views: {
    navigation: 'Hauptnavigation',
    back: 'Zurück',
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
    jumpToDate: 'Zu einem Datum springen',
    go: 'Los',
    copyInvite: 'Einladungslink kopieren',
    copyFailed: 'Kopieren fehlgeschlagen',
    sayHello: (name) => `Sag ${name} hallo.`,
    noMessages: 'Noch keine Nachrichten',
    usersTab: 'Alle',
    followersTab: 'Follower',
    followingTab: 'Gefolgt',
    orgTab: 'Organisation',
    listKinds: 'Welche Liste',
    ofLogin: 'GitHub-Benutzername',
    ofOrg: 'GitHub-Organisation',
    show: 'Anzeigen',
    hide: 'Verbergen',
    welcome: 'Willkommen bei Hubbub',
    welcomeHint: 'Chatte mit den Leuten, die du von GitHub kennst.',
    join: 'Bei Hubbub mitmachen',
    joinHint: 'Ein Name, eine E-Mail-Adresse, ein Passwort: mehr braucht es nicht.',
    continueWithGitHub: 'Weiter mit GitHub',
    orEmail: 'oder mit E-Mail',
    newHere: 'Neu hier?',
    createOne: 'Erstell ein Konto',
    knownHere: 'Schon ein Konto?',
    toSignIn: 'Melde dich an',
    byInvite: 'Neue Konten gibt es nur mit Einladung.',
    optional: 'freiwillig',
    passwordRule: 'Mindestens 8 Zeichen.',
    profile: 'Dein Profil',
    profileHint: 'So sehen dich andere. Ein neuer Name erscheint sofort überall.',
    thisDevice: 'Dieses Gerät',
    signOutHint:
      'Beim Abmelden wird auch gelöscht, was dieser Browser aufbewahrt: Entwürfe, wartende Nachrichten und gespeicherte Chats.',
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

  session: {
    signIn: 'Anmelden',
    signUp: 'Konto erstellen',
    email: 'E-Mail',
    password: 'Passwort',
    firstName: 'Vorname',
    lastName: 'Nachname',
    emailMissing: 'Gib deine E-Mail-Adresse ein.',
    emailInvalid: 'Das sieht nicht nach einer E-Mail-Adresse aus.',
    emailTaken: 'Mit dieser Adresse gibt es schon ein Konto.',
    passwordMissing: 'Gib dein Passwort ein.',
    passwordShort: 'Mindestens 8 Zeichen.',
    passwordLong: 'Höchstens 256 Zeichen.',
    passwordCommon: 'Dieses Passwort benutzen zu viele. Wähl ein anderes.',
    firstNameMissing: 'Gib deinen Vornamen ein.',
    nameLong: 'Höchstens 100 Zeichen.',
    invalid: 'Bitte korrigiere das.',
    wrong: 'E-Mail oder Passwort ist falsch.',
    closed: 'Hier können keine neuen Konten erstellt werden. Frag den Betreiber nach einer Einladung.',
    slowDown: (time) => `Zu viele Versuche. Versuch es um ${time} Uhr noch einmal.`,
    slowDownSoon: 'Zu viele Versuche. Versuch es in einer Minute noch einmal.',
  },

  problem: {
    network: 'Hubbub ist nicht erreichbar. Prüf deine Verbindung.',
    timeout: 'Hubbub hat zu lange nicht geantwortet.',
    unauthenticated: 'Du bist abgemeldet.',
    forbidden: 'Das darfst du nicht.',
    notFound: 'Das gibt es nicht (mehr).',
    server: 'Auf dem Server ist etwas schiefgegangen.',
    slowDown: 'Das war zu viel auf einmal. Versuch es gleich noch einmal.',
    retry: 'Noch einmal',
  },

  chats: {
    label: 'Chats',
    you: 'Du: ',
    said: (name) => `${name}: `,
    draft: 'Entwurf: ',
    mentioned: 'Du wurdest erwähnt',
    actions: (name) => `Aktionen für ${name}`,
    empty: 'Noch keine Chats. Finde jemanden, den du von GitHub kennst.',
    findPeople: 'Leute finden',
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
    label: 'Leute',
    search: 'Suche',
    users: 'Leute',
    followers: (login) => `Follower von ${login}`,
    following: (login) => `Denen ${login} folgt`,
    org: (name) => `Mitglieder von ${name}`,
    results: (query) => `Ergebnisse für „${query}“`,
    rateLimited: 'GitHubs Anfragelimit ist erreicht.',
    resetsAt: (time) => `Um ${time} Uhr geht es weiter.`,
    countdown: (span) => `Neuer Versuch in ${span}`,
    failed: 'GitHubs Antwort konnte nicht geladen werden.',
    loadFailed: 'Die Liste konnte nicht geladen werden.',
    notFound: 'Unter diesem Namen kennt GitHub niemanden.',
    stored: (age) => `Gespeichert ${age}`,
    storedSome: 'Früher gespeichert',
    debugStatus: (status) => `Status ${status}`,
    debugRequest: (id) => `Anfrage ${id}`,
    emptyUsers: 'Hier ist noch niemand',
    emptyFollowers: (login) => `Noch folgt niemand ${login}`,
    emptyFollowing: (login) => `${login} folgt noch niemandem`,
    emptyOrg: (name) => `${name} hat keine öffentlichen Mitglieder`,
    emptySearch: (query) => `Niemand gefunden für „${query}“`,
    member: 'Bei diesem Hubbub',
    loading: 'Leute werden geladen',
    loadingMore: 'Weitere Leute werden geladen',
    end: 'Das sind alle.',
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
    members: (count) => `${count} ${plural(count, 'Mitglied', 'Mitglieder')}`,
    empty: 'Noch keine Nachrichten. Sag hallo.',
    waiting: (name) => `${name} ist noch nicht bei diesem Hubbub. Deine Nachrichten warten dort.`,
    missing: 'Diesen Chat gibt es nicht, oder du bist nicht dabei.',
    deleted: 'Diese Nachricht wurde gelöscht',
    edited: 'bearbeitet',
    newLine: 'Neu',
    newBelow: (count) => (count === 0 ? '' : `${count} neu`),
    jumpToLatest: 'Zur neuesten Nachricht springen',
    loadFailed: 'Die Nachrichten konnten nicht geladen werden.',
    retry: 'Noch einmal',
    remove: 'Löschen',
    loading: 'Nachrichten werden geladen',
    choose: 'Wähl einen Chat oder finde jemanden auf GitHub.',
    arrived: (name, text) => `${name}: ${text}`,
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
    'rate-limited': 'Zu viele Nachrichten auf einmal.',
    server: 'Der Server hatte eine Minute lang ein Problem.',
    network: 'Der Server war eine Minute lang nicht erreichbar.',
  },

  composer: {
    label: 'Nachricht',
    placeholder: 'Nachricht',
    send: 'Senden',
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
  },

  shell: {
    title: (count, name) => [count > 0 ? `(${count}) ` : '', name ? `${name} · ` : '', 'Hubbub'].join('').replaceAll('\u00AD', ''),
    open: 'Öffnen',
    dismiss: 'Ausblenden',
  },

  settings: {
    label: 'Einstellungen',
    save: 'Speichern',
    saved: 'Gespeichert',
    signOut: 'Abmelden',
    theme: 'Darstellung',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    signOutFailed: 'Du bist noch angemeldet: Der Server war nicht erreichbar.',
  },
};

/** Kurze Monate bleiben ganz: 'Mai', 'Juni', 'März', aber 'Sept.' */
function shortMonth(month) {
  if (month.length <= 4) return month;
  return `${month.slice(0, month === 'September' ? 4 : 3)}.`;
}

/** Ein Satz für eine fehlgeschlagene Anfrage. @param {{kind?: string}} error @returns {string} */
export function problemText(error) {
  const known = {
    network: texts.problem.network,
    timeout: texts.problem.timeout,
    unauthenticated: texts.problem.unauthenticated,
    forbidden: texts.problem.forbidden,
    'not-found': texts.problem.notFound,
    'rate-limited': texts.problem.slowDown,
  };
  return known[error.kind] ?? texts.problem.server;
}

/** Wer in einem Chat gerade schreibt; '' wenn niemand. @param {{kind: string}} room @param {string[]} names */
export function typingText(room, names) {
  if (names.length === 0) return '';
  if (room.kind === 'direct') return texts.chats.typing;
  return names.length === 1 ? texts.chats.nameTyping(names[0]) : texts.chats.namesTyping(names.length);
}
