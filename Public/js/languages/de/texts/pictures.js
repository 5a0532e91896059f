/** Texte zum Auswählen eines Bildes, für Profile und Gruppen. */
export const pictureTexts = {
  choose: 'Bild auswählen',
  change: 'Bild ändern',
  drop: 'Leg das Bild hier ab',
  hint: 'Oder zieh eins hierher oder füg es ein. Es wird quadratisch zugeschnitten.',
  use: 'Dieses Bild nehmen',
  remove: 'Bild entfernen',
  reading: 'Das Bild wird gelesen …',
  uploading: 'Das Bild wird gespeichert …',
  progress: 'Fortschritt des Hochladens',
  stored: 'Das neue Bild ist gespeichert.',
  removed: 'Das Bild ist entfernt.',
  preview: 'Vorschau des neuen Bildes',
  notImage: 'Das ist kein lesbares Bild. Nimm PNG, JPEG, WebP oder GIF.',
  tooLarge: 'Diese Datei ist zu groß. Nimm ein Bild mit höchstens 30 MB.',
  tooLargeForServer: 'Dem Server ist dieses Bild zu groß.',
};
