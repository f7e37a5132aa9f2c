/** Whether the screen is that of a phone, where dialogs take all of it. */
import { useMediaQuery } from '@mantine/hooks';

export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 48em)') ?? false;
}
