/**
 * What the screen that is shown offers to do: the command palette lists it, and the keyboard help its shortcuts. A screen
 * registers them for as long as it is mounted; the palette itself is loaded when it is first opened.
 */
import { type RefObject, useEffect, useRef } from 'react';

/** Something to do from the palette. */
export interface Command {
  /** What it does, as on a button: `Compare with live`. Unique on its screen. */
  readonly name: string;
  /** Other words that find it. */
  readonly keywords?: readonly string[];
  /** Keys that do the same without the palette, in the notation of `useHotkeys`: `mod+Enter`. The screen binds them. */
  readonly shortcut?: string;
  /** Why it cannot be done now; the palette shows it disabled, with this. Null or left out: it can. */
  readonly disabledReason?: string | null;
  /** Called when the palette is closed, and the focus is back where it was. */
  readonly run: () => void;
}

/** Keys that work on a screen and are no command, such as those that move in a list. */
export interface Shortcut {
  /** In the notation of `useHotkeys`; several of them do the same. */
  readonly keys: readonly string[];
  /** `Search the list`. */
  readonly does: string;
}

type Registered<Of> = Set<RefObject<readonly Of[]>>;

const commands: Registered<Command> = new Set();
const shortcuts: Registered<Shortcut> = new Set();

/** Offers commands while the component is mounted. They may be other ones at each rendering. */
export function useCommands(offered: readonly Command[]): void {
  useRegistered(commands, offered);
}

/** Lists keys in the help while the component is mounted. */
export function useShortcuts(offered: readonly Shortcut[]): void {
  useRegistered(shortcuts, offered);
}

function useRegistered<Of>(registered: Registered<Of>, offered: readonly Of[]): void {
  const latest = useRef(offered);
  useEffect(() => {
    latest.current = offered;
  });
  useEffect(() => {
    registered.add(latest);
    return () => {
      registered.delete(latest);
    };
  }, [registered]);
}

/** Commands of what is mounted at this moment: those of the screen first, then those of the frame around it. */
export function offeredCommands(): readonly Command[] {
  return [...commands].reverse().flatMap(({ current }) => current);
}

/** Keys of what is mounted at this moment: of commands, and others. */
export function offeredShortcuts(): readonly Shortcut[] {
  const ofCommands = offeredCommands().flatMap(({ name, shortcut }) =>
    shortcut === undefined ? [] : [{ keys: [shortcut], does: name }],
  );
  return [...ofCommands, ...[...shortcuts].reverse().flatMap(({ current }) => current)];
}
