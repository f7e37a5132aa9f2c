/** Shares of users by app version, rule and variant, live and after the edit, as numbers and bars. */
import { Table, Text, Title } from '@mantine/core';
import type { Preview, RuleShares } from '../../../contract/operations/preview.js';
import styles from './share-table.module.css';

interface Row {
  readonly key: string;
  readonly name: string;
  readonly isVariant?: boolean;
  /** Contexts; null: it does not exist on this side. */
  readonly now: number | null;
  readonly edit: number | null;
  readonly missed?: number;
}

export function ShareTable({ preview }: { readonly preview: Preview }) {
  const { contexts } = preview;
  return (
    <section aria-labelledby="preview-shares">
      <Title order={2} size="h5" id="preview-shares" mb={4}>
        Share of users
      </Title>
      <Table verticalSpacing={6} aria-labelledby="preview-shares">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Users of</Table.Th>
            <Table.Th ta="right">Live</Table.Th>
            <Table.Th ta="right">Edit</Table.Th>
            <Table.Th className={styles['wide']} aria-hidden>
              <Text size="xs">live above, edit below</Text>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowsOf(preview).map((row) => (
            <Table.Tr key={row.key}>
              <Table.Th scope="row" fw={row.isVariant ? 400 : 600} className={styles['name']}>
                <span className={row.isVariant ? styles['variant'] : undefined}>{row.name}</span>
                {(row.missed ?? 0) > 0 && (
                  <Text size="xs" c="red">
                    its change could not be applied for {row.missed}
                  </Text>
                )}
              </Table.Th>
              <Table.Td ta="right">{formatShare(row.now, contexts)}</Table.Td>
              <Table.Td ta="right" fw={row.now === row.edit ? 400 : 700}>
                {formatShare(row.edit, contexts)}
              </Table.Td>
              <Table.Td className={styles['wide']} aria-hidden>
                <div className={styles['bars']}>
                  <div className={styles['now']} style={{ width: widthOf(row.now, contexts) }} />
                  <div className={styles['edit']} style={{ width: widthOf(row.edit, contexts) }} />
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function rowsOf({ now, edit }: Preview): Row[] {
  const versions = new Set([...now.lines, ...edit.lines].map(({ appVersion }) => appVersion));
  const inLine = (lines: Preview['now']['lines'], version: string): number | null =>
    lines.find(({ appVersion }) => appVersion === version)?.contexts ?? null;
  const lines = [...versions].map((version) => ({
    key: `line ${version}`,
    name: `Version ${version}`,
    now: inLine(now.lines, version),
    edit: inLine(edit.lines, version),
  }));
  const [before, after] = [now.notFound.contexts, edit.notFound.contexts];
  const notFound = { key: 'none', name: 'Not found (404)', now: before, edit: after };
  const removed = [...now.rules];
  const rules = edit.rules.flatMap((rule) => {
    const at = removed.findIndex(({ segment }) => segment === rule.segment);
    return ruleRows(at === -1 ? null : (removed.splice(at, 1)[0] ?? null), rule);
  });
  return [
    ...lines,
    ...(before + after > 0 ? [notFound] : []),
    ...rules,
    ...removed.flatMap((rule) => ruleRows(rule, null)),
  ];
}

/** A rule and its variants; null: the rule does not exist on that side. */
function ruleRows(now: RuleShares | null, edit: RuleShares | null): Row[] {
  const rule = edit ?? now;
  if (rule === null) return [];
  const key = `${edit === null ? 'live' : 'edit'} rule ${rule.rule}`;
  const names = new Set([...(edit?.variants ?? []), ...(now?.variants ?? [])].map((v) => v.name));
  const inVariant = (side: RuleShares | null, name: string): number | null =>
    side?.variants.find((variant) => variant.name === name)?.contexts ?? null;
  return [
    {
      key,
      name: `Rule ${rule.segment}${edit === null ? ' (removed)' : ''}`,
      now: now?.contexts ?? null,
      edit: edit?.contexts ?? null,
      missed: edit?.missed ?? 0,
    },
    ...[...names].map((name) => ({
      key: `${key} ${name}`,
      name,
      isVariant: true,
      now: inVariant(now, name),
      edit: inVariant(edit, name),
    })),
  ];
}

function formatShare(count: number | null, contexts: number): string {
  if (count === null) return '–';
  return `${contexts === 0 ? '0.00' : ((count / contexts) * 100).toFixed(2)} %`;
}

function widthOf(count: number | null, contexts: number): string {
  return `${contexts === 0 ? 0 : ((count ?? 0) / contexts) * 100}%`;
}
