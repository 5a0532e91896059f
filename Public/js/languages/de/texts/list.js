/** Was das Menü einer Chatzeile sagt, und was gefragt wird, bevor etwas verschwindet. */

export const listTexts = {
  actions: {
    read: 'Als gelesen markieren',
    unread: 'Als ungelesen markieren',
    mute: 'Stummschalten',
    unmute: 'Ton einschalten',
    pin: 'Anheften',
    unpin: 'Ablösen',
    clear: 'Verlauf leeren …',
    delete: 'Chat löschen …',
    leave: 'Gruppe verlassen …',
  },
  short: {
    read: 'Gelesen', unread: 'Ungelesen', mute: 'Stumm', unmute: 'Ton an', pin: 'Anheften', unpin: 'Ablösen',
    more: 'Mehr',
  },
  done: {
    read: (name) => `${name}: als gelesen markiert`,
    unread: (name) => `${name}: als ungelesen markiert`,
    mute: (name) => `${name}: stummgeschaltet`,
    unmute: (name) => `${name}: nicht mehr stumm`,
    pin: (name) => `${name}: angeheftet`,
    unpin: (name) => `${name}: nicht mehr angeheftet`,
    clear: (name) => `${name}: Verlauf geleert`,
    delete: (name) => `${name}: Chat gelöscht`,
    leave: (name) => `${name}: verlassen`,
  },
  failed: {
    unread: (name) => `${name} konnte nicht als ungelesen markiert werden.`,
    mute: (name) => `${name} konnte nicht stummgeschaltet werden.`,
    unmute: (name) => `${name} ist noch stummgeschaltet.`,
    pin: (name) => `${name} konnte nicht angeheftet werden.`,
    unpin: (name) => `${name} ist noch angeheftet.`,
    clear: (name) => `Der Verlauf mit ${name} wurde nicht geleert.`,
    delete: (name) => `Der Chat mit ${name} wurde nicht gelöscht.`,
    leave: (name) => `Du bist noch in ${name}.`,
  },
  nothingToMark: (name) => `In ${name} kann nichts ungelesen sein: Noch hat sonst niemand geschrieben.`,
  questions: {
    clear: (name) => `Den Verlauf mit ${name} leeren?`,
    clearGroup: (name) => `Den Verlauf von ${name} leeren?`,
    clearHint:
      'Alle Nachrichten dieses Chats verschwinden für dich, auf allen deinen Geräten. '
        + 'Das lässt sich nicht rückgängig machen.',
    peerKeeps: (name) => `${name} behält alles.`,
    membersKeep: 'Die anderen Mitglieder behalten alles.',
    clearAction: 'Verlauf leeren',
    delete: (name) => `Den Chat mit ${name} löschen?`,
    deleteHint:
      'Er verschwindet aus deiner Liste, und seine Nachrichten verschwinden für dich, auf allen deinen Geräten. '
      + 'Das lässt sich nicht rückgängig machen.',
    deletePeer: (name) =>
      `${name} behält alles. Wenn einer von euch wieder schreibt, kommt der Chat zurück, ohne das Frühere.`,
    deleteAction: 'Chat löschen',
    leave: (name) => `${name} verlassen?`,
    leaveHint:
      'Du bekommst von dort keine Nachrichten mehr, und die Gruppe verschwindet aus deiner Liste. '
        + 'Was du geschrieben hast, bleibt für die anderen.',
    leavePublic: 'Sie ist öffentlich: Du kannst jederzeit wieder beitreten.',
    leavePrivate: 'Sie ist privat: Zurück kommst du nur mit einer neuen Einladung.',
    leaveOwner:
      'Sie gehört dir: '
        + 'Sie geht an den Admin, der am längsten dabei ist, oder sonst an das Mitglied, das am längsten dabei ist.',
    leaveLast: 'Du bist das letzte Mitglied.',
    leaveAction: 'Gruppe verlassen',
  },
};
