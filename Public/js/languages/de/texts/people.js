/** Texte des GitHub-Verzeichnisses über die gemeinsamen hinaus. */

const number = new Intl.NumberFormat('de');

export const peopleTexts = {
  org: (name) => `Öffentliche Mitglieder von ${name}`,
  missingLogin: (login) => `GitHub kennt niemanden namens ${login}.`,
  missingOrg: (name) => `GitHub kennt keine Organisation namens ${name}.`,
  missingHint: 'Prüf die Schreibweise. Wer dort jetzt anders heißt, lässt sich über die Suche finden.',
  searchInstead: (name) => `Nach „${name}“ suchen`,
  renamed: (before, now) => `${before} heißt auf GitHub jetzt ${now}.`,
  unreachable: 'GitHub ist nicht erreichbar',
  gone: 'GitHub hat diese Liste nicht mehr',
  found: (count) => `${number.format(count)} gefunden`,
  foundAtLeast: (count) => `Bisher ${number.format(count)} gefunden`,
  cut: (shown, total) =>
    `GitHub zeigt die ersten ${number.format(shown)} von ${number.format(total)}. Mit mehr Wörtern werden es weniger.`,
  incomplete: 'GitHub ist die Zeit ausgegangen: Vielleicht fehlt jemand.',
};
