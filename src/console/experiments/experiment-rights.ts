/** What the user may do with experiments and metrics: records change no delivery, so editors may everywhere they edit. */
import { useEnvironment } from '../parts/environments.js';
import { useMayEdit, useSession } from '../session/session.js';

/** Null: the user may make, start, stop and decide experiments of this environment. */
export function useExperimentReadOnlyReason(env: string): string | null {
  const environment = useEnvironment(env);
  const mayEdit = useMayEdit(environment);
  const { role } = useSession();
  if (role === 'viewer') return 'You are a viewer: you can see everything here and change nothing.';
  return mayEdit ? null : `${environment?.name ?? env} is protected: ask an owner to change it.`;
}
