/** Names operations for generated clients: from method and path, which are an interface already, so the names are as stable. */

/** Where the rule below would read badly. */
const given: Readonly<Record<string, string>> = {
  'GET /healthz': 'getHealth',
  'GET /readyz': 'getReadiness',
  'GET /metrics': 'getMetrics',
  'GET /metrics.json': 'getFigures',
  'GET /openapi.json': 'getAdminDocument',
  'GET /openapi-delivery.json': 'getDeliveryDocument',
  'GET /admin/v1/me': 'getMe',
  'POST /admin/v1/session': 'signIn',
  'DELETE /admin/v1/session': 'signOut',
  'GET /admin/v1/audit': 'listAudit',
  'POST /admin/v1/backup': 'makeBackup',
  'POST /admin/v1/retention': 'applyRetention',
  'POST /admin/v1/environments/:env/evaluate': 'evaluateContent',
  'POST /admin/v1/environments/:env/preview': 'previewContent',
  'POST /admin/v1/environments/:env/segments/test': 'testSegment',
  'POST /admin/v1/webhooks/:id/secret': 'replaceWebhookSecret',
};

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'update',
  DELETE: 'delete',
};

const plural = /(?<!s)s$/;
const wordEnd = /[-.]/;

/**
 * `PUT …/contents/:id` is putContent, `GET …/contents` listContents, `POST …/contents` createContent,
 * `POST …/contents/:id/publish` publishContent.
 * @param url as Fastify writes it, with `:name` for what varies
 */
export function operationIdOf(method: string, url: string): string {
  const known = given[`${method} ${url}`];
  if (known !== undefined) return known;
  const parts = url.replace('/admin/v1/', '/').split('/').filter(Boolean);
  const last = parts.at(-1) ?? '';
  const nouns = parts.filter((part) => !part.startsWith(':'));
  // An environment is where most things are; it is named only where it is what the operation is about.
  if (nouns.length > 1 && plural.test(nouns[1] ?? '') && nouns[0] === 'environments') nouns.shift();
  const owners = nouns.slice(0, -1).map((noun) => pascal(singular(noun)));
  const name = nouns.at(-1) ?? '';
  if (last.startsWith(':')) {
    return `${verbs[method] ?? method.toLowerCase()}${owners.join('')}${pascal(singular(name))}`;
  }
  if (plural.test(name)) {
    const isMaking = method === 'POST';
    const verb = isMaking ? 'create' : method === 'GET' ? 'list' : verbs[method];
    return `${verb}${owners.join('')}${pascal(isMaking ? singular(name) : name)}`;
  }
  // What is neither a collection nor one of it is a verb: of one thing (publish), or of all there are (retry).
  const object = parts.at(-2) ?? '';
  if (!object.startsWith(':') && plural.test(object)) owners.splice(-1, 1, pascal(object));
  return lowerFirst(pascal(name)) + owners.join('');
}

function singular(noun: string): string {
  return noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(plural, '');
}

function pascal(words: string): string {
  return words
    .split(wordEnd)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function lowerFirst(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
