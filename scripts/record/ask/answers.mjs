// What the functions that are answered in place of the release's own return.
export const answers = { store: null, hasStore: false, catalog: [] };

export function setStore(store) {
  answers.store = store ?? { version: 1, profiles: {} };
  answers.hasStore = Boolean(store);
}
