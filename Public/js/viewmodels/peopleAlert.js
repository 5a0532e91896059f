import { ageText } from '../models/days.js';
import { hourText, problemText, spanText } from '../models/format.js';
import { peopleTexts } from '../models/texts/people.js';
import { texts } from '../models/texts.js';
import { sharedTexts } from '../models/texts/shared.js';

/** The wait if GitHub does not say when its limit resets. */
const USUAL_WAIT = 60_000;
/** The longest reason of GitHub's that is shown, in characters. */
const LONGEST_REASON = 200;

/** Whether a list should retry by itself after this error. */
export function isRateLimit(error) {
  return error.kind === 'github-rate-limited' || error.kind === 'rate-limited';
}

/** When to retry after a rate limit, in milliseconds since 1970. */
export function retryTime(error, now) {
  // One second of tolerance between the clocks.
  if (error.resetAt !== null) return Math.max(error.resetAt, now) + 1000;
  return now + (error.retryAfter ?? USUAL_WAIT);
}

/** @returns {import('./types.js').RateLimitAlert} */
export function rateLimitAlert(error, retryAt, now) {
  return Object.freeze({
    kind: 'rate-limit',
    message: error.kind === 'rate-limited' ? texts.problem['rate-limited'] : peopleTexts.rateLimited,
    resetAtText: error.resetAt === null ? null : hourText(error.resetAt),
    resetAtISO: error.resetAt === null ? null : new Date(error.resetAt).toISOString(),
    countdownText: peopleTexts.countdown(spanText(retryAt - now)),
    canRetry: false,
  });
}

/** @returns {import('./types.js').FailureAlert} */
export function failureAlert(error) {
  return Object.freeze({ kind: 'failure', message: messageOf(error), debug: debugLine(error), canRetry: true });
}

/**
 * The note above a stored list: why it is outdated, and its age.
 * @param {string} reason the kind of the problem; '' if an alert shows it
 * @param {number|null} fetchedAt
 */
export function staleText(reason, fetchedAt, now) {
  const age = fetchedAt === null ? peopleTexts.storedSome : peopleTexts.stored(ageText(fetchedAt, now));
  const why = { 'github-unavailable': peopleTexts.unreachable, 'not-found': peopleTexts.gone }[reason];
  return why ? `${why} · ${age}` : age;
}

function messageOf(error) {
  if (error.kind === 'github-unavailable') return peopleTexts.failed;
  if (error.kind === 'not-found') return peopleTexts.notFound;
  return `${sharedTexts.listFailed} ${problemText(error)}`;
}

/** The debug line for the operator; an HTML body is left out. */
function debugLine({ status, requestId, detail, github }) {
  const said = (github.message || detail || '').slice(0, LONGEST_REASON).replaceAll(/\s+/gu, ' ').trim();
  const parts = [
    github.status ?? status ? peopleTexts.debugStatus(github.status ?? status) : '',
    github.requestId || requestId ? peopleTexts.debugRequest(github.requestId || requestId) : '',
    said.includes('<') ? '' : said,
  ];
  return parts.filter(Boolean).join(' · ');
}
