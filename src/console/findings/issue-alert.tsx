/** Errors or warnings in a box above the button that goes on in spite of them. */
import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from '../content/content.module.css';
import { IconAlertTriangle } from '../icons/icons.js';
import { counted } from '../parts/counted.js';

export interface IssueAlertProps {
  readonly severity: 'error' | 'warning';
  readonly issues: readonly { readonly key: string; readonly text: ReactNode }[];
  /** There are more than are listed. */
  readonly isCut?: boolean;
}

export function IssueAlert({ severity, issues, isCut = false }: IssueAlertProps) {
  if (issues.length === 0) return null;
  const title = `${counted(issues.length, severity)}${isCut ? ' and more' : ''}`;
  return (
    <Alert
      color={severity === 'error' ? 'red' : 'yellow'}
      variant="light"
      p="xs"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      classNames={{ title: styles['alertTitle'] ?? '' }}
      role="status"
    >
      <List
        size="sm"
        className={styles['warnings'] ?? ''}
        // A long list scrolls, by keyboard as well.
        tabIndex={0}
        aria-label={title}
      >
        {issues.map(({ key, text }) => (
          <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
            {text}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
