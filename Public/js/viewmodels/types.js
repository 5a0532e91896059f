/**
 * The states and commands of view models. Types only: nothing imports this file at run time.
 *
 * Every view model has `state` (frozen plain object), `subscribe(listener) → unsubscribe` (batched, one call a
 * microtask) and `close()` (ends timers and subscriptions; call it when its view goes). Lists are `ObservableArray`s.
 *
 * Module → class → constructor:
 *   sessionViewModel.js       SessionViewModel({api, clock, mode, onSignedIn})
 *   chatListViewModel.js      ChatListViewModel({store, outbox, drafts, sync, clock})
 *   peopleViewModel.js        PeopleViewModel({api, store, clock})
 *   conversationViewModel.js  ConversationViewModel(roomId, {store, api, outbox, receipts, sync, clock})
 *   composerViewModel.js      ComposerViewModel(roomId, {api, outbox, draftSync, sync, clock}, saveEdit)
 *   connectionViewModel.js    ConnectionViewModel({sync, outbox, clock})
 *   shellViewModel.js         ShellViewModel({store, sync, clock})
 *   settingsViewModel.js      SettingsViewModel({api, store, preferences, signOut})
 *   pictureViewModel.js       PictureViewModel({read, store?, remove?})
 *   newsViewModel.js          NewsViewModel({api, store, clock})
 *   fetched.js                Fetched({api, clock}, path, make)
 *   groups/…                  see pages/groupPages.js, which puts them together; profile/…: pages/settingsPage.js
 *
 * The services come from `services/client.js`:
 *   const client = createClient(globalThis)
 *   → {api, store, storage, drafts, preferences, outbox, receipts, sync, clock, signOut()}
 *   client.sync.start() loads stored rooms, then the server's state, then opens the stream;
 *   client.sync.onSessionEnded = () => …   leave for /sign-in
 *   On /sign-in and /sign-up only `client.api` and `client.clock` are needed: do not start sync.
 */

/** @typedef {import('../services/client.js').Client} Client of which each view model uses some members */

/**
 * Injected time: `now()` in milliseconds since 1970.
 * @typedef {{now: () => number, setTimeout: (fn: () => void, ms: number) => unknown,
 *   clearTimeout: (id: unknown) => void,
 *   afterPaint?: (act: () => void) => void}} Clock
 */

/**
 * SessionViewModel. Commands: `set(field, value)`, `submit() → Promise<boolean>` (true when signed in;
 * `onSignedIn(user)` was called then), `show(mode)`. A field is checked by `leave(field)` and at submit.
 * @typedef {object} SessionState
 * @property {'sign-in'|'sign-up'} mode
 * @property {{invitation: string, email: string, password: string, first_name: string, last_name: string}} values
 * @property {Record<string, string>} fieldErrors text per field
 * @property {string|null} formError about the whole form (wrong email or password, try again at 18:05)
 * @property {boolean} busy
 * @property {string} invited the inviter and the room; '' without an invitation
 * @property {string|null} invitedTo address of the room that signing up joins
 */

/**
 * ChatListViewModel: `rows: ObservableArray<ChatRow>` (key `id`), newest first, pinned ones before. Commands:
 * `select(roomId|null)`, `retry()`.
 * @typedef {object} ChatRow
 * @property {string} id room id
 * @property {string} name
 * @property {string} initials one or two letters
 * @property {number} colour 0–11
 * @property {string|null} avatarUrl null: draw the initials, fetch nothing
 * @property {boolean} online
 * @property {string} preview text of the last message on one line; '' if there is none
 * @property {string} previewPrefix 'You: ', in groups 'Ada: ', or 'Draft: '
 * @property {'unsent'|'failed'|'draft'|null} previewState of an unsent last message, or a draft
 * @property {string} time '18:03', 'Mon', '14 Mar'; '' if there is no message
 * @property {string} timeTitle full date and time
 * @property {string} timeISO for <time datetime>
 * @property {number} unread
 * @property {string} unreadText '' | '3' | '99+'
 * @property {boolean} mentioned an unread message mentions the user
 * @property {boolean} muted
 * @property {boolean} quiet its count is grey, since the total excludes it
 * @property {boolean} pinned
 * @property {boolean} lastPinned unpinned chats follow
 * @property {boolean} selected
 * @property {string} typing '' or 'typing…' / 'Ada is typing…'
 *
 * @typedef {object} ChatListState
 * @property {boolean} loading nothing is loaded yet, not even from storage
 * @property {string|null} error text; rows may still show stored chats
 * @property {boolean} empty loaded, and there are no chats
 * @property {number} totalUnread without muted chats
 */

