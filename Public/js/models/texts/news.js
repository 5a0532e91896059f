/**
 * What News and the pages of GitHub's things say (N). In sentences, `{actor}`, `{repo}`, `{subject}` and `{ref}` are places
 * for links and names: a translation puts them where its grammar wants them.
 */

const plural = (count, one, many) => (count === 1 ? one : many);

/** Sentences by GitHub's event type and, after a dot, the action or what the subject is. */
const sentences = {
  CommitCommentEvent: () => '{actor} commented on commit {ref} in {repo}',
  'CreateEvent.repository': () => '{actor} created the repository {repo}',
  'CreateEvent.branch': () => '{actor} created the branch {ref} in {repo}',
  'CreateEvent.tag': () => '{actor} created the tag {ref} in {repo}',
  'DeleteEvent.branch': () => '{actor} deleted the branch {ref} in {repo}',
  'DeleteEvent.tag': () => '{actor} deleted the tag {ref} in {repo}',
  DiscussionEvent: () => '{actor} started a discussion in {repo}',
  'DiscussionEvent.answered': () => '{actor} answered a discussion in {repo}',
  DiscussionCommentEvent: () => '{actor} commented on a discussion in {repo}',
  ForkEvent: () => '{actor} forked {repo}',
  GollumEvent: ({ count }) => `{actor} edited ${plural(count, 'a wiki page', `${count} wiki pages`)} of {repo}`,
  'GollumEvent.created': ({ count }) => `{actor} wrote ${plural(count, 'a wiki page', `${count} wiki pages`)} of {repo}`,
  'IssueCommentEvent.issue': () => '{actor} commented on an issue in {repo}',
  'IssueCommentEvent.pull': () => '{actor} commented on a pull request in {repo}',
  'IssuesEvent.opened': () => '{actor} opened an issue in {repo}',
  'IssuesEvent.closed': () => '{actor} closed an issue in {repo}',
  'IssuesEvent.reopened': () => '{actor} reopened an issue in {repo}',
  'IssuesEvent.labeled': () => '{actor} labelled an issue in {repo}',
  'IssuesEvent.assigned': () => '{actor} assigned an issue in {repo}',
  IssuesEvent: () => '{actor} changed an issue in {repo}',
  MemberEvent: () => '{actor} added {subject} to {repo}',
  PublicEvent: () => '{actor} made {repo} public',
  'PullRequestEvent.opened': () => '{actor} opened a pull request in {repo}',
  'PullRequestEvent.closed': () => '{actor} closed a pull request in {repo}',
  'PullRequestEvent.merged': () => '{actor} merged a pull request in {repo}',
  'PullRequestEvent.reopened': () => '{actor} reopened a pull request in {repo}',
  PullRequestEvent: () => '{actor} changed a pull request in {repo}',
  PullRequestReviewEvent: () => '{actor} reviewed a pull request in {repo}',
  'PullRequestReviewEvent.approved': () => '{actor} approved a pull request in {repo}',
  'PullRequestReviewEvent.changes_requested': () => '{actor} asked for changes of a pull request in {repo}',
  PullRequestReviewCommentEvent: () => '{actor} commented on the lines of a pull request in {repo}',
  PullRequestReviewThreadEvent: () => '{actor} settled what was said of a pull request in {repo}',
  PushEvent: ({ count }) =>
    (count === null ? '{actor} pushed to {ref} in {repo}'
      : `{actor} pushed ${count} ${plural(count, 'commit', 'commits')} to {ref} in {repo}`),
  'ReleaseEvent.published': () => '{actor} published a release of {repo}',
  ReleaseEvent: () => '{actor} prepared a release of {repo}',
  'SponsorshipEvent.person': () => '{actor} sponsors {subject}',
  SponsorshipEvent: () => '{actor} sponsors somebody',
  WatchEvent: () => '{actor} starred {repo}',
};

/** One line of a run of the same. */
const short = {
  repository: '{subject}', issue: '{subject}', pull: '{subject}', release: '{subject}', person: '{subject}',
  page: '{subject}', commit: '{ref}', branch: '{ref}', tag: '{ref}', other: '{repo}',
};

const states = {
  open: 'Open', closed: 'Closed', not_planned: 'Not planned', merged: 'Merged', draft: 'Draft', archived: 'Archived',
  prerelease: 'Pre-release', approved: 'Approved', changes_requested: 'Changes requested', commented: 'Commented',
  dismissed: 'Dismissed',
};

