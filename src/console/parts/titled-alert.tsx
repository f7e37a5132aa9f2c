/** A notice with a title that is as readable as its text, whatever the colour of the notice. */
import { Alert, type AlertProps } from '@mantine/core';

const readableTitle = { title: { color: 'var(--mantine-color-text)' } } as const;

export function TitledAlert(props: Omit<AlertProps, 'styles' | 'variant'>) {
  return <Alert variant="light" styles={readableTitle} {...props} />;
}
