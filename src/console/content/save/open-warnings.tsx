/** Every open warning of what is about to be published, above the button that does it. */
import { Alert, Group, List, Loader, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ValidationIssue } from '../../../contract/problems.js';
import { wordsOf } from '../../api/call.js';
import { whereOf } from '../../draft/faults.js';
import { describeMappingIssue } from '../../mapping/mapping-issues.js';
import styles from '../content.module.css';
import type { PublishCheck } from './publish-check.js';

export interface OpenWarningsProps extends PublishCheck {
  /** How many lines the state has: of several, each is named. */
  readonly lines: number;
}

export function OpenWarnings({ verdict, error, lines }: OpenWarningsProps) {
  if (verdict === null) {
    return error === null ? (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Checking it…</Text>
      </Group>
    ) : (
      <Text size="sm" role="alert">
        It could not be checked for warnings: {wordsOf(error)}
      </Text>
    );
  }
  const { errors, warnings } = verdict;
  return (
    <>
      {errors.length > 0 && (
        <Findings
          title={errors.length === 1 ? '1 error' : `${errors.length} errors`}
          color="red"
          faults={errors}
          lines={lines}
        />
      )}
      {warnings.length > 0 && (
        <Findings
          title={warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}
          color="yellow"
          faults={warnings}
          lines={lines}
        />
      )}
    </>
  );
}

interface FindingsProps {
  readonly title: string;
  readonly color: string;
  readonly faults: readonly ValidationIssue[];
  readonly lines: number;
}

function Findings({ title, color, faults, lines }: FindingsProps) {
  return (
    <Alert
      color={color}
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
        // It scrolls where there are many, also by keys.
        tabIndex={0}
        aria-label={title}
      >
        {faults.map((fault) => {
          const words = wordsFor(fault, lines);
          return (
            <List.Item key={words} style={{ overflowWrap: 'anywhere' }}>
              {words}
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}

function wordsFor(fault: ValidationIssue, lines: number): string {
  const { path, message } = fault;
  if (path.startsWith('mapping')) return describeMappingIssue(path, message);
  const where = whereOf(fault, lines);
  return where === '' ? message : `${where}: ${message}`;
}
