/** Composes the GitHub directory. `app.js` fetches it for its address. */
import { PeopleViewModel } from '../viewmodels/peopleViewModel.js';
import { loadStyles } from '../views/laterStyles.js';
import { PeopleView } from '../views/peopleView.js';

/**
 * @param {ReturnType<import('../services/client.js').createClient>} client
 * @param {(address: string, options?: {replace?: boolean, keepsFocus?: boolean, beside?: string}) => void} navigate
 */
export async function makePeople(client, navigate) {
  await loadStyles('directory');
  return new PeopleView(new PeopleViewModel(client), navigate);
}
