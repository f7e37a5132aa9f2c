/** Sends problems as RFC 9457 problem details: every response that is not a success goes through here. */
import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type ProblemCode, type ValidationIssue } from '../../contract/problems.js';
import { AnalysisUnavailable } from '../analysis-unavailable.js';
import { WorkFailed, WorkOverloaded, WorkTooLong } from '../jobs/work.js';
import { overloadedRetrySeconds } from '../limits/bodies.js';
import { codeOf, StoreUnavailable, UpgradeInProgress } from '../store/store-errors.js';
import { bodyTypeProblem } from './body/body-type.js';
import { BodyRejected } from './body/read-body.js';
import { NotPublished } from './commit.js';
import { RequestRejected } from './request-rejected.js';

/** The body of a problem response, JSON text. */
export function problemText({ code, status, detail, errors, members }: Problem): string {
  const title = STATUS_CODES[status] ?? 'Error';
  const issues = errors.length > 0 ? { errors } : {};
  return JSON.stringify({
    type: 'about:blank',
    title,
    status,
    code,
    detail,
    ...issues,
    ...members,
  });
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.request.span?.set({ 'loadout.problem': problem.code });
  if (problem.code === 'overloaded') reply.header('retry-after', overloadedRetrySeconds);
  // Bytes, because no serializer looks at those.
  return reply
    .code(problem.status)
    .header('content-type', 'application/problem+json')
    .send(Buffer.from(problemText(problem)));
}

/** The server is busy, or has logged already what failed. */
const expected: ReadonlySet<ProblemCode> = new Set([
  'overloaded',
  'analysis_busy',
  'analysis_failed',
]);

/** Whatever was thrown on the way to a response, Fastify's own errors included. */
export function handleError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error, request);
  if (error instanceof BodyRejected) keepReading(reply, problem);
  else if (problem.status >= 500 && !expected.has(problem.code))
    request.log.error({ event: 'admin_api_failed', err: error }, 'the admin API failed');
  return sendProblem(reply, problem);
}

/**
 * Fastify closes the connection after a body that it could not take. A client that still sends would then not see the
 * response, so the rest is read and discarded, unless it comes too slowly.
 */
function keepReading(reply: FastifyReply, { code }: Problem): void {
  if (code !== 'request_timeout') reply.removeHeader('connection');
}

export function handleNotFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendProblem(reply, new Problem('not_found', 'The admin API has no such path.'));
}

function problemOf(error: FastifyError, { routeOptions }: FastifyRequest): Problem {
  if (error instanceof RequestRejected) return error.problem;
  if (error instanceof StoreUnavailable) return new Problem('store_unavailable', error.message);
  if (error instanceof UpgradeInProgress) return new Problem('upgrade_in_progress', error.message);
  if (error instanceof NotPublished) return new Problem('not_published', error.message);
  if (error instanceof WorkOverloaded) {
    return new Problem('overloaded', `${error.message} Try again later.`);
  }
  if (error instanceof AnalysisUnavailable) return new Problem(error.code, error.message);
  if (error instanceof WorkTooLong || (error instanceof WorkFailed && error.isMemory)) {
    return new Problem('too_costly', error.message);
  }
  // Schemas reject such texts; this is for one that came another way. PostgreSQL keeps no U+0000.
  if (codeOf(error) === notStorable) {
    const detail = 'A text in the request has a character that cannot be kept.';
    return new Problem('invalid_request', detail);
  }
  const { statusCode = 500 } = error;
  if (statusCode === 413) {
    return new Problem('body_too_large', 'The body is larger than this route takes.');
  }
  if (statusCode === 415) return bodyTypeProblem(routeOptions.config);
  if (statusCode >= 400 && statusCode < 500) return new Problem('invalid_request', error.message);
  return new Problem('internal', 'The server failed; its log says more.');
}

/** SQLSTATE character_not_in_repertoire. */
const notStorable = '22021';

/** An issue of one field of the body. */
export function bodyIssue(path: string, message: string): Problem {
  const errors: ValidationIssue[] = [{ path, message }];
  return new Problem('invalid_body', 'The body of the request is not valid.', errors);
}
