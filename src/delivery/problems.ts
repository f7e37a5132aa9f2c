/** Every reason to reject a request, as ready bytes: the table of conditions in docs/delivery-api.md. */

interface ProblemSpec {
  readonly status: number;
  readonly title: string;
  readonly code: string;
  readonly detail: string;
}

const problemType = 'application/problem+json';

/** A response that rejects a request, as ready bytes: RFC 9457 problem details, unless it is given others. */
export class Problem {
  readonly status: number;
  readonly code: string;
  /** One sentence for people. */
  readonly detail: string;
  readonly contentType: string;
  /** Status line text, e.g. `404 Not Found`. */
  readonly statusLine: string;
  readonly body: Uint8Array;
  /** Whether trying again later helps: the response then says when. */
  readonly retry: boolean;

  constructor(
    spec: ProblemSpec,
    body: Uint8Array = Buffer.from(JSON.stringify({ type: 'about:blank', ...spec })),
    contentType: string = problemType,
  ) {
    this.status = spec.status;
    this.code = spec.code;
    this.detail = spec.detail;
    this.contentType = contentType;
    this.statusLine = `${spec.status} ${spec.title}`;
    this.retry = spec.status === 503 || spec.status === 429;
    this.body = body;
  }
}

const problem = (status: number, title: string, code: string, detail: string): Problem =>
  new Problem({ title, status, code, detail });

const badBody = (detail: string): Problem => problem(400, 'Bad Request', 'invalid_body', detail);
const badQuery = (detail: string): Problem => problem(400, 'Bad Request', 'invalid_query', detail);

type ProblemName =
  | 'pathUnknown'
  | 'methodWrong'
  | 'keyInvalid'
  | 'contentTypeInvalid'
  | 'bodyTooLarge'
  | 'bodyLate'
  | 'framingInvalid'
  | 'sequenceInvalid'
  | 'bodyEmpty'
  | 'bodyNotUtf8'
  | 'bodyNotJson'
  | 'bodyNotObject'
  | 'bodyValuesTooMany'
  | 'userInvalid'
  | 'attributesInvalid'
  | 'versionInvalid'
  | 'contextOverworked'
  | 'haveInvalid'
  | 'refreshIdsInvalid'
  | 'refreshTooMany'
  | 'idsSpelledTwice'
  | 'bytesMaxInvalid'
  | 'atInvalid'
  | 'modeInvalid'
  | 'receiptUserInvalid'
  | 'receiptTextInvalid'
  | 'okInvalid'
  | 'receiptInvalid'
  | 'receiptsTooMany'
  | 'receiptsOfKeyTooMany'
  | 'eventsInvalid'
  | 'eventsTooMany'
  | 'eventsOfKeyTooMany'
  | 'eventsOfUserTooMany'
  | 'eventsNotStored'
  | 'idsMissing'
  | 'idsTooMany'
  | 'dynamicInvalid'
  | 'responseTypeInvalid'
  | 'responseTypeAlone'
  | 'combineTooLarge'
  | 'contentUnknown'
  | 'rateLimited'
  | 'streamsFull'
  | 'overloaded'
  | 'contentUnavailable'
  | 'sequenceNotReached'
  | 'internal';

