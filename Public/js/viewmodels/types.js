/**
 * What view models show and take. Types only: nothing imports this file at run time.
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
 *   groups/…                  see groupPages.js, which puts them together; profile/…: settingsPage.js
 *
 * The services come from `services/client.js`:
 *   const client = createClient(globalThis)
 *   → {api, store, storage, drafts, preferences, outbox, receipts, sync, clock, signOut()}
 *   client.sync.start() loads stored rooms, then the server's state, then opens the stream;
 *   client.sync.onSessionEnded = () => …   leave for /sign-in
 *   On /sign-in and /sign-up only `client.api` and `client.clock` are needed: do not start sync.
 */

/**
 * Injected time: `now()` in milliseconds since 1970.
 * @typedef {{now: () => number, setTimeout: (fn: () => void, ms: number) => unknown,
 *   clearTimeout: (id: unknown) => void,
 *   afterPaint?: (act: () => void) => void}} Clock
 */

/**
 * SessionViewModel. Commands: `set(field, value)`, `submit() → Promise<boolean>` (true when signed in;
 * `onSignedIn(user)` was called then), `show(mode)`. A field is checked when it was left with `leave(field)` and at submit.
 * @typedef {object} SessionState
 * @property {'sign-in'|'sign-up'} mode
 * @property {{invitation: string, email: string, password: string, first_name: string, last_name: string}} values
 * @property {Record<string, string>} fieldErrors text per field
 * @property {string|null} formError about the whole form (wrong email or password, try again at 18:05)
 * @property {boolean} busy
 * @property {string} invited who invites one to what, '' where there is no invitation
 * @property {string|null} invitedTo address of the room that signing up lets into
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
 * @property {string} preview text of the last message on one line ('' when there is none)
 * @property {string} previewPrefix 'You: ', in groups 'Ada: ', or 'Draft: '
 * @property {'unsent'|'failed'|'draft'|null} previewState the last message is still in the outbox, or a draft stands
 * @property {string} time '18:03', 'Mon', '14 Mar'; '' when there is no message
 * @property {string} timeTitle full date and time
 * @property {string} timeISO for <time datetime>
 * @property {number} unread
 * @property {string} unreadText '' | '3' | '99+'
 * @property {boolean} mentioned an unread message mentions me
 * @property {boolean} muted
 * @property {boolean} quiet its count is grey, since it is not part of the sum
 * @property {boolean} pinned
 * @property {boolean} lastPinned others stand below it
 * @property {boolean} selected
 * @property {string} typing '' or 'typing…' / 'Ada is typing…'
 *
 * @typedef {object} ChatListState
 * @property {boolean} loading nothing is known yet, not even from storage
 * @property {string|null} error text; rows may still show stored chats
 * @property {boolean} empty loaded, and there are no chats
 * @property {number} totalUnread without muted chats
 */

/**
 * PeopleViewModel: `rows: ObservableArray<PersonRow|number>`: a number (GitHub's) for somebody who is far from the screen.
 * Commands: `open(list)`, `nearEnd()`, `look(first, last)` with the rows on the screen, `retry()`,
 * `press(row) → Promise<roomId|null>` (null: it failed, `pressError` says why).
 * `subject` is a login, an organisation or a query.
 * @typedef {{kind: 'users'|'followers'|'following'|'org'|'search', subject: string}} PeopleList
 *
 * @typedef {object} PersonRow
 * @property {number} githubId
 * @property {string} login
 * @property {string} name '' where not known
 * @property {string} type 'User' | 'Organization' | 'Bot'
 * @property {string} initials
 * @property {number} colour
 * @property {string|null} avatarUrl
 * @property {boolean} member is on this Hubbub
 * @property {boolean} online
 * @property {boolean} busy its chat is being opened
 *
 * @typedef {object} RateLimitAlert
 * @property {'rate-limit'} kind
 * @property {string} message 'GitHub’s rate limit is reached.'
 * @property {string|null} resetAtText '18:05', local time, null when GitHub did not say
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
 * @property {boolean} loadingFirst the list is hidden and the indicator shows (D2)
 * @property {boolean} loadingMore
 * @property {string|null} notice 'GitHub cannot be reached · Stored 20 minutes ago', or another quiet word on the list
 * @property {RateLimitAlert|FailureAlert|null} alert
 * @property {boolean} empty
 * @property {string} emptyText
 * @property {{text: string, hint: string, query: string, action: string}|null} missing GitHub has no such list
 * @property {boolean} end no further pages
 * @property {string} endText what is said there; '' for the usual
 * @property {PeopleList|null} movedTo the list as it is called now, where its login was renamed
 * @property {string} found how many a search found; '' for other lists
 * @property {string|null} pressError
 */

/**
 * A row of the conversation: always a message. Day headings, the "New" line and joined bubbles are drawn from flags of
 * the row, so that an arrival touches at most its neighbour.
 * @typedef {object} MessageRow
 * @property {string} key own rows: the client id, from the first paint on and for good; others: '#' + seq
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
 * @property {string|null} failure why it was not sent; Retry and Delete are then offered
 * @property {boolean} edited
 * @property {string} editedTitle 'Edited Saturday, 14 March 2026, 18:05' or ''
 * @property {boolean} deleted draw texts.conversation.deleted instead of the text
 * @property {boolean} firstOfSender first of a run of one sender
 * @property {boolean} lastOfSender
 * @property {boolean} firstOfDay draw the heading `dayLabel` before it
 * @property {string} dayLabel 'Today', 'Yesterday', '14 March 2026'; '' unless firstOfDay
 * @property {boolean} newLine draw the "New" line before it
 * @property {Quote|null} replyTo
 * @property {string} forwardedFrom who wrote it first, '' if it was not forwarded
 * @property {string} mentioned who is named in the text (`models/mentions.js`)
 * @property {readonly import('../models/reactions.js').Reaction[]} reactions
 * @property {boolean} pinned
 * @property {boolean|null} selected null while no messages are being selected
 *
 * @typedef {{id: string, name: string, initials: string, colour: number, avatarUrl: string|null}} Person
 * @typedef {{seq: number, name: string, text: string, missing: boolean}} Quote name and text '' while the quoted message
 *   is not loaded; `missing`: it is not there for this person, and `text` says so
 */

