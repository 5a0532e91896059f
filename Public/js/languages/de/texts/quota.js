/** Texte zum Kontingent auf der Seite der Einstellungen. */
import { number } from '../texts.js';

export const quotaTexts = {
  heading: 'Anfragen an GitHub',
  hint: 'Wie viel dieses Hubbub GitHub noch fragen darf. Alle hier teilen es sich.',
  list: 'Übrige Anfragen',
  resources: { core: 'Listen, Leute und Neuigkeiten', search: 'Suchen' },
  left: (remaining, limit) => `${number.format(remaining)} von ${number.format(limit)} Anfragen übrig`,
  full: (time) => `um ${time} Uhr wieder voll`,
  asks: {
    token: 'Hubbub fragt im Namen des Betreibers, mit einem Token.',
    application: 'Hubbub fragt als die Anwendung, mit der sich Leute anmelden.',
    anonymous: 'Hubbub fragt ohne Namen und bekommt darum nur wenige Anfragen. Der Betreiber kann ein Token setzen.',
  },
  unknown: 'GitHub hat noch nichts dazu gesagt.',
};
