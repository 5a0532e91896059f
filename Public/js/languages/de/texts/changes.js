/** Texte der Zeilen im Verlauf einer Gruppe, die keine Nachrichten sind. */

const has = (mine) => (mine ? 'hast' : 'hat');
const is = (mine) => (mine ? 'bist' : 'ist');

export const changeTexts = {
  you: 'Du',
  toYou: 'dich',
  joined: ({ by, mine }) => `${by} ${is(mine)} beigetreten`,
  left: ({ by, mine }) => `${by} ${has(mine)} die Gruppe verlassen`,
  added: ({ by, mine, whom }) => `${by} ${has(mine)} ${whom} hinzugefügt`,
  removed: ({ by, mine, whom }) => `${by} ${has(mine)} ${whom} entfernt`,
  banned: ({ by, mine, whom }) => `${by} ${has(mine)} ${whom} ausgeschlossen`,
  made_owner: ({ by, mine, whom }) => `${by} ${has(mine)} die Gruppe an ${whom} übergeben`,
  made_admin: ({ by, mine, whom }) => `${by} ${has(mine)} ${whom} zum Admin gemacht`,
  made_member: ({ by, mine, whom }) => `${by} ${has(mine)} ${whom} zum Mitglied ohne Admin-Rechte gemacht`,
  renamed: ({ by, mine, text }) => `${by} ${has(mine)} die Gruppe in „${text}“ umbenannt`,
  described: ({ by, mine, text }) =>
    (text ? `${by} ${has(mine)} das Thema in „${text}“ geändert` : `${by} ${has(mine)} das Thema entfernt`),
  picture_set: ({ by, mine }) => `${by} ${has(mine)} das Bild der Gruppe geändert`,
  picture_removed: ({ by, mine }) => `${by} ${has(mine)} das Bild der Gruppe entfernt`,
  made_public: ({ by, mine }) => `${by} ${has(mine)} die Gruppe öffentlich gemacht`,
  made_private: ({ by, mine }) => `${by} ${has(mine)} die Gruppe privat gemacht`,
  repository_set: ({ by, mine, text }) => (text
    ? `${by} ${has(mine)} ${text} zum Repository der Gruppe gemacht`
    : `${by} ${has(mine)} das Repository der Gruppe entfernt`),
  pinned: ({ by, mine }) => `${by} ${has(mine)} eine Nachricht angeheftet`,
  unpinned: ({ by, mine }) => `${by} ${has(mine)} eine Nachricht abgelöst`,
  other: ({ by, mine }) => `${by} ${has(mine)} etwas an der Gruppe geändert`,
  earlier: (count) => `${count} frühere Änderungen`,
};
