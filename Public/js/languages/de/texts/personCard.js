/** Die Texte der Karte einer Person. */

export const personCardTexts = {
  write: 'Schreiben',
  mention: 'Erwähnen',
  gitHub: 'GitHub',
  yours: 'Dein Profil',
};
