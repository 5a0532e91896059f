import { gitHubTexts } from './texts/gitHub.js';

/** The message for a GitHub sign-in that failed; '' for an unknown name. @param {string|null} name */
export function gitHubFailure(name) {
  return Object.hasOwn(gitHubTexts.failures, name ?? '') ? gitHubTexts.failures[name] : '';
}
