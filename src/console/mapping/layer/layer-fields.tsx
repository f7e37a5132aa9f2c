/** Which players a rule shares with others: its layer, its slice of that, and whether it leaves out the holdout. */
import { Group, Input, NumberInput, Select, Stack, Switch, Text } from '@mantine/core';
import { useId } from 'react';
import type { EnvironmentLayers } from '../../../contract/schemas/experiments/layers.js';
import { useDraft } from '../../draft/draft-context.js';
import { useLayers } from '../../parts/layers.js';
import type { BucketRange } from '../buckets/bucket-ranges.js';
import { useFieldError, useRule } from '../rules/rule-handle.js';
import { joinLayer, keepsHoldout, leaveLayer, setHoldout, sourceOf } from './layer-edits.js';

const noLayer = '';

export function LayerFields() {
  const { rule, readOnly, edit } = useRule();
  const { saved: content } = useDraft();
  const layers = useLayers(content.env).data;
  const labelId = useId();
  const error = useFieldError('layer');
  const names = (layers?.layers ?? []).map(({ name }) => name);
  // Where the environment has none, and the rule is in none, there is nothing to choose.
  if (layers === undefined || (names.length === 0 && layers.holdout === null && isPlain(rule))) {
    return null;
  }
  const known = rule.layer === null || names.includes(rule.layer) ? names : [...names, rule.layer];
  const choose = (layer: string | null): void => {
    if (layer === null || layer === noLayer) {
      edit(leaveLayer);
      return;
    }
    const taken = othersOf(layers, layer, content.id, rule.segment).map(({ slice }) => slice);
    edit((mapping, index) =>
      joinLayer(mapping, index, rule, { layer, content: content.id, taken }),
    );
  };
  return (
    <Stack gap="xs" role="group" aria-labelledby={labelId}>
      <Input.Label component="div" id={labelId}>
        Shared players
      </Input.Label>
      <Group gap="md" align="flex-start">
        <Select
          label="Layer"
          description="Rules in separate slices of a layer never share a player."
          data={[{ value: noLayer, label: 'No layer' }, ...known]}
          value={rule.layer ?? noLayer}
          onChange={choose}
          error={error}
          allowDeselect={false}
          disabled={readOnly}
          maw={280}
        />
        {rule.layer !== null && <SliceFields />}
      </Group>
      {rule.layer !== null && (
        <Taken others={othersOf(layers, rule.layer, content.id, rule.segment)} />
      )}
      <Switch
        label={holdoutLabel(layers)}
        checked={keepsHoldout(rule)}
        disabled={readOnly}
        onChange={({ currentTarget: { checked } }) =>
          edit((mapping, index) => setHoldout(mapping, index, rule, checked))
        }
      />
    </Stack>
  );
}

function isPlain({ layer, holdout }: ReturnType<typeof useRule>['rule']): boolean {
  return layer === null && holdout !== true;
}

function holdoutLabel({ holdout }: EnvironmentLayers): string {
  if (holdout === null) return 'Leave out players of the holdout (the environment has none)';
  const [from, to] = holdout.groups;
  return `Leave out players of the holdout (${(to - from + 1) / 10} % of all players)`;
}

function SliceFields() {
  const { rule, readOnly, set } = useRule();
  const error = useFieldError('slice');
  const [from, to] = rule.slice ?? [0, 0];
  const change = (range: BucketRange): void => set('slice', sourceOf(range));
  const shared = { min: 0, max: 999, allowDecimal: false, disabled: readOnly, w: 110 } as const;
  return (
    <>
      <NumberInput
        {...shared}
        label="First bucket"
        value={from}
        error={error}
        onChange={(value) => typeof value === 'number' && change([value, Math.max(value, to)])}
      />
      <NumberInput
        {...shared}
        label="Last bucket"
        value={to}
        onChange={(value) => typeof value === 'number' && change([Math.min(from, value), value])}
      />
    </>
  );
}

interface Other {
  readonly content: string;
  readonly segment: string;
  readonly slice: BucketRange;
}

/** Rules of the layer but for the one that is edited, by their first bucket. */
function othersOf(
  { uses }: EnvironmentLayers,
  layer: string,
  content: string,
  segment: string,
): readonly Other[] {
  const others = new Map<string, Other>();
  for (const use of uses) {
    if (use.layer !== layer || use.slice === null) continue;
    if (use.content === content && use.segment === segment) continue;
    const { slice } = use;
    others.set(`${use.content} ${use.segment}`, {
      content: use.content,
      segment: use.segment,
      slice,
    });
  }
  return [...others.values()].sort((a, b) => a.slice[0] - b.slice[0]);
}

function Taken({ others }: { readonly others: readonly Other[] }) {
  const { rule } = useRule();
  const [from, to] = rule.slice ?? [0, -1];
  if (others.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No other rule is in this layer.
      </Text>
    );
  }
  return (
    <Text size="sm" component="ul" my={0} pl="md" aria-label="Other rules of the layer">
      {others.map(({ content, segment, slice }) => (
        <li key={`${content} ${segment}`}>
          {slice[0]}–{slice[1]}: <b>{segment}</b> of <span className="mono">{content}</span>
          {slice[0] <= to && from <= slice[1] && ' — shares players with this rule'}
        </li>
      ))}
    </Text>
  );
}
