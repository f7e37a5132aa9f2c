/** Restores a deleted content item: at once, or in a protected environment after its name was seen. */
import { type ReactNode, useCallback, useState } from 'react';
import { useRestoreContent } from '../../draft/restore-content.js';
import { ConfirmAct } from '../../parts/acts/confirm-act.js';
import { useGuard } from '../../parts/guard.js';

export interface AskedRestore {
  readonly restore: (id: string) => void;
  /** What is being restored; null: nothing. */
  readonly pending: string | null;
  /** The question, while it is asked. */
  readonly dialog: ReactNode;
}

export function useAskedRestore(env: string): AskedRestore {
  const restoring = useRestoreContent(env);
  const { mutate } = restoring;
  const { name, isProtected } = useGuard(env);
  const [asked, setAsked] = useState<string | null>(null);
  const restore = useCallback(
    (id: string): void => {
      if (isProtected) setAsked(id);
      else mutate(id);
    },
    [isProtected, mutate],
  );
  const close = (): void => setAsked(null);
  return {
    restore,
    pending: restoring.isPending ? restoring.variables : null,
    dialog: asked !== null && (
      <ConfirmAct
        {...{ env, act: 'content.restore' }}
        title={`Restore ${asked}?`}
        confirm="Restore"
        isPending={restoring.isPending}
        error={null}
        onConfirm={() => mutate(asked, { onSettled: close })}
        onClose={close}
      >
        What was live of {asked} is live again at once, for all players of {name}. An item that was
        never live comes back as a draft.
      </ConfirmAct>
    ),
  };
}