/**
 * PeopleViewModel: `rows: ObservableArray<PersonRow|number|string>`: people here, GitHub's; far off by the key alone.
 * Commands: `open(list)`, `nearEnd()`, `look(first, last)` with the rows on the screen, `retry()`, `press(row) →
 * Promise<roomId|null>` (null: failed; see `pressError`). `subject` is a login, an organisation or a query.
 * @typedef {{kind: 'users'|'followers'|'following'|'org'|'search', subject: string}} PeopleList
 *
 * @typedef {object} PersonRow
 * @property {number|string} key `githubId`, or `userId`, which only people on this Hubbub have
 * @property {string} [userId] @property {number|null} githubId
 * @property {string} login
 * @property {string} name '' if unknown
 * @property {string} type 'User' | 'Organization' | 'Bot'
 * @property {string} initials
 * @property {number} colour
 * @property {string|null} avatarUrl
 * @property {boolean} member has an account here
 * @property {boolean} online
 * @property {boolean} busy its chat is being opened
 *
 * @typedef {object} RateLimitAlert
 * @property {'rate-limit'} kind
 * @property {string} message 'GitHub’s rate limit is reached.'
 * @property {string|null} resetAtText '18:05', local time; null if GitHub did not say
 * @property {string|null} resetAtISO
 * @property {string} countdownText 'Trying again in 4:59'
 * @property {boolean} canRetry false: the list retries by itself
 *
 * @typedef {object} FailureAlert
 * @property {'failure'} kind
 * @property {string} message
 * @property {string} debug one line for the operator: 'status 502 · request 0A1B:… · Server Error'; or ''
 * @property {true} canRetry
 *
 * @typedef {object} PeopleState
 * @property {PeopleList} list
 * @property {string} title 'People', 'Followers of ada', …
 * @property {boolean} loadingFirst the list is hidden and the indicator shows
 * @property {boolean} loadingMore
 * @property {string|null} notice 'GitHub cannot be reached · Stored 20 minutes ago', or another note
 * @property {RateLimitAlert|FailureAlert|null} alert
 * @property {boolean} empty
 * @property {string} emptyText
 * @property {{text: string, hint: string, query: string, action: string}|null} missing GitHub has no such list
 * @property {boolean} end no further pages
 * @property {string} endText the text at the end; '' for the default
 * @property {PeopleList|null} movedTo the same list by its new login, if that was renamed
 * @property {string} found the result count of a search; '' for other lists
 * @property {string|null} pressError
 */

