/** The shortcuts listed in their help, by the names of `texts/shortcuts.js`. */

/**
 * Each line has a description and its alternative key combinations: keys pressed together (`+`) or one after another
 * (`,`). What is not the name of a key stands for itself.
 * @type {Record<string, [string, string[]][]>}
 */
export const shortcutTable = {
  everywhere: [
    ['help', ['?', 'control+/']],
    ['search', ['/', 'control+K']],
    ['chat', ['alt+down', 'alt+up']],
    ['compose', ['n']],
    ['chats', ['g,c']],
    ['people', ['g,p']],
    ['news', ['g,n']],
    ['settings', ['g,s']],
    ['back', ['escape']],
  ],
  lists: [
    ['walk', ['down', 'up', 'home', 'end']],
    ['open', ['enter']],
    ['menu', ['shift+F10']],
  ],
  log: [
    ['earlier', ['shift+tab', 'up', 'down', 'home', 'end']],
    ['within', ['left', 'right']],
    ['actions', ['enter', 'shift+F10']],
    ['select', ['space']],
    ['toField', ['escape']],
  ],
  writing: [
    ['send', ['enter']],
    ['sendCode', ['control+enter']],
    ['line', ['shift+enter']],
    ['indent', ['tab', 'shift+tab']],
    ['leave', ['escape,tab']],
    ['bold', ['control+B']],
    ['italic', ['control+I']],
    ['code', ['control+E']],
    ['link', ['control+K']],
    ['preview', ['control+shift+P']],
    ['edit', ['up']],
    ['complete', ['@', ':']],
    ['accept', ['enter', 'tab']],
    ['cancel', ['escape']],
  ],
};

/** Shortcuts that are single characters, which can be switched off. */
export const isLetter = (way) => /^.(,.)?$/u.test(way);
