import { ChatStore } from '../../../Public/js/models/chatStore.js';
import { PeopleViewModel } from '../../../Public/js/viewmodels/peopleViewModel.js';
import { FakeClock, ada, answer, failure, fakeApi } from './fakes.js';

export const person = (id, members = {}) => ({
  github_id: id, login: `user${id}`, type: 'User', avatar_url: `/api/v1/avatars/${id}`, user_id: null, online: false,
  member: false, ...members,
});

/** A directory with responses by path; other paths fail. */
export function world(pages, methods = {}) {
  const clock = new FakeClock();
  const store = new ChatStore();
  store.setMe(ada);
  store.load([], 1);
  const api = fakeApi({
    directory: async (path, { signal }) => {
      const page = pages[path];
      if (page === undefined) throw failure('network', { detail: `unexpected ${path}` });
      const result = typeof page === 'function' ? await page(signal) : page;
      if (result instanceof Error) throw result;
      return result;
    },
    people: async () => answer([]),
    ...methods,
  });
  const people = new PeopleViewModel({ api, store, clock });
  const asked = () => api.calls.filter(([name]) => name === 'directory').map(([, path]) => path);
  const logins = () => people.rows.items.map((row) => row.login);
  return { clock, store, api, people, asked, logins, pages };
}

export const users = { kind: 'users', subject: '' };
export const FIRST = '/github/users';
export const STORED = '/github/users?stored=1';
export const NEXT = '/api/v1/github/users?since=2';
