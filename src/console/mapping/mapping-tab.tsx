/** The targeting rules of a content item: which players get which change. As cards, or as JSON. */
import { Alert, Button, Group, Menu, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import type { ValidationIssue } from '../../contract/problems.js';
import { useDraft } from '../draft/draft-context.js';
import { IconArrowsSplit, IconChevronDown, IconPlus, IconUsersGroup } from '../icons/icons.js';
import { EmptyState } from '../parts/empty-state.js';
import { issuesOfList } from './mapping-issues.js';
import { changeSource, freeName, proposeSalt, testSource } from './rules/rule-edits.js';
import { RuleList } from './rules/rule-list.js';
import { readMapping } from './rules/rule-view.js';
import { useCards } from './rules/use-cards.js';

const MappingJson = lazy(async () => ({
  default: (await import('./mapping-json.js')).MappingJson,
}));

type View = 'rules' | 'json';

export function MappingTab() {
  const { state, saved, mayEdit, validation } = useDraft();
  const { cards, edit, add: addCard } = useCards();
  const [wanted, setWanted] = useState<View>('rules');
  const asked = Number(new URLSearchParams(useSearch()).get('rule') ?? Number.NaN);
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(() => {
    const { keys } = cards ?? { keys: [] };
    const first = keys[keys.length === 1 ? 0 : asked];
    return new Set(first === undefined ? [] : [first]);
  });
  const [newKey, setNewKey] = useState<string | null>(null);
  const issues = useIssues(cards?.rules.length ?? 0);
  // After a fix, the JSON view stays until the user leaves it, so that it does not vanish while they type.
  if (cards === null && wanted !== 'json') setWanted('json');
  const view: View = cards === null ? 'json' : wanted;
  const ofList = issuesOfList(validation?.state.mapping === state.mapping ? validation.errors : []);

  const open = (key: string): void => setOpenKeys((keys) => new Set(keys).add(key));
  const toggle = (key: string): void =>
    setOpenKeys((keys) => {
      const next = new Set(keys);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const add = (kind: 'change' | 'test'): void => {
    const added = addCard(({ rules, keys }) => {
      const taken = rules.map((rule) => rule?.segment ?? '');
      const name = freeName(kind === 'test' ? 'new-test' : 'new-rule', taken);
      const source =
        kind === 'test' ? testSource(name, proposeSalt(saved.id, name)) : changeSource(name);
      return { index: keys.length, source };
    });
    setWanted('rules');
    setNewKey(added);
    open(added);
  };

  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} size="h4">
            Rules
          </Title>
          <Text size="sm" c="dimmed">
            Every matching rule applies, top to bottom.
          </Text>
        </div>
        <Group gap="xs">
          <SegmentedControl
            aria-label="View of the targeting rules"
            size="xs"
            value={view}
            onChange={(value) => setWanted(value as View)}
            data={[
              { value: 'rules', label: 'Rules', disabled: cards === null },
              { value: 'json', label: 'JSON' },
            ]}
          />
          {mayEdit && cards !== null && <AddMenu onAdd={add} />}
        </Group>
      </Group>
      {cards === null && (
        <Alert color="yellow" variant="light" role="status" title="Shown as JSON until it is fixed">
          {reasonOf(state.mapping)}
        </Alert>
      )}
      {view === 'rules' && ofList.length > 0 && cards?.broken.length === 0 && (
        <Alert color="red" variant="light" title="Targeting cannot be saved as it is">
          {ofList.map(({ message }) => message).join(' ')}
        </Alert>
      )}
      {view === 'json' && (
        <Suspense fallback={<Text size="sm">Loading the editor…</Text>}>
          <MappingJson />
        </Suspense>
      )}
      {view === 'rules' && cards !== null && cards.keys.length === 0 && (
        <NoRules mayEdit={mayEdit} onAdd={add} />
      )}
      {view === 'rules' && cards !== null && (
        <RuleList
          cards={cards}
          edit={edit}
          add={addCard}
          errors={issues.errors}
          warnings={issues.warnings}
          openKeys={openKeys}
          newKey={newKey}
          onToggle={toggle}
          onAdded={open}
        />
      )}
    </Stack>
  );
}

function reasonOf(mapping: string): string {
  const view = readMapping(mapping);
  return view.ok ? '' : view.reason;
}

const none: readonly ValidationIssue[] = [];

/**
 * The server's last issues. They stay while newer text is typed, unless rules were added or removed: then they would
 * appear at other rules.
 */
function useIssues(count: number): {
  errors: readonly ValidationIssue[];
  warnings: readonly ValidationIssue[];
} {
  const { validation } = useDraft();
  const checked = validation?.state.mapping;
  const checkedCount = useMemo(() => {
    const view = readMapping(checked ?? '[]');
    return view.ok ? view.sources.length : null;
  }, [checked]);
  if (validation === null || (checkedCount !== null && checkedCount !== count)) {
    return { errors: none, warnings: none };
  }
  return validation;
}

interface AddProps {
  readonly onAdd: (kind: 'change' | 'test') => void;
}

function AddMenu({ onAdd }: AddProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Add rule
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUsersGroup size={16} aria-hidden />}
          onClick={() => onAdd('change')}
        >
          Change for some players
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowsSplit size={16} aria-hidden />}
          onClick={() => onAdd('test')}
        >
          A/B test
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function NoRules({ mayEdit, onAdd }: AddProps & { readonly mayEdit: boolean }) {
  return (
    <EmptyState
      icon={<IconUsersGroup aria-hidden />}
      title="All players get the same"
      action={
        mayEdit && (
          <Group justify="center">
            <Button onClick={() => onAdd('change')}>Change for some players</Button>
            <Button variant="default" onClick={() => onAdd('test')}>
              A/B test
            </Button>
          </Group>
        )
      }
    >
      {mayEdit
        ? 'Add a rule to change the content item for some players, or to test variants of it.'
        : 'This content item has no rules.'}
    </EmptyState>
  );
}
