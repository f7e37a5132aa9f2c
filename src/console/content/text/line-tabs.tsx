/** One tab for each app version line, with marks where it is changed or has errors. */
import { Group, Tabs, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { useDraft } from '../../draft/draft-context.js';
import { IconAlertCircleFilled } from '../../icons/icons.js';
import styles from '../content.module.css';

/** The list of tabs; their panel is around the editor. */
export function LineTabList() {
  const { saved, state, validation } = useDraft();
  const dirty = useMemo(() => {
    const before = new Map(saved.lines.map(({ appVersion, text }) => [appVersion, text]));
    return new Set(
      state.lines
        .filter(({ appVersion, text }) => before.get(appVersion) !== text)
        .map(({ appVersion }) => appVersion),
    );
  }, [saved.lines, state.lines]);
  const broken = new Set(validation?.errors.map(({ appVersion }) => appVersion));
  return (
    <Tabs.List className={styles['tabs'] ?? ''} aria-label="App versions">
      {state.lines.map(({ appVersion }) => (
        <Tabs.Tab key={appVersion} value={appVersion} py={6} px="sm">
          <Group gap={6} wrap="nowrap">
            <span className="mono">{appVersion}</span>
            {dirty.has(appVersion) && saved.newest > 0 && (
              <>
                <span className={styles['dot']} aria-hidden />
                <VisuallyHidden>changed</VisuallyHidden>
              </>
            )}
            {broken.has(appVersion) && (
              <IconAlertCircleFilled size={14} role="img" aria-label="has errors" />
            )}
          </Group>
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

/** Which players get the line. */
export function rangeOfLine(versions: readonly string[], appVersion: string): string {
  const index = versions.indexOf(appVersion);
  const next = versions[index + 1];
  if (versions.length === 1 && appVersion === '0.0.0') {
    return 'All app versions get this text. Comments are not delivered.';
  }
  const until = next === undefined ? 'and newer' : `up to, but not including, ${next}`;
  return index === 0 && appVersion !== '0.0.0'
    ? `For app versions from ${appVersion} ${until}. Older ones get a 404.`
    : `For app versions from ${appVersion} ${until}.`;
}
