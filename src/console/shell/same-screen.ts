/** Where a switch of the environment leads: the same screen of the other one, wherever that makes sense. Pure. */

const envPath = /^\/env\/[^/]+(?:\/(.*))?$/;
const environmentPath = /^\/environments\/[^/]+$/;

/** Screens of things that another environment does not have under the same number or id: their list is shown instead. */
const ownThings: Readonly<Record<string, string>> = {
  releases: 'releases',
  experiments: 'experiments',
  'new-experiment': 'experiments',
};

/** Parameters that mean something in one environment only. */
const ownParameters = ['from', 'new', 'rule', 'revision', 'created', 'found'];

/**
 * Keeps the content item or segment, the tab, the filter and the search.
 * @param path of the screen that is shown @param search its query, without the question mark
 */
export function sameScreenIn(env: string, path: string, search: string): string {
  const id = encodeURIComponent(env);
  if (environmentPath.test(path)) return `/environments/${id}`;
  const rest = envPath.exec(path)?.[1] ?? '';
  const [screen = '', item] = rest.split('/');
  const list = ownThings[screen];
  if (list !== undefined && (item !== undefined || list !== screen)) return `/env/${id}/${list}`;
  const kept = new URLSearchParams(search);
  for (const name of ownParameters) kept.delete(name);
  const query = kept.size === 0 ? '' : `?${kept}`;
  return `/env/${id}${rest === '' ? '' : `/${rest}`}${query}`;
}
