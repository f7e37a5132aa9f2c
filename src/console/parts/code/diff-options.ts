/** How a person wants differences shown, everywhere in this browser. */
import { useLocalStorage } from '@mantine/hooks';

export interface DiffOptions {
  /** Null: as the window has room. */
  readonly isUnified: boolean | null;
  readonly isWrapped: boolean;
}

const plainOptions: DiffOptions = { isUnified: null, isWrapped: true };

export function useDiffOptions() {
  return useLocalStorage<DiffOptions>({
    key: 'loadout.diff',
    defaultValue: plainOptions,
    getInitialValueInEffect: false,
    deserialize: readOptions,
  });
}

function readOptions(text: string | undefined): DiffOptions {
  try {
    const { isUnified, isWrapped } = JSON.parse(text ?? '') as Readonly<Record<string, unknown>>;
    return {
      isUnified: typeof isUnified === 'boolean' ? isUnified : null,
      isWrapped: isWrapped !== false,
    };
  } catch {
    return plainOptions;
  }
}
