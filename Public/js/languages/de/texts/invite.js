/** Texte der Einladungen: ihre eigene Seite, und das Anmelden mit einer. */


export const inviteTexts = {
  title: 'Einladung',
  operator: 'Wer dieses Hubbub betreibt',
  loading: 'Die Einladung wird angesehen',
  invites: (name) => `${name} lädt dich ein zu`,
  accept: 'Annehmen',
  join: (name) => `${name} beitreten`,
  joining: 'Beitritt …',
  already: 'Du bist schon in dieser Gruppe.',
  alreadyHere: 'Du hast hier schon ein Konto.',
  open: 'Den Chat öffnen',
  signUp: 'Konto erstellen',
  signInFirst: 'Um anzunehmen, melde dich an oder erstell ein Konto. Du kommst von selbst hierher zurück.',
  signInOnly: 'Um anzunehmen, melde dich an. Du kommst von selbst hierher zurück.',
  unknownTitle: 'Diese Einladung gilt nicht',
  unknown:
    'Sie ist falsch geschrieben, abgelaufen, beendet oder schon so oft benutzt, wie sie darf. Bitte um eine neue.',
  expired: 'Sie ist abgelaufen. Bitte um eine neue.',
  ended: 'Sie wurde beendet. Bitte um eine neue.',
  used: 'Sie wurde schon so oft benutzt, wie sie darf. Bitte um eine neue.',
  bannedTitle: 'Du kannst nicht beitreten',
  banned: 'Du bist in dieser Gruppe gesperrt. Nur ihre Admins können das ändern.',
  full: 'Die Gruppe ist voll.',
  fieldHint: 'Der Link oder Code, den du bekommen hast.',
  missing: 'Gib deine Einladung ein.',
  why: (code) =>
    ['expired', 'used', 'ended'].includes(code)
      ? `${inviteTexts.unknownTitle}. ${inviteTexts[code]}` : inviteTexts.wrong,
  wrong: 'Diese Einladung gilt nicht. Prüf sie oder bitte um eine neue.',
  invitedBy: (name) => `${name} lädt dich ein.`,
  invitedTo: (name, room) => `${name} lädt dich zu ${room} ein.`,

  closedTitle: 'Keine neuen Konten',
  closed: 'Zurzeit werden hier keine neuen Konten erstellt. Wer dieses Hubbub betreibt, kann dir helfen.',
  gitHubTitle: 'Komm mit GitHub herein',
  gitHub: 'Konten kommen hier von GitHub: Melde dich mit deinem an, mehr braucht es nicht.',
  gitHubMissing:
    'Konten kommen hier von GitHub, das noch nicht eingerichtet ist. Wer dieses Hubbub betreibt, kann dir helfen.',
};
