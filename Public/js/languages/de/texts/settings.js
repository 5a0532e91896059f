/** Texte der Einstellungen über Namen und Darstellung hinaus. */

export const settingsTexts = {
  list: {
    label: 'Abschnitte der Einstellungen',
    names: {
      profile: 'Profil', account: 'Konto', notifications: 'Benachrichtigungen', privacy: 'Privatsphäre',
      sessions: 'Sitzungen', appearance: 'Darstellung', device: 'Dieses Gerät',
    },
  },
  label: 'Einstellungen',
  signOut: 'Abmelden',
  theme: 'Darstellung',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  signOutFailed: 'Du bist noch angemeldet: Der Server war nicht erreichbar.',
  profileHint: 'So sehen dich andere. Ein neuer Name erscheint sofort überall.',
  handle: 'Erwähnungsname',
  handleHint: 'Was nach dem @ steht, wenn du erwähnt wirst. Auch deine früheren führen zu dir.',
  handleTaken: 'Diesen Namen hat schon jemand.',
  handleInvalid: 'Buchstaben, Ziffern, Binde- und Unterstriche, höchstens 50; vorn ein Buchstabe oder eine Ziffer.',
  thisDevice: 'Dieses Gerät',
  signOutHint:
    'Beim Abmelden wird auch gelöscht, was dieser Browser aufbewahrt: '
      + 'Entwürfe, wartende Nachrichten und gespeicherte Chats.',
  email: {
    heading: 'E-Mail-Adresse',
    none: 'Dein Konto hat keine E-Mail-Adresse.',
    set: 'E-Mail-Adresse angeben',
    change: 'E-Mail-Adresse ändern',
    field: 'Neue E-Mail-Adresse',
    password: 'Passwort, damit sicher ist, dass du es bist',
    changed: (email) => `Deine Adresse ist jetzt ${email}.`,
    same: 'Das ist schon deine Adresse.',
    wrong: 'Das ist nicht dein Passwort.',
  },
  password: {
    heading: 'Passwort',
    hint: 'Ein neues Passwort beendet alle anderen Sitzungen.',
    none: 'Dein Konto hat kein Passwort: Du meldest dich mit GitHub an.',
    set: 'Passwort festlegen',
    done: 'Dein Passwort ist festgelegt. Alle anderen Sitzungen sind beendet.',
    change: 'Passwort ändern',
    current: 'Bisheriges Passwort',
    next: 'Neues Passwort',
    rule: 'Andere Sitzungen werden beendet.',
    changed: 'Dein Passwort ist geändert. Alle anderen Sitzungen sind beendet.',
    stillIn: (login) => ` Das GitHub-Konto ${login} meldet weiter hier an: gehört es dir nicht, trenne es oben.`,
    wrong: 'Das ist nicht dein bisheriges Passwort.',
    missing: 'Gib dein bisheriges Passwort ein.',
    missingNext: 'Gib ein neues Passwort ein.',
    same: 'Das ist schon dein bisheriges Passwort.',
  },
  privacy: {
    heading: 'Privatsphäre',
    receipts: 'Lesebestätigungen',
    receiptsHint:
      'Gilt in beide Richtungen: '
        + 'Ausgeschaltet sehen andere nicht, was du gelesen hast, und du siehst es nicht von ihnen.',
    lastSeen: 'Online und zuletzt online',
    lastSeenHint:
      'Gilt in beide Richtungen: '
        + 'Ausgeschaltet sehen andere nicht, wann du hier bist, und du siehst es nicht von ihnen.',
    addedBy: 'Wer dich zu Gruppen hinzufügen darf',
    addedByHints: {
      everybody: 'Alle hier können dich hinzufügen.',
      known: 'Leute, denen du geschrieben hast oder mit denen du in einer privaten Gruppe bist. Andere laden dich ein.',
      nobody: 'Du kommst durch eine Einladung, oder trittst öffentlichen Gruppen selbst bei.',
    },
    addedByNames: { everybody: 'Alle', known: 'Bekannte', nobody: 'Niemand' },
  },
  offline: {
    heading: 'Ohne Netz',
    hint:
      'Deine neuesten Nachrichten werden auf diesem Gerät aufbewahrt, damit sie auch ohne Netz da sind. '
        + 'Beim Abmelden werden sie entfernt.',
    nothingKept: 'Dieser Browser lässt nichts aufbewahren: Ohne Netz gibt es nichts zu zeigen.',
    kept: 'Nachrichten, die je Chat aufbewahrt werden',
    page: 'Nachrichten, die auf einmal geladen werden',
  },
  language: {
    heading: 'Sprache',
    field: 'Sprache von Hubbub',
    apply: 'Diese Sprache nehmen',
    hint: 'Die Seite wird in ihr neu geladen. Nachrichten bleiben, wie sie geschrieben wurden.',
    failed: 'Die Sprache ist nicht geändert.',
  },
  sessions: {
    heading: 'Sitzungen',
    hint: 'Wo du angemeldet bist.',
    loading: 'Deine Sitzungen werden geladen',
    loadFailed: 'Deine Sitzungen konnten nicht geladen werden.',
    current: 'Dieser Browser · ',
    signedIn: (when) => `Angemeldet ${when}`,
    lastUsed: (when) => `zuletzt benutzt ${when}`,
    end: 'Beenden',
    endLabel: (name, when) => `Die Sitzung von ${name} beenden, angemeldet ${when}`,
    endOthers: 'Alle anderen Sitzungen beenden',
    ended: 'Die Sitzung ist beendet.',
    endedOthers: 'Alle anderen Sitzungen sind beendet.',
    none: 'Sonst bist du nirgends angemeldet.',
    unknown: 'Unbekannter Browser',
    on: (browser, system) => `${browser} auf ${system}`,
  },
};
