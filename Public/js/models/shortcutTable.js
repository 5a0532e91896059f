/** The shortcuts as their help tells them, by the names of `texts/shortcuts.js`. */

/**
 * Each line: what it does, and its keys: ways to do it, of which each is keys pressed together (`+`) or one after another
 * (`,`). What is no name of a key stands for itself.
 * @type {Record<string, [string, string[]][]>}
 */
export const shortcutTable = {
  everywhere: [
    ['help', ['?', 'control+/']],
    ['search', ['/', 'control+K']],
    ['chat', ['alt+down', 'alt+up']],
    ['compose', ['n']],
    ['message', ['m']],
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
    ['earlier', ['shift+tab', 'up', 'down']],
    ['within', ['left', 'right']],
    ['actions', ['enter', 'shift+F10']],
    ['select', ['space']],
    ['toField', ['escape']],
  ],
  writing: [
    ['send', ['enter']],
    ['line', ['shift+enter']],
    ['edit', ['up']],
    ['complete', ['@', '#', ':']],
    ['accept', ['enter', 'tab']],
    ['cancel', ['escape']],
  ],
};

/** Shortcuts that are single characters, which can be switched off. */
export const isLetter = (way) => /^.(,.)?$/u.test(way);
