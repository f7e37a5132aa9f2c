/** Where the user may edit, and why not elsewhere. */
import { useMemo } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import { useEnvironment, useEnvironments } from '../parts/environments.js';
import { useMayEdit, useSession } from './session.js';

/** Null: the user may edit. */
export function useReadOnlyReason(env: string): string | null {
  const environment = useEnvironment(env);
  const mayEdit = useMayEdit(environment);
  const { role } = useSession();
  if (mayEdit) return null;
  return role === 'viewer'
    ? 'You are a viewer: you can see everything here and change nothing.'
    : `${environment?.name ?? env} is protected: only owners can edit.`;
}

/** The environments whose content the user may change. */
export function useEditableEnvironments(): readonly Environment[] {
  const { data } = useEnvironments();
  const { role } = useSession();
  return useMemo(
    () => (data ?? []).filter((one) => role === 'owner' || (role === 'editor' && !one.protected)),
    [data, role],
  );
}
