/** The signed-in user, and what they may do. */
import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Me } from '../../contract/schemas/user.js';
import { request } from '../api/call.js';

export const SessionContext = createContext<Me | null>(null);

export function useMe() {
  return useQuery({ queryKey: ['me'], queryFn: () => request('GET /me', {}), staleTime: 60_000 });
}

/** The user: below the gate there always is one. */
export function useSession(): Me {
  const me = use(SessionContext);
  if (me === null) throw new Error('useSession is for screens, which are below the gate.');
  return me;
}

/** Whether they may edit an environment: in a protected one, only owners may. */
export function useMayEdit(environment: { readonly protected: boolean } | undefined): boolean {
  const { role } = useSession();
  return role === 'owner' || (role === 'editor' && environment?.protected !== true);
}

/** Whether they may do what concerns the whole server: environments, webhooks. */
export function useIsOwner(): boolean {
  const { role, environments } = useSession();
  return role === 'owner' && environments === null;
}
