/** The rules of a content: for whom it is changed, and how. As cards, or as the JSON that they are. */
import { Alert, Button, Group, Menu, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { IconArrowsSplit, IconChevronDown, IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import type { ValidationIssue } from '../../contract/problems.js';
import { useDraft } from '../draft/draft-context.js';
import { EmptyState } from '../parts/empty-state.js';
import { faultsOfList } from './mapping-faults.js';
import { addRule } from './rules/cards-state.js';
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
  const { cards, edit } = useCards();
  const [wanted, setWanted] = useState<View>('rules');
  const asked = Number(new URLSearchParams(useSearch()).get('rule') ?? Number.NaN);
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(() => {
    const { keys } = cards ?? { keys: [] };
    const first = keys[keys.length === 1 ? 0 : asked];
    return new Set(first === undefined ? [] : [first]);
  });
  const [newKey, setNewKey] = useState<string | null>(null);
  const faults = useFaults(cards?.rules.length ?? 0);
  // Mended, it stays JSON until somebody asks for the rules: not away from whoever is typing.
  if (cards === null && wanted !== 'json') setWanted('json');
  const view: View = cards === null ? 'json' : wanted;
  const ofList = faultsOfList(validation?.state.mapping === state.mapping ? validation.errors : []);

  const open = (key: string): void => setOpenKeys((keys) => new Set(keys).add(key));
  const toggle = (key: string): void =>
    setOpenKeys((keys) => {
      const next = new Set(keys);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const add = (kind: 'change' | 'test'): void => {
    let added = '';
    edit((now) => {
      const taken = now.rules.map((rule) => rule?.segment ?? '');
      const name = freeName(kind === 'test' ? 'new-test' : 'new-rule', taken);
      const source =
        kind === 'test' ? testSource(name, proposeSalt(saved.id, name)) : changeSource(name);
      const [next, key] = addRule(now, now.keys.length, source);
      added = key;
      return next;
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
            All that fit a player apply, in order, each on the result of those before it.
          </Text>
        </div>
        <Group gap="xs">
          <SegmentedControl
            aria-label="View of the mapping"
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
        <Alert color="yellow" variant="light" role="status" title="Shown as JSON for now">
          {reasonOf(state.mapping)} The rules can be shown again once it is mended.
        </Alert>
      )}
      {view === 'rules' && ofList.length > 0 && cards?.broken.length === 0 && (
        <Alert color="red" variant="light" title="The mapping cannot be saved as it is">
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
          errors={faults.errors}
          warnings={faults.warnings}
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
 * What the server said last. While something newer is typed it stays where it was, unless rules came or went, which
 * would put it on others.
 */
function useFaults(count: number): {
  errors: readonly ValidationIssue[];
  warnings: readonly ValidationIssue[];
} {
  const { validation } = useDraft();
  const judged = validation?.state.mapping;
  const judgedCount = useMemo(() => {
    const view = readMapping(judged ?? '[]');
    return view.ok ? view.sources.length : null;
  }, [judged]);
  if (validation === null || (judgedCount !== null && judgedCount !== count)) {
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
          Change for a segment
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
      title="Everybody gets the same"
      action={
        mayEdit && (
          <Group justify="center">
            <Button onClick={() => onAdd('change')}>Change for a segment</Button>
            <Button variant="default" onClick={() => onAdd('test')}>
              A/B test
            </Button>
          </Group>
        )
      }
    >
      {mayEdit
        ? 'Add a rule to change the content for some players, or to test variants of it.'
        : 'This content has no rules.'}
    </EmptyState>
  );
}
