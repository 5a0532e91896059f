/** Die Texte der Karte, die Neue einlädt. */

export const welcomeTexts = {
  title: 'Richte dich ein',
  notifications: 'Benachrichtigungen einschalten',
  picture: 'Ein Bild von dir hinzufügen',
  gitHub: 'GitHub-Konto verknüpfen',
  dismiss: 'Diese Vorschläge schließen',
};
