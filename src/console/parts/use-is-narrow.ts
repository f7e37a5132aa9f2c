/** Whether the screen is as narrow as a phone's, where dialogs fill it. */
import { useMediaQuery } from '@mantine/hooks';

export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 48em)') ?? false;
}
