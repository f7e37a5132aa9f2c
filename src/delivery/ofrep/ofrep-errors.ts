/** How OFREP rejects requests: the protocol's error form, and the reasons that only its routes have. */
import { Problem, problems } from '../problems.js';

/** OpenFeature specification, "Error code". */
type ErrorCode =
  | 'FLAG_NOT_FOUND'
  | 'PARSE_ERROR'
  | 'TARGETING_KEY_MISSING'
  | 'INVALID_CONTEXT'
  | 'GENERAL';

const contentType = 'application/json; charset=utf-8';

/** A response that rejects an OFREP request. */
export class OfrepError extends Problem {
  /**
   * @param key of the flag; null where the request names none
   * @param code for programs beside the protocol's, in `metadata`
   */
  constructor(
    status: number,
    title: string,
    key: string | null,
    errorCode: ErrorCode,
    code: string,
    detail: string,
  ) {
    super(
      { title, status, code, detail },
      ofrepErrorBody(key, errorCode, code, detail),
      contentType,
    );
  }
}

/** Providers need all four members: `errorDetails` is read unasked, and so is `metadata` (docs/ofrep.md). */
function ofrepErrorBody(
  key: string | null,
  errorCode: ErrorCode,
  code: string,
  errorDetails: string,
): Uint8Array {
  const named = key === null ? {} : { key };
  return Buffer.from(JSON.stringify({ ...named, errorCode, errorDetails, metadata: { code } }));
}

const contextInvalid = (detail: string): Problem =>
  new Problem({ title: 'Bad Request', status: 400, code: 'invalid_context', detail });
const tooLarge = (detail: string): Problem =>
  new Problem({ title: 'Bad Request', status: 400, code: 'too_many_flags', detail });
const tokenInvalid = (status: number, title: string, detail: string): Problem =>
  new Problem({ title, status, code: 'invalid_token', detail });

/** Reasons beside those of `problems`; `asOfrepError` gives them their form. */
export const ofrepProblems = {
  keyInvalid: new Problem({
    title: 'Unauthorized',
    status: 401,
    code: 'invalid_api_key',
    detail:
      'Send an API key as X-Api-Key or as Authorization: Bearer; it is missing, unknown, revoked or expired.',
  }),
  bodyNotObject: new Problem({
    title: 'Bad Request',
    status: 400,
    code: 'invalid_body',
    detail: 'The request body must be a JSON object with the member context.',
  }),
  contextNotObject: contextInvalid('context must be a JSON object.'),
  targetingKeyInvalid: contextInvalid('context.targetingKey must be a string.'),
  sequenceInvalid: new Problem({
    title: 'Bad Request',
    status: 400,
    code: 'invalid_sequence',
    detail:
      'flagConfigEtag, and X-Min-Sequence, must be a whole number of at most 15 digits: the etag of an event.',
  }),
  tokenInvalid: tokenInvalid(
    401,
    'Unauthorized',
    'The query parameter token is missing, malformed or expired; a bulk evaluation has a new one.',
  ),
  tokenRevoked: tokenInvalid(
    403,
    'Forbidden',
    'The API key that this token was made for is revoked or expired.',
  ),
} as const satisfies Readonly<Record<string, Problem>>;

/** @param flagsMax see `bulkFlagsMax` */
export function tooManyFlags(count: number, flagsMax: number): Problem {
  return tooLarge(
    `The content items of this environment list ${count} flags; a bulk evaluation has at most ${flagsMax}.`,
  );
}

/** @param bytesMax --combine-bytes-max */
export function flagsTooLarge(bytesMax: number): Problem {
  return tooLarge(
    `The flags that are listed have more than ${bytesMax} bytes together, which is the most that a bulk evaluation has.`,
  );
}

export function flagNotFound(key: string, reason: string): OfrepError {
  return new OfrepError(404, 'Not Found', key, 'FLAG_NOT_FOUND', 'flag_not_found', reason);
}

export function targetingKeyMissing(key: string): OfrepError {
  return new OfrepError(
    400,
    'Bad Request',
    key,
    'TARGETING_KEY_MISSING',
    'targeting_key_missing',
    'This flag is part of an A/B test; send context.targetingKey, so that the player can be put into a group.',
  );
}

/**
 * The same reason in OFREP's form. Overload is 429 there: providers wait for the time of Retry-After with that status only.
 * @param key of the flag; null where the request names none
 */
export function asOfrepError(problem: Problem, key: string | null): Problem {
  if (problem instanceof OfrepError) return problem;
  const { status, code, detail } =
    problem === problems.keyInvalid ? ofrepProblems.keyInvalid : problem;
  const title = problem.statusLine.slice(4);
  const errorCode = errorCodeOf(problem);
  if (status === 503) return new OfrepError(429, 'Too Many Requests', key, errorCode, code, detail);
  return new OfrepError(status, title, key, errorCode, code, detail);
}

function errorCodeOf(problem: Problem): ErrorCode {
  if (problem === problems.contextOverworked) return 'INVALID_CONTEXT';
  switch (problem.code) {
    case 'invalid_context':
      return 'INVALID_CONTEXT';
    case 'invalid_body':
      return 'PARSE_ERROR';
    default:
      return 'GENERAL';
  }
}