/**
 * A row of the conversation that is a message; others are lines of a group's log (`changeLines.js`). Day headings, the
 * "New" line and joined bubbles are flags of the row, so that an arrival changes at most its neighbour.
 * @typedef {object} MessageRow
 * @property {string} key own rows: the client id, which never changes; others: '#' + seq
 * @property {'message'} kind
 * @property {number|null} seq null until stored (no `data-seq` then)
 * @property {string|null} clientId of own rows only (`data-client-id`)
 * @property {boolean} own
 * @property {Person} sender
 * @property {string} text '' when deleted
 * @property {string} time '18:03'
 * @property {string} timeTitle 'Saturday, 14 March 2026, 18:03'
 * @property {string} timeISO
 * @property {'unsent'|'sent'|'delivered'|'read'|'failed'|'received'} state
 * @property {string} stateText words for the ticks: 'Sent', 'Read', …
 * @property {string|null} failure why it was not sent; shows Retry and Delete
 * @property {boolean} edited
 * @property {string} editedTitle 'Edited Saturday, 14 March 2026, 18:05' or ''
 * @property {boolean} deleted draw chatTexts.deleted instead of the text
 * @property {boolean} firstOfSender first of a run of one sender
 * @property {boolean} lastOfSender
 * @property {boolean} firstOfDay draw the heading `dayLabel` before it
 * @property {string} dayLabel 'Today', 'Yesterday', '14 March 2026'; '' unless firstOfDay
 * @property {boolean} newLine draw the "New" line before it
 * @property {Quote|null} replyTo
 * @property {string} forwardedFrom the original sender; '' if it was not forwarded
 * @property {string} mentioned the people named in the text (`models/mentions.js`)
 * @property {readonly import('../models/reactions.js').Reaction[]} reactions
 * @property {boolean} pinned
 * @property {boolean|null} selected null outside of selection mode
 *
 * @typedef {{id: string, name: string, initials: string, colour: number, avatarUrl: string|null}} Person
 * @typedef {{seq: number, name: string, text: string, missing: boolean}} Quote name and text are '' until the quoted
 *   message is loaded; `missing`: this person cannot see it, and `text` says so
 */

/**
 * ConversationViewModel: `rows: ObservableArray<MessageRow>` (key `key`). Commands: `open({at?}) → Promise`,
 * `loadEarlier()`, `loadLater()`, `jumpToLatest()`, `jumpTo(seq)`, `jumpToDate(isoDate)`, `retry(key)`, `remove(key)`,
 * `visible({firstSeqVisible, lastSeqVisible, focused, atBottom})` after each scroll, focus change and patch of rows,
 * `reload()` after an error. All return promises that do not reject. `open` and `jumpTo` tell whether the message is
 * there. `select(seq|null)`, `selectedRows()`, `lastOwn()`, and for `MessageActions`, which does the rest:
 * `take(message)`, `hide(seq)`. `extras` (reactions, pins, originals) come by `extend` after the first paint.
 *
 * @typedef {object} Place where to scroll whenever `ticket` changed, after the rows are patched
 * @property {'latest'|'new'|'message'} kind bottom of the log · the row with `newLine` · the row `key`
 * @property {string|null} key
 * @property {number} ticket
 *
 * @typedef {object} ConversationState
 * @property {string} title
 * @property {string} subtitle 'online', 'last seen today at 18:03', 'typing…', '3 members', ''
 * @property {boolean} typing the subtitle says who is typing
 * @property {Peer|null} peer of a direct chat
 * @property {Person|null} face whose picture stands beside the title
 * @property {boolean} loading nothing shows yet
 * @property {'all'|'earlier'|'later'|null} page which messages load, whatever shows: one page at a time
 * @property {boolean} atLatest the newest message is in the window
 * @property {boolean} hasEarlier
 * @property {boolean} hasLater
 * @property {number} newBelow for the "3 new" button
 * @property {string} newBelowText '3 new' or ''
 * @property {boolean} empty @property {boolean} alone nobody else is in this group, and I may add people
 * @property {boolean} waiting the peer has never signed in here: messages wait (sharedTexts.waiting)
 * @property {boolean} missing the chat does not exist for this user @property {string} missingText says why
 * @property {string|null} error
 * @property {number} lastReadSeq
 * @property {Place|null} place
 * @property {number|null} selected number of selected messages; null outside of selection mode
 *
 * @typedef {Person & {online: boolean, login: string|null, member: boolean}} Peer
 */

