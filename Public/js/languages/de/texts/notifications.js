/** Texte der Einstellungen für Benachrichtigungen. */

export const notificationTexts = {
  heading: 'Benachrichtigungen',
  allow: 'Benachrichtigungen auf diesem Gerät',
  hint: {
    default: 'Dein Browser wird fragen, ob Hubbub sie zeigen darf.',
    granted: 'Eine je Chat, von dem, was du hören möchtest; weg, sobald du sie irgendwo gelesen hast.',
    denied:
      'Deinem Browser wurde gesagt, dass diese Seite keine Benachrichtigungen zeigen soll. '
        + 'Erlaube sie in seinen Einstellungen für diese Seite.',
    insecure: 'Browser erlauben Benachrichtigungen nur bei sicheren Adressen: Diese Seite kam nicht über https.',
    unsupported:
      'Dieser Browser kann keine Benachrichtigungen zeigen. '
        + 'Auf einem Telefon installiere Hubbub zuerst auf dem Startbildschirm.',
  },
  withoutPush: 'Sie kommen, solange eine Seite von Hubbub offen ist.',
  withPush: 'Sie kommen auch, wenn keine Seite von Hubbub offen ist.',
  failed: 'Das hat nicht geklappt.',
  foreign: 'An den Push-Dienst deines Browsers sendet dieser Server nichts.',
  refused: 'Dein Browser durfte keine Benachrichtigungen zeigen.',
  test: 'Schick mir eine zur Probe',
  testing: 'Wird gesendet …',
  tested: 'Gesendet. Sie erscheint gleich.',
  testText: 'Benachrichtigungen funktionieren auf diesem Gerät.',
  sounds: {
    sending: 'Ton, wenn ich sende',
    sendingHint: 'Auf diesem Gerät.',
    receiving: 'Ton, wenn eine Nachricht kommt',
    receivingHint: 'Auf diesem Gerät, bei dem, was du hören möchtest.',
  },
  quiet: {
    label: 'Nicht stören',
    hint: 'Jeden Tag gibt es in diesen Stunden auf keinem deiner Geräte Benachrichtigungen, Hinweise oder Töne.',
    from: 'Von',
    to: 'Bis',
  },
};
