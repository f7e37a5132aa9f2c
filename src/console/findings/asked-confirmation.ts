/** What has to be confirmed before something is published: what its dry run found, or what the server has found since. */
import { useState } from 'react';
import type { Confirmation, Finding } from '../../contract/schemas/guard.js';
import { ApiProblem } from '../api/call.js';

export interface AskedConfirmation {
  /** Null: nothing is to be confirmed, as far as it is known. */
  readonly confirmation: Confirmation | null;
  /** The server rejected the request for it. */
  readonly isRejected: boolean;
  /** It is not what the dry run had found. */
  readonly isNew: boolean;
  /** A release with the approval of a second person is the only way. */
  readonly needsApproval: boolean;
}

/**
 * @param known of the dry run; null: it found nothing; undefined: there is none (yet)
 * @param error of the last request; a rejected confirmation stays while the request is repeated
 */
export function useAskedConfirmation(
  known: Confirmation | null | undefined,
  error: unknown,
): AskedConfirmation {
  const [found, setFound] = useState<Confirmation | null>(null);
  const rejected = confirmationOf(error);
  if (rejected !== null && rejected.digest !== found?.digest) setFound(rejected);
  const confirmation = found ?? known ?? null;
  return {
    confirmation,
    isRejected: found !== null,
    isNew: found !== null && known !== undefined && found.digest !== known?.digest,
    needsApproval: hasSeverity(confirmation?.warnings ?? [], 'approve'),
  };
}

/** The findings that a request was rejected for; null: it was not, or for something else. */
export function confirmationOf(error: unknown): Confirmation | null {
  return error instanceof ApiProblem ? error.confirmation : null;
}

export function hasSeverity(findings: readonly Finding[], severity: Finding['severity']): boolean {
  return findings.some((finding) => finding.severity === severity);
}
