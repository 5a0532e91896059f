/**
 * Meldungen des Servers auf Deutsch, soweit Leute sie zu sehen bekommen. Schlüssel ist der englische Satz; `*` darin
 * steht für einen Namen oder eine Zahl.
 */
const told = {
  // Gruppen
  'Only the owner and admins can do this in this group.': 'Um diese Gruppe kümmern sich Eigentümer und Admins.',
  'Only the owner can appoint admins.': 'Nur wem die Gruppe gehört, ernennt Admins.',
  'Only the owner can change roles.': 'Nur wem die Gruppe gehört, ändert Rollen.',
  'Only the owner can remove or ban admins, and nobody the owner.':
    'Über Admins entscheidet nur, wem die Gruppe gehört, und darüber niemand.',
  'This person is banned from the group. Lift the ban first.':
    'Diese Person ist in der Gruppe gesperrt. Heb zuerst die Sperre auf.',
  'A group must have an owner. Transfer it to another member first.':
    'Eine Gruppe gehört immer jemandem. Übergib sie zuerst einem anderen Mitglied.',
  'A group can be transferred only to one of its members.': 'Eine Gruppe wird an eines ihrer Mitglieder übergeben.',
  'You are banned from this group.': 'Du bist in dieser Gruppe gesperrt.',
  'You cannot ban yourself.': 'Dich selbst kannst du nicht sperren.',
  'A group has at most * members.': 'Eine Gruppe hat höchstens * Mitglieder.',
  'A direct chat has exactly two people, and no settings of its own.':
    'Ein Zweierchat hat seine zwei Leute und nichts Eigenes, das sich ändern ließe.',
  'Name at most * people, and add the others later.': 'Nenn höchstens * Leute und füg die anderen später hinzu.',
  'There is no such person.': 'Diese Person gibt es nicht.',
  'Use at most * characters.': 'Nimm höchstens * Zeichen.',
  'This cannot contain line breaks or control characters.':
    'Zeilenumbrüche und Steuerzeichen sind hier nicht möglich.',
  'A name cannot contain control characters.': 'Ein Name kann keine Steuerzeichen enthalten.',
  // Einladungen
  'Nobody else can join a direct chat.': 'In einen Zweierchat kann sonst niemand kommen.',
  'Only the owner and admins can invite people to this group.': 'In diese Gruppe laden Eigentümer und Admins ein.',
  'Only admins can invite people to this Hubbub.': 'Zu diesem Hubbub laden nur Admins ein.',
  'Nobody can sign up on this Hubbub, so invitations are of no use.':
    'Einladungen führen hier nirgendwohin: Konten entstehen bei diesem Hubbub anders.',
  'This invitation is for a group only. Ask an admin for one that creates an account.':
    'Diese Einladung führt nur in eine Gruppe. Bitte einen Admin um eine für ein Konto.',
  'This invitation is for people without an account.': 'Diese Einladung ist für Leute ohne Konto.',
  // GitHub
  'GitHub sign-in is not configured here. The operator of this Hubbub can do that.':
    'Das Anmelden mit GitHub ist hier nicht eingerichtet. Das kann, wer dieses Hubbub betreibt.',
  'GitHub redirects to *. Open Hubbub there to link your account.':
    'GitHub führt zurück zu *. Öffne Hubbub dort, um dein Konto zu verknüpfen.',
  'A GitHub account is linked already. Unlink it first.':
    'Ein GitHub-Konto ist schon verknüpft. Lös zuerst diese Verknüpfung.',
  'GitHub is the only way to sign in to this account. Set an email address and a password first.':
    'Nur über GitHub führt ein Weg in dieses Konto. Gib ihm zuerst eine E-Mail-Adresse und ein Passwort.',
  // Suche
  'Nobody here is called *. Write a login or name, such as from:octocat.':
    'Hier heißt niemand *. Schreib einen Benutzernamen oder Namen, etwa from:octocat.',
  'You have no chat called *. Write the name of one of yours, such as in:general.':
    'Du bist in keinem Chat namens *. Schreib den Namen eines deiner Chats, etwa in:general.',
  'Messages can be searched by has:link, has:code and has:mention.':
    'Nachrichten lassen sich mit has:link, has:code und has:mention suchen.',
  'Write a login or name, such as from:octocat.': 'Schreib einen Benutzernamen oder Namen, etwa from:octocat.',
  'Write a chat\'s name, such as in:general.': 'Schreib den Namen eines Chats, etwa in:general.',
  'Write a day, such as before:2026-03-14.': 'Schreib einen Tag, etwa before:2026-03-14.',
  'Write a day, such as after:2026-03-14.': 'Schreib einen Tag, etwa after:2026-03-14.',
  'Write has:link, has:code or has:mention.': 'Schreib has:link, has:code oder has:mention.',
  'Write what to look for.': 'Schreib, wonach gesucht werden soll.',
  'Search for at most * characters.': 'Such nach höchstens * Zeichen.',
  'Search for at most * words or signs at a time.': 'Such nach höchstens * Wörtern oder Zeichen auf einmal.',
  'Name at most * people or rooms at a time.': 'Nenn höchstens * Leute oder Räume auf einmal.',
};

const patterns = Object.entries(told).filter(([said]) => said.includes('*')).map(([said, text]) => ({
  pattern: new RegExp(`^${said.replaceAll(/[.?(){}|^$+\\[\]]/gu, '\\$&').replace('*', '(.+)')}$`, 'u'), text,
}));

export const serverTexts = {
  said(sentence) {
    if (Object.hasOwn(told, sentence)) return told[sentence];
    for (const { pattern, text } of patterns) {
      const name = pattern.exec(sentence)?.[1];
      if (name !== undefined) return text.replace('*', () => name);
    }
    return '';
  },
};