export const problems: Readonly<Record<ProblemName, Problem>> = {
  pathUnknown: problem(
    404,
    'Not Found',
    'not_found',
    'There is nothing at this path; see /api/v1/config/{contentId}/dynamic, /api/v1/config/{contentId}, /api/v1/combine/, /api/v1/env/catalog, /api/v1/refresh, /api/v1/stream, /api/v1/receipts, /api/v1/events and /ofrep/v1/.',
  ),
  methodWrong: problem(
    405,
    'Method Not Allowed',
    'method_not_allowed',
    'This path is called with another method; the Allow header names it.',
  ),
  keyInvalid: problem(
    401,
    'Unauthorized',
    'invalid_api_key',
    'The X-Api-Key header is missing, or its key is unknown, revoked, expired or for events only.',
  ),
  contentTypeInvalid: problem(
    400,
    'Bad Request',
    'invalid_content_type',
    'Send the header Content-Type: application/json.',
  ),
  bodyTooLarge: problem(
    413,
    'Content Too Large',
    'body_too_large',
    'The request body is larger than this server accepts.',
  ),
  bodyLate: problem(
    408,
    'Request Timeout',
    'request_timeout',
    'The request body did not arrive in time.',
  ),
  framingInvalid: badBody(
    'Send the body with either Content-Length or Transfer-Encoding: chunked.',
  ),
  sequenceInvalid: problem(
    400,
    'Bad Request',
    'invalid_sequence',
    'X-Min-Sequence must be a whole number of at most 15 digits.',
  ),
  bodyEmpty: badBody('The request body is empty; send at least {}.'),
  bodyNotUtf8: badBody('The request body is not UTF-8.'),
  bodyNotJson: badBody('The request body is not JSON.'),
  bodyNotObject: badBody('The request body must be a JSON object with u, p and v.'),
  bodyValuesTooMany: badBody(
    'A request body that is longer than those of other requests may have 20,000 members and elements.',
  ),
  userInvalid: badBody('u must be a string.'),
  attributesInvalid: badBody('p must be an object.'),
  versionInvalid: badBody(
    'v must be a version of the form X.Y.Z: three runs of at most nine digits.',
  ),
  contextOverworked: badBody(
    'The rules need more work for these attributes than one request may cause; send fewer or shorter attributes, or ask for fewer contents at a time.',
  ),
  haveInvalid: badBody(
    'have must be an object whose names are content ids and whose values are tags, which are strings.',
  ),
  refreshIdsInvalid: badBody('ids must be an array of content ids.'),
  refreshTooMany: badBody('have and ids may have 10,000 entries together.'),
  idsSpelledTwice: badBody('A content id is given in two spellings.'),
  bytesMaxInvalid: badBody('bytesMax must be a whole number of bytes, 1 or more.'),
  atInvalid: badBody('at must be a date-time as RFC 3339 writes it, such as 2026-11-27T18:00:00Z.'),
  modeInvalid: badBody('mode is either data or notify.'),
  receiptUserInvalid: badBody('u must be the user id that the receipt was given for.'),
  receiptTextInvalid: badBody('receipt must be the text that a refresh or a stream gave.'),
  okInvalid: badBody('ok must be true or false.'),
  receiptInvalid: problem(
    400,
    'Bad Request',
    'invalid_receipt',
    'This receipt was not given to this user by this environment.',
  ),
  eventsInvalid: badBody('events must be an array of events.'),
  idsMissing: badQuery(
    'Name the content ids: a JSON array in the query parameter c, or an array of strings in the body as c.',
  ),
  idsTooMany: badQuery('c names more content ids than one call may ask for.'),
  dynamicInvalid: badQuery('The query parameter dynamic is either true or false.'),
  responseTypeInvalid: badQuery(
    'The only value of the query parameter responseType is serialized.',
  ),
  responseTypeAlone: badQuery('On combine, responseType needs dynamic=true.'),
  combineTooLarge: badQuery(
    'These contents are too large to be combined; ask for fewer at a time.',
  ),
  contentUnknown: problem(
    404,
    'Not Found',
    'content_not_found',
    "No published content of this key's environment has this id for this app version.",
  ),
  rateLimited: problem(
    429,
    'Too Many Requests',
    'rate_limited',
    'This key has made more requests than it may; try again after the given delay.',
  ),
  streamsFull: problem(
    429,
    'Too Many Requests',
    'rate_limited',
    'This address, this key or this server has as many open streams as it may; try again after the given delay, and refresh meanwhile.',
  ),
  receiptsTooMany: problem(
    429,
    'Too Many Requests',
    'rate_limited',
    'This address has sent more receipts than it may; try again after the given delay.',
  ),
  receiptsOfKeyTooMany: problem(
    429,
    'Too Many Requests',
    'rate_limited',
    'This key has sent more receipts than it may; try again after the given delay.',
  ),
  eventsTooMany: problem(
    429,
    'Too Many Requests',
    'rate_limited',
    'This address has sent more requests with events than it may; try again after the given delay.',
  ),
  eventsOfKeyTooMany: problem(
    429,
    'Too Many Requests',
    'rate_limited',
    'This key has sent more requests with events than it may; try again after the given delay.',
  ),
  eventsOfUserTooMany: problem(
    429,
    'Too Many Requests',
    'rate_limited',
    'This user has sent more events than one may; try again after the given delay.',
  ),
  eventsNotStored: problem(
    503,
    'Service Unavailable',
    'overloaded',
    'The server cannot store events now; keep them, and try again after the given delay.',
  ),
  overloaded: problem(
    503,
    'Service Unavailable',
    'overloaded',
    'The server has more work than it can finish in time; try again after the given delay.',
  ),
  contentUnavailable: problem(
    503,
    'Service Unavailable',
    'content_unavailable',
    'A content item cannot be delivered now; keep what you have, and try again after the given delay.',
  ),
  sequenceNotReached: problem(
    503,
    'Service Unavailable',
    'sequence_not_reached',
    'This server has not received the sequence of X-Min-Sequence in time.',
  ),
  internal: problem(
    500,
    'Internal Server Error',
    'internal',
    'The server failed to answer this request.',
  ),
};