export const newsTexts = {
  label: 'News',
  /**
   * What happened, as a sentence with places.
   * @param {object} item a news item of the API
   */
  sentence({ type, action, repo, subject }) {
    const names = [`${type}.${subject.state ?? ''}`, `${type}.${action ?? ''}`, `${type}.${subject.kind}`, type];
    const name = names.find((candidate) => Object.hasOwn(sentences, candidate));
    if (name && (repo !== null || type === 'SponsorshipEvent')) return sentences[name]({ count: subject.count ?? null });
    return repo === null ? '{actor} did something on GitHub' : '{actor} did something in {repo}';
  },
  short: (kind) => short[kind] ?? short.other,
  more: (count) => `${count} more like this`,
  less: 'Show fewer',
  /** 'Pull request #12', where GitHub did not tell the title. */
  untitled: { issue: 'Issue', pull: 'Pull request', release: 'Release', page: 'Page', other: '' },
  numbered: (title, number) => (title ? `${title} #${number}` : `#${number}`),

  loading: 'Loading the news',
  loadingMore: 'Loading older news',
  end: 'That is all that GitHub tells of.',
  emptyTitle: 'Nothing new',
  emptyReceived: 'What the people you follow do on GitHub shows here. Find somebody to follow.',
  emptyPublic: 'GitHub tells of nothing at the moment.',
  findPeople: 'Find people',
  received: 'From those you follow on GitHub',
  everybody: 'What happens on GitHub, in public.',
  personal: 'Link your GitHub account',
  personalRest: ' to see what the people you follow do.',
  stored: (age) => `As of ${age}`,
  storedSome: 'As of some time ago',
  limitedUntil: (time) => `GitHub answers again at ${time}.`,
  newer: (count) => `${count} new`,
  newerLabel: (count) => `Show ${count} new ${plural(count, 'item', 'items')}`,
  refresh: 'Refresh',
  refreshing: 'Asking GitHub',
  upToDate: (span) => `Up to date. GitHub can be asked again in ${span}.`,
  offline: 'The news could not be loaded.',

  open: 'Open',
  onGitHub: 'On GitHub',
  onGitHubOf: (title) => `${title} on GitHub`,
  share: 'Share to chat',
  shareOf: (title) => `Share ${title} to a chat`,
  shareTitle: 'Share to…',
  searchChats: 'Search chats',
  noChats: 'No chat of this name',

  back: 'Back',
  /** A state and its words; both are '' for one that nobody knows. @param {string|undefined} state */
  stateOf: (state) => (state !== undefined && Object.hasOwn(states, state) ? { state, stateText: states[state] } : { state: '', stateText: '' }),
  kinds: {
    repository: 'Repository', issue: 'Issue', pull: 'Pull request', release: 'Release', commit: 'Commit',
    person: 'Person',
  },
  counts: {
    comments: (count) => `${count} ${plural(count, 'comment', 'comments')}`,
    commits: (count) => `${count} ${plural(count, 'commit', 'commits')}`,
    additions: (count) => `+${count} ${plural(count, 'line', 'lines')}`,
    deletions: (count) => `−${count} ${plural(count, 'line', 'lines')}`,
    files: (count) => `${count} ${plural(count, 'file', 'files')}`,
    stars: (count) => `${count} ${plural(count, 'star', 'stars')}`,
    forks: (count) => `${count} ${plural(count, 'fork', 'forks')}`,
    issues: (count) => `${count} open ${plural(count, 'issue', 'issues')}`,
    assets: (count) => `${count} ${plural(count, 'download', 'downloads')}`,
  },
  notes: { language: 'Language', license: 'Licence', branch: 'Main branch', base: 'Into', head: 'From', homepage: 'Page' },
  by: (kind) => (kind === 'repository' ? 'of' : 'by'),
  created: {
    repository: 'created', issue: 'opened', pull: 'opened', release: 'published', commit: 'written',
  },
  closed: 'closed',
  merged: 'merged',
  noText: 'No description.',
  details: 'Details',
  labels: 'Labels',
  topics: 'Topics',
  loadingThing: 'Loading from GitHub',
  missingTitle: 'There is nothing here',
  missing: 'It may be private, renamed or gone. GitHub does not say which.',
  toNews: 'To the news',

  write: 'Write',
  writing: (name) => `The chat with ${name} could not be opened.`,
  followers: (count) => `${count} ${plural(count, 'follower', 'followers')}`,
  following: (count) => `${count} following`,
  repositories: (count) => `${count} public ${plural(count, 'repository', 'repositories')}`,
  joined: (date) => `On GitHub since ${date}`,
  member: 'On this Hubbub',
  company: 'Works at',
  location: 'Location',
  blog: 'Page',
};
