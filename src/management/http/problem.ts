/** Answers refusals and faults as RFC 9457 problem details: everything that is not a success goes through here. */
import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import { WorkFailed, WorkOverloaded, WorkTooLong } from '../jobs/work.js';
import { overloadedRetrySeconds } from '../limits.js';
import { codeOf, StoreUnavailable, UpgradeInProgress } from '../store/store-errors.js';
import { BodyRejected } from './body/read-body.js';
import { NotPublished } from './commit.js';
import { RequestInvalid } from './validate.js';

/** The body of a refusal, JSON text. */
export function problemText(refusal: Problem): string {
  const { code, status, detail, errors, members } = refusal;
  const title = STATUS_CODES[status] ?? 'Error';
  const faults = errors.length > 0 ? { errors } : {};
  return JSON.stringify({
    type: 'about:blank',
    title,
    status,
    code,
    detail,
    ...faults,
    ...members,
  });
}

export function sendProblem(reply: FastifyReply, refusal: Problem): FastifyReply {
  if (refusal.code === 'overloaded') reply.header('retry-after', overloadedRetrySeconds);
  // Bytes, because no serializer looks at those.
  return reply
    .code(refusal.status)
    .header('content-type', 'application/problem+json')
    .send(Buffer.from(problemText(refusal)));
}

/** Whatever was thrown on the way, Fastify's own refusals included. */
export function handleError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error);
  if (error instanceof BodyRejected) keepReading(reply, refusal);
  else if (refusal.status >= 500 && refusal.code !== 'overloaded')
    request.log.error({ err: error }, 'the admin API failed');
  return sendProblem(reply, refusal);
}

/**
 * Fastify closes the connection after a body that it could not take. Whoever still sends would then not see the answer,
 * so the rest is read and thrown away; only what comes too slowly is not waited for.
 */
function keepReading(reply: FastifyReply, { code }: Problem): void {
  if (code !== 'request_timeout') reply.removeHeader('connection');
}

export function handleNotFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendProblem(reply, new Problem('not_found', 'The admin API has no such path.'));
}

function refusalOf(error: FastifyError): Problem {
  if (error instanceof BodyRejected) return error.refusal;
  if (error instanceof RequestInvalid) return error.problem;
  if (error instanceof StoreUnavailable) return new Problem('store_unavailable', error.message);
  if (error instanceof UpgradeInProgress) return new Problem('upgrade_in_progress', error.message);
  // Texts are refused where they come in; this is for one that came another way. PostgreSQL keeps no U+0000.
  if (codeOf(error) === notStorable) {
    return new Problem(
      'invalid_request',
      'A text in the request has a character that cannot be kept.',
    );
  }
  if (error instanceof NotPublished) return new Problem('not_published', error.message);
  if (error instanceof WorkOverloaded) {
    return new Problem('overloaded', `${error.message} Try again later.`);
  }
  if (error instanceof WorkTooLong) return new Problem('too_costly', error.message);
  if (error instanceof WorkFailed && error.isMemory)
    return new Problem('too_costly', error.message);
  const { statusCode } = error;
  if (statusCode === 413) {
    return new Problem('body_too_large', 'The body is larger than this route takes.');
  }
  if (statusCode === 415) {
    return new Problem('invalid_content_type', 'The body must be sent as application/json.');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('invalid_request', error.message);
  }
  return new Problem('internal', 'The server failed; its log says more.');
}

/** SQLSTATE character_not_in_repertoire. */
const notStorable = '22021';

/** The faults of one field of the body. */
export function bodyIssue(path: string, message: string): Problem {
  const errors: ValidationIssue[] = [{ path, message }];
  return new Problem('invalid_body', 'The body of the request is not valid.', errors);
}