/**
 * ComposerViewModel. Commands: `input(text)`, `send() → boolean` (true: the field is empty now), `blur()`, `leave()`,
 * `reply({seq, name, text})`, `edit({seq, text})`, `cancel() → boolean` (of the edit, else of the reply).
 * @typedef {object} ComposerState
 * @property {string} text
 * @property {boolean} canSend
 * @property {boolean} tooLong
 * @property {number|null} remaining characters left, when fewer than 500 are; negative when too long
 * @property {string} hint '' | '120 characters left' | '12 characters too long'
 * @property {{kind: 'edit'|'reply', seq: number, title: string, text: string}|null} banner the edit or reply
 * @property {boolean} busy while an edit is saved
 * @property {string} error why the edit was not saved, or ''
 */

/**
 * ConnectionViewModel. `text` is '' when online and nothing waits.
 * @typedef {{state: 'online'|'connecting'|'offline', text: string, waiting: number, said: {text: string}|null}}
 *   ConnectionState `said` is announced, each new object once
 */

/**
 * ShellViewModel: `toasts: ObservableArray<Toast>` (key `id`, leave by themselves after 6 s). Commands:
 * `show(section, roomId|null)` when the page's address changed, `dismiss(id)`, `hold(id)` and `release(id)` while the
 * pointer or the focus is on it, `tell(text)` for failures.
 * @typedef {object} Toast
 * @property {string} id
 * @property {string|null} roomId null for an error
 * @property {number|null} seq
 * @property {Person|null} sender
 * @property {string} roomName
 * @property {boolean} isGroup shows the room's name besides the sender's
 * @property {string} text
 *
 * @typedef {object} ShellState
 * @property {string} title '(3) Ada Lovelace · Hubbub'
 * @property {number} totalUnread
 * @property {Person|null} me
 * @property {'chats'|'people'|'news'|'settings'} section
 * @property {string|null} roomId
 */

/**
 * SearchViewModel: `chats: ObservableArray<FoundChat>`, `people: ObservableArray<FoundPerson>`, `messages:
 * ObservableArray<FoundMessage>` (all keyed by `key`). Commands: `search(text)`, `nearEnd()`, `retry()`,
 * `press(person) → Promise<roomId|null>` (null: it failed, `pressError` says why).
 * @typedef {Omit<Person, 'id'> & {key: string, online: boolean, detail: string}} FoundPerson `key` is the user's id
 * @typedef {FoundPerson & {href: string}} FoundChat `key` is the room's id
 *
 * @typedef {object} FoundMessage
 * @property {string} key
 * @property {string} href leads to the message in its chat
 * @property {string} name the sender's, with `initials`, `colour`, `avatarUrl`
 * @property {string} place 'in Team'; '' for a peer's own message
 * @property {{text: string, hit: boolean}[]} pieces of its text, around the hits
 * @property {string} time
 * @property {string} timeTitle
 * @property {string} timeISO
 *
 * @typedef {object} SearchState
 * @property {string} query '' without a search
 * @property {boolean} loading
 * @property {boolean} first loading without results to show
 * @property {boolean} loadingMore
 * @property {boolean} empty
 * @property {boolean} end all messages are loaded
 * @property {string|null} error
 * @property {boolean} isWrong the query is invalid, perhaps incomplete
 * @property {boolean} canRetry
 * @property {boolean} offline
 * @property {string|null} pressError
 * @property {string} gitHubQuery the query to search on GitHub; '' if GitHub cannot answer it
 * @property {string} said announced to screen readers: '3 results'
 * @property {number} page number of loaded pages of messages
 */

/**
 * SettingsViewModel. Commands: `set(field, value)`, `save() → Promise<boolean>`, `setTheme(theme)`,
 * `signOut() → Promise<boolean>` (wipes the browser's storage; then go to /sign-in).
 * @typedef {object} SettingsState
 * @property {Person|null} me
 * @property {string} email
 * @property {boolean} hasPassword
 * @property {{first_name: string, last_name: string, handle: string}} values
 * @property {{first_name?: string, last_name?: string, handle?: string}} fieldErrors
 * @property {string|null} formError
 * @property {boolean} saved
 * @property {boolean} busy
 * @property {boolean} changed has unsaved changes
 * @property {'system'|'light'|'dark'} theme
 */

export {};
