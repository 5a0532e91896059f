import { ageText, hourText, previewOf, spanText } from '../models/format.js';
import { peopleTexts } from '../models/texts/people.js';
import { problemText, texts } from '../models/texts.js';

const words = texts.people;
/** When GitHub does not say when its limit resets. */
const USUAL_WAIT = 60_000;

/** Whether a list that failed with this should wait and try again by itself (D3). */
export function isRateLimit(error) {
  return error.kind === 'github-rate-limited' || error.kind === 'rate-limited';
}

/** When to try again after a rate limit, in milliseconds since 1970. */
export function retryTime(error, now) {
  // A second more: our clock and GitHub's are not the same.
  if (error.resetAt !== null) return Math.max(error.resetAt, now) + 1000;
  return now + (error.retryAfter ?? USUAL_WAIT);
}

/** @returns {import('./types.js').RateLimitAlert} */
export function rateLimitAlert(error, retryAt, now) {
  return Object.freeze({
    kind: 'rate-limit',
    message: error.kind === 'rate-limited' ? texts.problem.slowDown : words.rateLimited,
    resetAtText: error.resetAt === null ? null : hourText(error.resetAt),
    resetAtISO: error.resetAt === null ? null : new Date(error.resetAt).toISOString(),
    countdownText: words.countdown(spanText(retryAt - now)),
    canRetry: false,
  });
}

/** @returns {import('./types.js').FailureAlert} */
export function failureAlert(error) {
  return Object.freeze({ kind: 'failure', message: messageOf(error), debug: debugLine(error), canRetry: true });
}

/**
 * The one quiet line over a stored list: why it is not newer, and how old it is.
 * @param {string} reason the name of the problem that it would have been; '' where an alert says it
 * @param {number|null} fetchedAt
 */
export function staleText(reason, fetchedAt, now) {
  const age = fetchedAt === null ? words.storedSome : words.stored(ageText(fetchedAt, now));
  const why = { 'github-unavailable': peopleTexts.unreachable, 'not-found': peopleTexts.gone }[reason];
  return why ? `${why} · ${age}` : age;
}

function messageOf(error) {
  if (error.kind === 'github-unavailable') return words.failed;
  if (error.kind === 'not-found') return words.notFound;
  return `${words.loadFailed} ${problemText(error)}`;
}

/** For the operator (D4): one line, never a page of HTML. */
function debugLine({ status, requestId, detail, github }) {
  const said = previewOf(github.message || detail || '');
  const parts = [
    github.status ?? status ? words.debugStatus(github.status ?? status) : '',
    github.requestId || requestId ? words.debugRequest(github.requestId || requestId) : '',
    said.includes('<') ? '' : said,
  ];
  return parts.filter(Boolean).join(' · ');
}