/**
 * ConversationViewModel: `rows: ObservableArray<MessageRow>` (key `key`). Commands: `open({at?}) → Promise`,
 * `loadEarlier()`, `loadLater()`, `jumpToLatest()`, `jumpTo(seq)`, `jumpToDate(isoDate)`, `retry(key)`, `remove(key)`,
 * `visible({lastSeqVisible, focused, atBottom})` after each scroll, focus change and patch of rows,
 * `reload()` after an error. All return promises that do not reject. `open` and `jumpTo` tell whether the message is
 * there. `select(seq|null)`, `selectedRows()`, `lastOwn()`, and for `MessageActions`, which does the rest:
 * `take(message)`, `hide(seq)`. `extras` (reactions, pins, originals) come by `extend` after the first paint.
 *
 * @typedef {object} Place where the view has to go: whenever `ticket` changed, after the rows were patched
 * @property {'latest'|'new'|'message'} kind bottom of the log · the row with `newLine` · the row `key`
 * @property {string|null} key
 * @property {number} ticket
 *
 * @typedef {object} ConversationState
 * @property {string} title
 * @property {string} subtitle 'online', 'last seen today at 18:03', 'typing…', '3 members', ''
 * @property {boolean} typing the subtitle says who is typing
 * @property {Peer|null} peer of a direct chat
 * @property {boolean} loading nothing to show yet
 * @property {boolean} loadingEarlier
 * @property {boolean} loadingLater
 * @property {boolean} atLatest the newest message is in the window
 * @property {boolean} hasEarlier
 * @property {boolean} hasLater
 * @property {number} newBelow for the "3 new" button
 * @property {string} newBelowText '3 new' or ''
 * @property {boolean} empty
 * @property {boolean} waiting the peer has never signed in here: messages wait (texts.conversation.waiting)
 * @property {boolean} missing there is no such chat (any more) for this person
 * @property {string|null} error
 * @property {number} lastReadSeq
 * @property {Place|null} place
 * @property {number|null} selected how many messages are selected; null while none are being selected
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
 * @property {{kind: 'edit'|'reply', seq: number, title: string, text: string}|null} banner what is edited or answered
 * @property {boolean} busy an edit is being saved
 * @property {string} error why it was not saved, or ''
 */

/**
 * ConnectionViewModel. `text` is '' when online and nothing waits.
 * @typedef {{state: 'online'|'connecting'|'offline', text: string, waiting: number, said: {text: string}|null}}
 *   ConnectionState `said` is to be read out, each new object once
 */

/**
 * ShellViewModel: `toasts: ObservableArray<Toast>` (key `id`, leave by themselves after 6 s). Commands:
 * `show(section, roomId|null)` when the page's address changed, `dismiss(id)`, `hold(id)` and `release(id)` while somebody
 * looks at it, `tell(text)` for what failed.
 * @typedef {object} Toast
 * @property {string} id
 * @property {string|null} roomId null: it says that something failed
 * @property {number|null} seq
 * @property {Person|null} sender
 * @property {string} roomName
 * @property {boolean} isGroup the room's name says more than the sender's
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
 * @typedef {Person & {key: string, online: boolean, detail: string}} FoundPerson `key` is the user's id
 * @typedef {FoundPerson & {href: string}} FoundChat `key` is the room's id
 *
 * @typedef {object} FoundMessage
 * @property {string} key
 * @property {string} href leads to the message in its chat
 * @property {string} name the sender's, with `initials`, `colour`, `avatarUrl`
 * @property {string} place 'in Team'; '' for a peer's own message
 * @property {{text: string, hit: boolean}[]} pieces of its text, around what was looked for
 * @property {string} time
 * @property {string} timeTitle
 * @property {string} timeISO
 *
 * @typedef {object} SearchState
 * @property {string} query '' while nothing is asked for
 * @property {boolean} loading
 * @property {boolean} first loading, and nothing can be shown yet
 * @property {boolean} loadingMore
 * @property {boolean} empty
 * @property {boolean} end all messages are there
 * @property {string|null} error
 * @property {boolean} isWrong the question itself is; it may be half written
 * @property {boolean} canRetry
 * @property {boolean} offline
 * @property {string|null} pressError
 * @property {string} gitHubQuery what can be looked for on GitHub instead; '' for what GitHub does not know
 * @property {string} said for the announcer: '3 results'
 * @property {number} page how many pages of messages are there
 */

/**
 * SettingsViewModel. Commands: `set(field, value)`, `save() → Promise<boolean>`, `setTheme(theme)`,
 * `signOut() → Promise<boolean>` (wipes the browser's storage; then go to /sign-in).
 * @typedef {object} SettingsState
 * @property {Person|null} me
 * @property {string} email
 * @property {{first_name: string, last_name: string}} values
 * @property {{first_name?: string, last_name?: string}} fieldErrors
 * @property {string|null} formError
 * @property {boolean} saved
 * @property {boolean} busy
 * @property {boolean} changed there is something to save
 * @property {'system'|'light'|'dark'} theme
 */

export {};
