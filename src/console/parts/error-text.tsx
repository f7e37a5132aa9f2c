/** What is wrong with something that has no input of its own to show it. */
import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ErrorTextProps extends TextProps {
  readonly id?: string;
  readonly children: ReactNode;
}

export function ErrorText({ children, ...text }: ErrorTextProps) {
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="status" {...text}>
      {children}
    </Text>
  );
}
