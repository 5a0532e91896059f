/** Texte für Gruppen: eine anlegen, ihre Angaben, Mitglieder, Einladungen, öffentliche Räume. */
import { number, plural } from '../texts.js';

export const groupTexts = {
  newMenu: {
    write: 'Jemandem schreiben',
    rooms: 'Öffentliche Räume finden',
  },

  create: {
    title: 'Neue Gruppe',
    name: 'Gruppenname',
    nameHint: 'Worum geht es, oder wer ist dabei?',
    topic: 'Thema',
    topicHint: 'Freiwillig. Sieht, wer die Seite der Gruppe öffnet.',
    access: 'Wer beitreten darf',
    private: 'Privat',
    privateHint: 'Nur wer hinzugefügt oder eingeladen wird, sieht sie und kann beitreten.',
    public: 'Öffentlich',
    publicHint: 'Alle bei diesem Hubbub können sie finden, ansehen und beitreten.',
    peopleHint: 'Du kannst jederzeit weitere hinzufügen.',
    create: 'Gruppe erstellen',
    creating: 'Die Gruppe wird erstellt …',
    pictureFailed: (reason) => `Die Gruppe ist da, aber ihr Bild konnte nicht gespeichert werden. ${reason}`,
    tryAgain: 'Das Bild noch einmal versuchen',
    goOn: 'Ohne Bild weiter',
  },

  picker: {
    placeholder: 'Nach Namen suchen',
    nobody: (query) => `Hier heißt niemand „${query}“.`,
    everybody: 'Alle, die hinzugefügt werden können, sind ausgewählt.',
    failed: 'Die Leute konnten nicht geladen werden.',
    remove: (name) => `${name} nicht hinzufügen`,
    chosen: 'Ausgewählte Leute',
    results: 'Gefundene Leute',
    added: (name) => `${name} ausgewählt`,
    removed: (name) => `${name} nicht mehr ausgewählt`,
  },

  fields: {
    nameMissing: 'Gib der Gruppe einen Namen.',
    topicLong: (count, most) => `${count} Zeichen zu lang: höchstens ${most}.`,
    membersGone: 'Jemand, den du ausgewählt hast, ist nicht mehr hier. Wähl noch einmal.',
    membersMany: (most) => `In eine Gruppe passen höchstens ${number.format(most)} Leute.`,
  },

  roles: { owner: 'Eigentümer', admin: 'Admin', member: 'Mitglied' },

  info: {
    group: 'Gruppeninfo',
    person: 'Über diese Person',
    loading: 'Wird geladen',
    publicGroup: 'Öffentliche Gruppe',
    privateGroup: 'Private Gruppe',
    noTopic: 'Noch kein Thema',
    edit: 'Name und Thema bearbeiten',
    removed: 'Du bist nicht mehr in dieser Gruppe.',
    removedHint:
      'Jemand hat dich entfernt, oder du hast sie auf einem anderen Gerät verlassen. '
        + 'Was geschrieben wurde, bleibt bei den anderen.',
    gone: 'Dieser Chat ist nicht mehr in deiner Liste.',
    missing: 'Diese Gruppe gibt es nicht, oder sie ist dir nicht zugänglich.',
    notIn: 'Du bist nicht in dieser Gruppe. Tritt bei, um zu lesen und zu schreiben.',
  },

  repository: {
    heading: 'Zugehöriges Repository',
    label: 'Repository auf GitHub',
    example: 'besitzer/name',
    hint: 'Wozu #12 und Commit-Kennungen in diesem Chat gehören. Leer lassen für keines.',
    invalid: 'Gib ein Repository als besitzer/name ein, etwa apple/swift.',
  },

  mine: {
    heading: 'Nur für dich',
    mute: 'Stummschalten',
    muteHint: 'Keine Hinweise, und nicht in der Summe der ungelesenen Nachrichten.',
    pin: 'Oben anheften',
    pinHint: 'Bleibt in deiner Liste über den anderen Chats.',
    level: 'Sag mir Bescheid bei',
    levels: { all: 'Allem', mentions: 'Erwähnungen', nothing: 'Nichts' },
    levelHints: {
      all: 'Bei jeder neuen Nachricht.',
      mentions: 'Nur bei Nachrichten, die dich erwähnen.',
      nothing: 'Schau nach, wann du magst.',
    },
  },

  members: {
    heading: 'Mitglieder',
    search: 'Mitglieder durchsuchen',
    add: 'Leute hinzufügen',
    adding: (count) => (count > 0 ? `${count} ${plural(count, 'Person', 'Leute')} hinzufügen` : 'Hinzufügen'),
    addedAll: (count) => `${count} ${plural(count, 'Person ist', 'Leute sind')} jetzt in der Gruppe.`,
    addFailed: (names, reason) => `Nicht hinzugefügt: ${names}. ${reason}`,
    invited: (names) => `${names}: stattdessen im Chat eingeladen, wie es ihre Einstellungen verlangen.`,
    invitation: (name, link) => `Du bist in „${name}“ eingeladen: ${link}`,
    you: 'du',
    all: (count) => `Alle ${number.format(count)} Mitglieder anzeigen`,
    loadingMore: 'Weitere Mitglieder werden geladen',
    loadFailed: 'Die Mitglieder konnten nicht geladen werden.',
    none: (query) => `Kein Mitglied heißt „${query}“.`,
    shown: (count) => `${count} ${plural(count, 'Mitglied', 'Mitglieder')} gefunden`,
    actions: (name) => `Was mit ${name} geschehen soll`,
    write: 'Nachricht schreiben',
    makeAdmin: 'Zum Admin machen',
    makeMember: 'Zum Mitglied machen',
    handOver: 'Gruppe übergeben',
    remove: 'Aus der Gruppe entfernen',
    ban: 'Sperren',
    changed: (name, role) => `${name} ist jetzt ${groupTexts.roles[role]}.`,
    wasRemoved: (name) => `${name} ist nicht mehr in der Gruppe.`,
    wasBanned: (name) => `${name} ist gesperrt.`,
  },

  confirm: {
    remove: (name) => `${name} entfernen?`,
    removeHint:
      'Der Zugang endet sofort. Was geschrieben wurde, bleibt. Hinzufügen und Einladen geht jederzeit wieder.',
    ban: (name) => `${name} sperren?`,
    banHint:
      'Entfernt aus der Gruppe, und kein Weg zurück, weder mit Einladung noch durch Beitreten, bis die Sperre '
        + 'aufgehoben wird.',
    handOver: (name) => `Die Gruppe an ${name} übergeben?`,
    handOverHint: 'Die Gruppe gehört dann dieser Person, und du wirst Admin. Nur sie kann das rückgängig machen.',
    handOverDo: 'Übergeben',
    lift: (name) => `Die Sperre von ${name} aufheben?`,
  },

  bans: {
    heading: 'Gesperrt',
    none: 'Niemand ist gesperrt.',
    lift: 'Aufheben',
    lifted: (name) => `${name} darf wiederkommen.`,
    liftLabel: (name) => `Die Sperre von ${name} aufheben`,
    loadFailed: 'Die gesperrten Leute konnten nicht geladen werden.',
  },

  invitations: {
    heading: 'Einladungslinks',
    hint: 'Wer den Link hat, kommt herein.',
    instanceHeading: 'Leute zu diesem Hubbub einladen',
    instanceHint: 'Wer den Link hat, kann hier ein Konto erstellen.',
    expires: 'Gültig für',
    uses: 'Wie oft',
    lasting: { hour: '1 Stunde', day: '1 Tag', week: '7 Tage', month: '30 Tage', ever: 'Ohne Ende' },
    times: { one: 'Einmal', ten: '10-mal', hundred: '100-mal', any: 'Beliebig oft' },
    create: 'Link erstellen',
    link: 'Dein neuer Link',
    copied: 'Kopiert. Er erscheint nur jetzt: Heb ihn auf, oder erstell später einen neuen.',
    notCopied: 'Er erscheint nur jetzt: Kopier ihn, oder erstell später einen neuen.',
    list: 'Offene Links',
    none: 'Kein Link ist offen.',
    by: (name, when) => `${name}, ${when}`,
    until: (when) => `bis ${when}`,
    forever: 'ohne Ende',
    used: (uses, most) => (most === null ? `${uses}-mal benutzt` : `${uses} von ${most} benutzt`),
    end: 'Beenden',
    endLabel: (what) => `Den Link von ${what} beenden`,
    ended: 'Der Link gilt nicht mehr.',
    loadFailed: 'Die Links konnten nicht geladen werden.',
    tooMany: 'Mehr offene Links darf es nicht geben. Beende zuerst einen.',
  },

  rules: {
    heading: 'Wer was darf',
    you: {
      owner: 'Die Gruppe gehört dir.',
      admin: 'Du bist Admin.',
      member: 'Du bist Mitglied.',
    },
    owner: 'Wem die Gruppe gehört, darf alles und kann sie übergeben.',
    admin: 'Admins ändern Name, Thema und Bild, fügen Mitglieder hinzu, laden ein, entfernen und sperren, '
      + 'und löschen Nachrichten. Gegenüber Eigentümer und anderen Admins dürfen sie das nicht.',
    member: 'Mitglieder schreiben, reagieren und können jederzeit gehen.',
  },

  person: {
    gitHub: 'Profil auf GitHub',
    inviteShown: 'Kopier diesen Link und gib ihn weiter:',
    cleared: 'Der Verlauf ist geleert.',
  },

  rooms: {
    title: 'Öffentliche Räume',
    search: 'Räume durchsuchen',
    loading: 'Öffentliche Räume werden geladen',
    loadingMore: 'Weitere Räume werden geladen',
    loadFailed: 'Die Räume konnten nicht geladen werden.',
    empty: 'Noch keine öffentlichen Räume',
    emptyHint: 'Erstell den ersten: Alle bei diesem Hubbub können ihn finden und beitreten.',
    none: (query) => `Kein Raum heißt „${query}“.`,
    join: 'Beitreten',
    joinLabel: (name) => `${name} beitreten`,
    joining: 'Beitritt …',
    openLabel: (name) => `${name} öffnen`,
    banned: 'Du bist in diesem Raum gesperrt.',
    gone: 'Dieser Raum ist nicht mehr öffentlich.',
  },
};
