/** An event of the audit as the admin API shows it. */
import type * as api from '../../contract/operations/audit.js';
import { toIso } from '../to-iso.js';
import type { AuditEvent } from './rows.js';

export function eventJson({ atMs, details, ...rest }: AuditEvent): api.AuditEvent {
  return { ...rest, at: toIso(atMs), details: { ...details } };
}
