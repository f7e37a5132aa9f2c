/** The media type of a request's body: JSON, or NDJSON where the operation takes lines. */
import { ndjsonType } from '../../../contract/media-types.js';
import type { OperationSpec } from '../../../contract/operation.js';
import { Problem } from '../../../contract/problems.js';
import { RequestRejected } from '../request-rejected.js';

type BodyKind = Pick<OperationSpec, 'body' | 'lines'>;

/** The body has another type than the operation takes, or is missing. */
export function bodyTypeProblem({ lines }: BodyKind): Problem {
  const type = lines === undefined ? 'application/json' : `${ndjsonType}, one JSON value a line`;
  return new Problem('invalid_content_type', `The body must be sent as ${type}.`);
}

/**
 * Where the operation takes no body, any type will do.
 * @param sent what the body's `Content-Type` is
 * @throws RequestRejected
 */
export function checkBodyType(operation: BodyKind, sent: 'json' | 'lines'): void {
  const other = sent === 'json' ? operation.lines : operation.body;
  if (other !== undefined) throw new RequestRejected(bodyTypeProblem(operation));
}
