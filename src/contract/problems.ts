/** Why the admin API rejects a request: every code with its status in one table. A problem is returned as a value. */

import type { z } from 'zod';
import type { issueSchema } from './schemas/common.js';

/** One thing that is wrong with the input. Line and column are 1-based. */
export type ValidationIssue = Readonly<z.output<typeof issueSchema>>;

const specs = {
  invalid_request: 400,
  invalid_body: 400,
  invalid_content: 400,
  invalid_mapping: 400,
  invalid_schema: 400,
  too_costly: 400,
  invalid_segment: 400,
  invalid_import: 400,
  release_invalid: 400,
  invalid_token: 401,
  forbidden: 403,
  cross_site: 403,
  approval_forbidden: 403,
  not_found: 404,
  environment_not_found: 404,
  key_not_found: 404,
  content_not_found: 404,
  line_not_found: 404,
  revision_not_found: 404,
  segment_not_found: 404,
  sample_user_not_found: 404,
  user_not_found: 404,
  token_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  release_not_found: 404,
  experiment_not_found: 404,
  metric_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  environment_exists: 409,
  environment_protected: 409,
  key_exists: 409,
  user_exists: 409,
  last_owner: 409,
  token_given: 409,
  user_of_provider: 409,
  key_revoked: 409,
  limit_reached: 409,
  last_line: 409,
  not_deleted: 409,
  revision_conflict: 409,
  revision_older: 409,
  segment_conflict: 409,
  segment_in_use: 409,
  items_rejected: 409,
  plan_required: 409,
  plan_stale: 409,
  release_state: 409,
  release_changed: 409,
  release_conflict: 409,
  release_active: 409,
  release_required: 409,
  approvals_missing: 409,
  confirmation_required: 409,
  events_off: 409,
  experiment_exists: 409,
  experiment_state: 409,
  experiment_rule: 409,
  experiment_running: 409,
  slices_overlap: 409,
  salt_in_use: 409,
  layer_in_use: 409,
  layers_conflict: 409,
  metric_in_use: 409,
  webhook_disabled: 409,
  webhook_busy: 409,
  backup_running: 409,
  housekeeping_running: 409,
  history_not_kept: 410,
  body_too_large: 413,
  invalid_content_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  overloaded: 503,
  store_unavailable: 503,
  upgrade_in_progress: 503,
  not_published: 503,
  analysis_busy: 503,
  analysis_failed: 503,
} as const;

export type ProblemCode = keyof typeof specs;
export const problemCodes = Object.keys(specs) as readonly ProblemCode[];
export type ProblemStatus = (typeof specs)[ProblemCode];

/** The HTTP status of a code. */
export function statusOf(code: ProblemCode): ProblemStatus {
  return specs[code];
}

export class Problem {
  readonly code: ProblemCode;
  readonly status: number;
  /** One helpful sentence for people. */
  readonly detail: string;
  readonly errors: readonly ValidationIssue[];
  /** Members of the problem document beside the standard ones, as RFC 9457 allows. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: ProblemCode,
    detail: string,
    errors: readonly ValidationIssue[] = [],
    members: Readonly<Record<string, unknown>> = {},
  ) {
    this.code = code;
    this.status = statusOf(code);
    this.detail = detail;
    this.errors = errors;
    this.members = members;
  }
}
