/** The GitHub directory, put together. `app.js` fetches this when it is gone to. */
import { PeopleViewModel } from './viewmodels/peopleViewModel.js';
import { loadStyles } from './views/laterStyles.js';
import { PeopleView } from './views/people.js';

/**
 * @param {ReturnType<import('./services/client.js').createClient>} client
 * @param {(address: string, options?: {replace?: boolean, keepsFocus?: boolean}) => void} navigate
 */
export async function makePeople(client, navigate) {
  await loadStyles('directory');
  return new PeopleView(new PeopleViewModel(client), navigate);
}
