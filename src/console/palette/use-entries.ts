/** Gathers what the palette lists: from the server what there is, from the screen what it offers. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { request } from '../api/call.js';
import { storedDraftIds } from '../draft/stored-draft.js';
import { useIsOwner, useSession } from '../session/session.js';
import {
  type Entry,
  entriesOfNames,
  entryOfCommand,
  entryOfTarget,
  entryOfUser,
  keyOfEntry,
  type Target,
} from './entry.js';
import { recentPaths } from './recent.js';
import { offeredCommands } from './use-commands.js';

/** Long enough for several openings in a row. */
const freshMs = 30_000;

export interface Entries {
  /** Opened last, newest first. */
  readonly recent: readonly Entry[];
  /** What can be done on the screen. */
  readonly commands: readonly Entry[];
  readonly targets: readonly Entry[];
  /** All of them, each once. */
  readonly all: readonly Entry[];
  /** The names of the environment are not there yet. */
  readonly isLoading: boolean;
  readonly error: Error | null;
}

/** @param canAct false: another dialog is open, which the commands of the screen are not for */
export function useEntries(
  env: string | null,
  targets: readonly Target[],
  canAct: boolean,
): Entries {
  const { name: user } = useSession();
  const isOwner = useIsOwner();
  const names = useQuery({
    queryKey: ['names', env],
    queryFn: ({ signal }) =>
      request('GET /environments/:env/names', { params: { env: env ?? '' } }, signal),
    enabled: env !== null,
    staleTime: freshMs,
  });
  const users = useQuery({
    queryKey: ['users'],
    queryFn: async () => (await request('GET /users', {})).users,
    enabled: isOwner,
    staleTime: freshMs,
  });
  // As they were when the palette was opened.
  const [commands] = useState(() => (canAct ? offeredCommands().map(entryOfCommand) : []));
  const [unsaved] = useState(() => storedDraftIds(user, env ?? ''));
  // What is shown is not among them: it would lead nowhere.
  const [opened] = useState(() => recentPaths(user).filter((path) => !isHere(path)));
  return useMemo(() => {
    const places = targets.map(entryOfTarget);
    const named = names.data === undefined ? [] : entriesOfNames(env ?? '', names.data, unsaved);
    const people = (users.data ?? []).map(entryOfUser);
    const all = once([...commands, ...places, ...named, ...people]);
    const byPath = new Map(all.map((entry) => ['path' in entry.act && entry.act.path, entry]));
    return {
      recent: opened.flatMap((path) => byPath.get(path) ?? []),
      ...{ commands, targets: places, all },
      isLoading: names.isLoading,
      error: names.error,
    };
  }, [
    env,
    targets,
    names.data,
    names.isLoading,
    names.error,
    users.data,
    commands,
    unsaved,
    opened,
  ]);
}

function isHere(path: string): boolean {
  const here = window.location.pathname;
  return here === path || here.startsWith(`${path}/`);
}

function once(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [keyOfEntry(entry), entry])).values()];
}
