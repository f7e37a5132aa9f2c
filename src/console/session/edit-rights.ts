/** Where the user may edit and publish, and why not elsewhere. */
import { useMemo } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import { counted } from '../parts/counted.js';
import { reviewOf, useEnvironment, useEnvironments } from '../parts/environments.js';
import { useMayEdit, useSession } from './session.js';

/** Null: the user may save drafts and put them into releases, in protected environments too. */
export function useReadOnlyReason(): string | null {
  const { role } = useSession();
  return role === 'viewer'
    ? 'You are a viewer: you can see everything here and change nothing.'
    : null;
}

/** Null: what the user saves can go live at once. Otherwise a release is the way. */
export function usePublishReason(env: string): string | null {
  const environment = useEnvironment(env);
  const mayEdit = useMayEdit(environment);
  const readOnlyReason = useReadOnlyReason();
  if (readOnlyReason !== null) return readOnlyReason;
  const name = environment?.name ?? env;
  const approvals = reviewOf(environment);
  if (approvals > 0) {
    return `${name} asks for ${counted(approvals, 'approval')}: changes go live in a release.`;
  }
  return mayEdit ? null : `${name} is protected: only owners publish. Use a release.`;
}

/** The environments whose content the user may change at once. */
export function useEditableEnvironments(): readonly Environment[] {
  const { data } = useEnvironments();
  const { role } = useSession();
  return useMemo(
    () => (data ?? []).filter((one) => role === 'owner' || (role === 'editor' && !one.protected)),
    [data, role],
  );
}
