"""The content of a page's IndexedDB, read independently of the app."""

KEPT = """async () => {
  const settled = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
  const all = { outbox: {}, messages: {}, meta: {} };
  // Opening what is not there would make it, and without its collections.
  if (!(await indexedDB.databases()).some(({ name }) => name === 'hubbub')) return all;
  const database = await settled(indexedDB.open('hubbub'));
  for (const name of database.objectStoreNames) {
    const store = database.transaction(name).objectStore(name);
    const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
    all[name] = Object.fromEntries(keys.map((key, index) => [key, values[index]]));
  }
  database.close();
  return all;
}"""


def kept(page):
    """Everything: values by key, by collection (`outbox`, `messages`, `meta`)."""
    return page.evaluate(KEPT)


def kept_texts(page, room):
    """The texts of the messages of one chat."""
    record = kept(page)["messages"].get(room) or {"messages": []}
    return [message["text"] for message in record["messages"]]
