/** Every open warning of what is about to be published, above the button that does it. */
import { Alert, Group, List, Loader, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ValidationIssue } from '../../../contract/problems.js';
import { formatPlace } from '../../draft/issue-place.js';
import { mappingWords } from '../../mapping/mapping-faults.js';
import { counted } from '../../parts/counted.js';
import styles from '../content.module.css';
import type { PublishCheck } from './publish-check.js';

export interface OpenWarningsProps extends PublishCheck {
  /** How many version lines the state has: with several, each issue names its line. */
  readonly lines: number;
}

export function OpenWarnings({ validation, error, lines }: OpenWarningsProps) {
  if (validation === null) {
    return error === null ? (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Checking it…</Text>
      </Group>
    ) : (
      <Text size="sm" role="alert">
        It could not be checked for warnings: {error.message}
      </Text>
    );
  }
  return (
    <>
      <Issues severity="error" issues={validation.errors} lines={lines} />
      <Issues severity="warning" issues={validation.warnings} lines={lines} />
    </>
  );
}

interface IssuesProps {
  readonly severity: 'error' | 'warning';
  readonly issues: readonly ValidationIssue[];
  readonly lines: number;
}

function Issues({ severity, issues, lines }: IssuesProps) {
  if (issues.length === 0) return null;
  const title = counted(issues.length, severity);
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
        {issues.map((issue) => {
          const text = formatIssue(issue, lines);
          return (
            <List.Item key={text} style={{ overflowWrap: 'anywhere' }}>
              {text}
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}

function formatIssue(issue: ValidationIssue, lines: number): string {
  const { path, message } = issue;
  if (path.startsWith('mapping')) return mappingWords(path, message);
  const place = formatPlace(issue, lines);
  return place === '' ? message : `${place}: ${message}`;
}
