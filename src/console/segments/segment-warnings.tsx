/** The server's warnings about the condition of a segment. */
import { Alert, Code, List } from '@mantine/core';
import type { ValidationIssue } from '../../contract/problems.js';
import { IconAlertTriangle } from '../icons/icons.js';

export interface WarningsProps {
  readonly warnings: readonly ValidationIssue[];
}

export function WarningList({ warnings }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <List size="sm">
      {warnings.map(({ path, message }) => (
        <List.Item key={`${path} ${message}`}>
          Warning: <Code>{path}</Code> {message}
        </List.Item>
      ))}
    </List>
  );
}

/** Shown after a save, which succeeded in spite of them. */
export function SavedWarnings({ warnings }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <Alert
      variant="default"
      role="status"
      icon={<IconAlertTriangle aria-hidden />}
      title="Saved. Check the condition"
    >
      <WarningList warnings={warnings} />
    </Alert>
  );
}
