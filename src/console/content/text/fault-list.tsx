/** Errors and warnings of the whole draft, each leading to its place. */
import { Box, Group, Text, UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import type { ValidationIssue } from '../../../contract/problems.js';
import { useDraft } from '../../draft/draft-context.js';
import { formatPlace } from '../../draft/issue-place.js';
import styles from '../content.module.css';

const shownMax = 100;

export function FaultList({ onJump }: { readonly onJump: (fault: ValidationIssue) => void }) {
  const { validation, state, validationError } = useDraft();
  const errors = validation?.errors ?? [];
  const warnings = validation?.warnings ?? [];
  const faults = [
    ...errors.map((fault) => ({ fault, isError: true })),
    ...warnings.map((fault) => ({ fault, isError: false })),
  ].slice(0, shownMax);
  if (validationError !== null && faults.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        It could not be checked: {validationError.message}
      </Text>
    );
  }
  if (faults.length === 0) return null;
  return (
    <Box
      component="ul"
      m={0}
      p={0}
      className={styles['faults'] ?? ''}
      aria-label="Errors and warnings"
    >
      {faults.map(({ fault, isError }) => {
        const where = formatPlace(fault, state.lines.length);
        const Icon = isError ? IconAlertCircle : IconAlertTriangle;
        return (
          <li
            key={`${isError} ${fault.appVersion} ${where} ${fault.message}`}
            style={{ listStyle: 'none' }}
          >
            <UnstyledButton className={styles['fault'] ?? ''} onClick={() => onJump(fault)}>
              <Group gap={8} wrap="nowrap" align="flex-start">
                <Icon
                  size={16}
                  aria-label={isError ? 'Error' : 'Warning'}
                  color={`var(--mantine-color-${isError ? 'red' : 'yellow'}-text)`}
                  style={{ flex: 'none', marginTop: 2 }}
                />
                <Text size="sm" className="mono" style={{ flex: 'none' }} c="dimmed">
                  {where}
                </Text>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {fault.message}
                </Text>
              </Group>
            </UnstyledButton>
          </li>
        );
      })}
    </Box>
  );
}
