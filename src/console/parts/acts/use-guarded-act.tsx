/** The one rule of dangerous acts (D68): what a dialog shows and asks, and what its button says, in a protected environment. */
import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type TypedNameOptions, useTypedName } from '../form/typed-name.js';
import { useGuard } from '../guard.js';
import { type ActName, type ProtectedAct, protectedActs } from './protected-acts.js';

export interface GuardedActOptions extends Pick<TypedNameOptions, 'isDisabled' | 'focus'> {
  readonly env: string;
  /** Null: something that the rule has nothing to say about. */
  readonly act: ActName | null;
  /** False: no player would notice, so the button names the environment, and nothing is asked. */
  readonly isFelt?: boolean;
}

export interface GuardedAct {
  /** The name is typed, or none is required. */
  readonly isConfirmed: boolean;
  /** A name has to be typed. */
  readonly isTyped: boolean;
  /** Stands above the buttons; null: nothing. */
  readonly notice: ReactNode;
  readonly color: 'guard' | undefined;
  /** What the button says; in a protected environment with its name. */
  readonly confirm: (verb: string) => string;
}

export function useGuardedAct(options: GuardedActOptions): GuardedAct {
  const { env, act, isFelt = true, isDisabled, focus } = options;
  const guard = useGuard(env);
  const known: ProtectedAct | null = act === null ? null : protectedActs[act];
  const isTyped = isFelt && known?.care === 'typed' && guard.typed !== null;
  const { isRight, field } = useTypedName(isTyped ? guard.typed : null, {
    reason: `${guard.name} is protected.`,
    ...(isDisabled !== undefined && { isDisabled }),
    ...(focus !== undefined && { focus }),
  });
  const isNamed = isFelt && known?.care === 'named' && guard.isProtected;
  return {
    isConfirmed: isRight,
    isTyped,
    notice: (isTyped || isNamed) && (
      <Stack data-act={act}>
        {field ?? (
          <Alert color="orange" p="xs">
            {guard.name} is protected: it serves real players.
          </Alert>
        )}
      </Stack>
    ),
    color: isFelt && known !== null ? guard.color : undefined,
    confirm: (verb) =>
      known !== null && guard.isProtected ? `${verb} ${known.preposition} ${guard.name}` : verb,
  };
}
