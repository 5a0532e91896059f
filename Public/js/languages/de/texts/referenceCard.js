/** Die Texte der Karte eines Verweises. */

export const referenceCardTexts = {
  open: 'Öffnen',
};
