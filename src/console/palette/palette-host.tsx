/** Opens the command palette and the keyboard help, by their keys everywhere and by a button of the header. */
import { ActionIcon, Button } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { IconSearch } from '../icons/icons.js';
import { useSession } from '../session/session.js';
import type { Entry, Target } from './entry.js';
import { Keys } from './keys.js';
import { rememberPath } from './recent.js';
import { isForText, shortcutOf } from './shortcut-of.js';
import { useCommands } from './use-commands.js';

const PaletteDialog = lazy(async () => ({
  default: (await import('./palette-dialog.js')).PaletteDialog,
}));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.js')).ShortcutsDialog,
}));

export interface PaletteHostProps {
  /** The environment whose content is found; null: there is none yet. */
  readonly env: string | null;
  readonly targets: readonly Target[];
}

type Opened = 'palette' | 'shortcuts' | null;

export function PaletteHost({ env, targets }: PaletteHostProps) {
  const [opened, setOpened] = useState<Opened>(null);
  const [path, go] = useLocation();
  const { name: user } = useSession();
  const close = useCallback(() => setOpened(null), []);
  useEffect(() => rememberPath(user, path), [user, path]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const shortcut = shortcutOf(event);
      if (shortcut === null || (shortcut === 'shortcuts' && isForText(event.target))) return;
      event.preventDefault();
      event.stopPropagation();
      setOpened((now) => (now === shortcut ? null : shortcut));
    };
    // Before editors, which have their own keys.
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, []);
  useCommands([
    {
      name: 'Keyboard shortcuts',
      keywords: ['help', 'keys'],
      shortcut: '?',
      run: () => setOpened('shortcuts'),
    },
  ]);
  const choose = ({ act }: Entry): void => {
    flushSync(close);
    // After the focus is back where it was.
    setTimeout(() => {
      if ('run' in act) act.run();
      else {
        go(act.path);
        window.scrollTo(0, 0);
      }
    });
  };
  return (
    <>
      <PaletteButton onClick={() => setOpened('palette')} />
      <Suspense fallback={null}>
        {opened === 'palette' && (
          <PaletteDialog env={env} targets={targets} onChoose={choose} onClose={close} />
        )}
        {opened === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </>
  );
}

const shortcut = 'mod+K';

function PaletteButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<Keys keys={shortcut} />}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onClick}
      >
        Find or do…
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        hiddenFrom="sm"
        aria-label="Find or do…"
        onClick={onClick}
      >
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
    </>
  );
}
