import { gitHubTexts } from './texts/gitHub.js';

/** What to say of somebody's coming back from GitHub with nothing; '' for a name that is none. @param {string|null} name */
export function gitHubFailure(name) {
  return Object.hasOwn(gitHubTexts.failures, name ?? '') ? gitHubTexts.failures[name] : '';
}
