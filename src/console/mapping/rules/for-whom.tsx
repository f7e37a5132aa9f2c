/** The players of a rule: a segment, a custom condition, or all players; and the name sent to the game. */
import { Anchor, Code, Input, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useId, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAttributes } from '../../conditions/use-attributes.js';
import { useDraft } from '../../draft/draft-context.js';
import { prettyJson } from '../../parts/code/pretty-json.js';
import { pathOf } from '../../parts/environments.js';
import { type SavedSegment, useSegments } from '../../segments/segment-api.js';
import { renameRule } from './rule-edits.js';
import { useFieldError, useRule } from './rule-handle.js';
import { isForAll } from './rule-view.js';
import { TextField } from './text-field.js';

const ConditionEditor = lazy(async () => ({
  default: (await import('../../conditions/condition-editor.js')).ConditionEditor,
}));

type Audience = 'segment' | 'custom' | 'all';

const noSegments: readonly SavedSegment[] = [];

export function ForWhom({ isNew }: { readonly isNew: boolean }) {
  const { rule, readOnly, set, broken } = useRule();
  const { data: segments = noSegments } = useSegments(useDraft().saved.env);
  // An empty condition matches all players, but not while it is being built.
  const [isBuilding, setIsBuilding] = useState(false);
  const leftBehind = useRef<string | null>(null);
  const labelId = useId();
  const when = broken(['when']) ?? rule.when;
  const isEmpty = when !== null && isForAll(when);
  const ofCondition = isEmpty && !isBuilding ? 'all' : 'custom';
  const audience: Audience = when === null ? 'segment' : ofCondition;

  const choose = (wanted: string): void => {
    if (audience === 'custom' && rule.when !== null && !isEmpty) leftBehind.current = rule.when;
    setIsBuilding(wanted === 'custom');
    if (wanted === 'all') set('when', '{}');
    else if (wanted === 'segment') set('when', null);
    else {
      // Starts from what was built before, or else from the segment's condition.
      const saved = when === null ? segments.find(({ name }) => name === rule.segment) : undefined;
      set('when', leftBehind.current ?? saved?.when ?? '{}');
    }
  };

  return (
    <Stack gap="sm">
      <Stack gap={4} align="flex-start">
        <Input.Label component="div" id={labelId}>
          Players
        </Input.Label>
        <SegmentedControl
          aria-labelledby={labelId}
          size="xs"
          value={audience}
          onChange={choose}
          readOnly={readOnly}
          data={[
            { value: 'all', label: 'All players' },
            { value: 'segment', label: 'Segment' },
            { value: 'custom', label: 'Custom condition' },
          ]}
        />
      </Stack>
      {audience === 'segment' ? (
        <SavedSegmentField segments={segments} />
      ) : (
        <NameField isNew={isNew} />
      )}
      {audience === 'custom' && <CustomCondition source={when ?? '{}'} segments={segments} />}
    </Stack>
  );
}

function NameField({ isNew }: { readonly isNew: boolean }) {
  const { rule, readOnly, edit } = useRule();
  const { saved } = useDraft();
  return (
    <TextField
      label="Name"
      description="Name sent to the game and to analytics, as n in meta.seg."
      value={rule.segment}
      onText={(text) => edit((mapping, index) => renameRule(mapping, index, text, saved))}
      error={useFieldError('segment')}
      readOnly={readOnly}
      isNew={isNew}
      maxLength={128}
      maw={460}
    />
  );
}

function SavedSegmentField({ segments }: { readonly segments: readonly SavedSegment[] }) {
  const { rule, readOnly, set } = useRule();
  const { env } = useDraft().saved;
  const error = useFieldError('segment');
  const chosen = segments.find(({ name }) => name === rule.segment);
  const names = segments.map(({ name }) => name);
  // A name without a segment stays visible.
  const data =
    rule.segment === '' || names.includes(rule.segment) ? names : [rule.segment, ...names];
  const about = new Map(segments.map((segment) => [segment.name, segment]));
  return (
    <Stack gap={6} maw={620}>
      <Select
        label="Segment"
        description="Its name is sent to the game and to analytics, as n in meta.seg."
        placeholder={names.length === 0 ? 'No segments yet' : 'Choose a segment'}
        data={data}
        value={rule.segment === '' ? null : rule.segment}
        onChange={(name) => {
          if (name !== null) set('segment', JSON.stringify(name));
        }}
        error={error}
        readOnly={readOnly}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No segment has that name."
        renderOption={({ option }) => (
          <div>
            <Text size="sm">{option.value}</Text>
            <Text size="xs" c="dimmed" lineClamp={1}>
              {about.get(option.value)?.description || about.get(option.value)?.when}
            </Text>
          </div>
        )}
      />
      {chosen === undefined ? (
        <Text size="sm">
          <Anchor component={Link} href={pathOf.segments(env)} inherit>
            Go to Segments
          </Anchor>
        </Text>
      ) : (
        <>
          <Code block fz="xs" mah={180} tabIndex={0} aria-label={`Condition of ${chosen.name}`}>
            {prettyJson(chosen.when, 72)}
          </Code>
          <Text size="sm">
            <Anchor component={Link} href={pathOf.segment(env, chosen.name)} inherit>
              Open segment {chosen.name}
            </Anchor>
          </Text>
        </>
      )}
    </Stack>
  );
}

interface CustomConditionProps {
  readonly source: string;
  readonly segments: readonly SavedSegment[];
}

function CustomCondition({ source, segments }: CustomConditionProps) {
  const { rule, readOnly, type } = useRule();
  const error = useFieldError('when');
  const { env, id } = useDraft().saved;
  const inConditions = useMemo(
    () => attributesIn([...segments.map(({ when }) => when), rule.when ?? '{}']),
    [segments, rule.when],
  );
  const offered = useAttributes(env, { content: id }, inConditions);
  return (
    <Suspense fallback={<Text size="sm">Loading the builder…</Text>}>
      <ConditionEditor
        label={`Condition of ${rule.segment}`}
        value={source}
        onChange={(text) => type(['when'], text)}
        readOnly={readOnly}
        error={error}
        offered={offered}
      />
    </Suspense>
  );
}

const attributeName = /"([^"$@\\][^"\\]*)"\s*:/g;

/** Attributes that conditions of the environment already use. */
function attributesIn(conditions: readonly string[]): string[] {
  const found = conditions.flatMap((source) => [...source.matchAll(attributeName)]);
  return [...new Set(found.map(([, name = '']) => name))].sort();
}
