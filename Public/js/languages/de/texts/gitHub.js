/** Texte zum Anmelden mit GitHub und zum Verknüpfen eines GitHub-Kontos. */

export const gitHubTexts = {
  heading: 'GitHub',
  hint: 'Verknüpf dein GitHub-Konto, um dich damit anzumelden. Nachrichten, die darauf warten, kommen dann zu dir.',
  linked: (login) => `Verknüpft mit @${login}`,
  linkedHint: 'Du kannst dich damit anmelden, und Leute auf GitHub finden dich hier.',
  link: 'GitHub-Konto verknüpfen',
  unlink: 'Verknüpfung lösen',
  unlinkTitle: (login) => `Verknüpfung mit @${login} lösen?`,
  unlinkHints: [
    'Du meldest dich dann mit E-Mail und Passwort an.',
    'Deine Chats bleiben. Wer später diesem GitHub-Konto schreibt, erreicht nicht mehr dich.',
  ],
  unlinked: 'Dein GitHub-Konto ist nicht mehr verknüpft.',
  onlyWay:
    'Nur über GitHub kommst du herein. '
      + 'Um die Verknüpfung zu lösen, gib diesem Konto unten zuerst eine E-Mail-Adresse und ein Passwort.',
  notSetUp:
    'Noch kann sich hier niemand mit GitHub anmelden: '
      + 'Es gibt keine OAuth-Anwendung, oder dieses Hubbub kennt seine eigene Adresse nicht. '
    + 'Setz HUBBUB_GITHUB_CLIENT_ID, HUBBUB_GITHUB_CLIENT_SECRET und HUBBUB_PUBLIC_URL. Nur Admins sehen das.',
  again: 'Noch einmal mit GitHub anmelden',
  recent:
    'Damit sicher ist, dass du es bist: '
      + 'Melde dich noch einmal mit GitHub an und versuch es dann innerhalb von fünfzehn Minuten.',

  failures: {
    denied:
      'Du hast bei GitHub abgelehnt, also ist nichts geschehen. Versuch es noch einmal oder nimm deine E-Mail-Adresse.',
    expired: 'Das hat zu lange gedauert oder wurde schon benutzt. Versuch es noch einmal.',
    unverified:
      'GitHub hat deine E-Mail-Adresse noch nicht bestätigt. '
        + 'Hol das in GitHubs Einstellungen nach und versuch es noch einmal.',
    misconfigured:
      'Das Anmelden mit GitHub ist hier nicht richtig eingerichtet. '
        + 'Wer dieses Hubbub betreibt, findet den Grund im Protokoll.',
    unavailable: 'GitHub ist gerade nicht zu fragen. Versuch es in ein paar Minuten noch einmal.',
    closed: 'Zurzeit werden hier keine neuen Konten erstellt. Wer dieses Hubbub betreibt, kann dir helfen.',
    invite:
      'Für ein Konto brauchst du hier eine Einladung. Öffne den Link, den du bekommen hast, oder bitte um einen neuen.',
    state:
      'Das hat nicht in diesem Browser begonnen, oder inzwischen hat sich jemand anderes angemeldet. '
        + 'Versuch es noch einmal.',
    taken:
      'Dieses GitHub-Konto gehört hier zu einem anderen Konto. '
        + 'Melde dich damit an, um zu sehen zu welchem, oder wähl ein anderes.',
    linked: 'Ein anderes GitHub-Konto ist schon verknüpft. Lös zuerst diese Verknüpfung.',
  },
};
