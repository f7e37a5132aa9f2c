/** For whom a rule is: a saved segment, a condition of its own, or everybody; and the name it is reported under. */
import { Anchor, Code, Input, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useId, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAttributes } from '../../conditions/use-attributes.js';
import { useDraft } from '../../draft/draft-context.js';
import { pathOf } from '../../parts/environments.js';
import { prettyJson } from '../pretty-json.js';
import { attributesIn, type SavedSegment, useSavedSegments } from '../saved-segments.js';
import { renameRule } from './rule-edits.js';
import { useFieldError, useRule } from './rule-handle.js';
import { TextField } from './text-field.js';

const ConditionEditor = lazy(async () => ({
  default: (await import('../../conditions/condition-editor.js')).ConditionEditor,
}));

type Audience = 'saved' | 'own' | 'everybody';

const emptyCondition = /^\{\s*\}$/;
const noSegments: readonly SavedSegment[] = [];

export function ForWhom({ isNew }: { readonly isNew: boolean }) {
  const { rule, readOnly, set, broken } = useRule();
  const { data: segments = noSegments } = useSavedSegments(useDraft().saved.env);
  // A condition that is still empty is not taken for everybody while it is built.
  const [isBuilding, setIsBuilding] = useState(false);
  const leftBehind = useRef<string | null>(null);
  const labelId = useId();
  const when = broken(['when']) ?? rule.when;
  const isEmpty = when !== null && emptyCondition.test(when.trim());
  const audience: Audience = when === null ? 'saved' : isEmpty && !isBuilding ? 'everybody' : 'own';

  const choose = (wanted: string): void => {
    if (audience === 'own' && rule.when !== null && !isEmpty) leftBehind.current = rule.when;
    setIsBuilding(wanted === 'own');
    if (wanted === 'everybody') set('when', '{}');
    else if (wanted === 'saved') set('when', null);
    else {
      // What was built before, or else what the saved segment asks for, to go on from.
      const saved = when === null ? segments.find(({ name }) => name === rule.segment) : undefined;
      set('when', leftBehind.current ?? saved?.when ?? '{}');
    }
  };

  return (
    <Stack gap="sm">
      <Stack gap={4} align="flex-start">
        <Input.Label component="div" id={labelId}>
          For whom
        </Input.Label>
        <SegmentedControl
          aria-labelledby={labelId}
          size="xs"
          value={audience}
          onChange={choose}
          readOnly={readOnly}
          data={[
            { value: 'everybody', label: 'Everybody' },
            { value: 'saved', label: 'Saved segment' },
            { value: 'own', label: 'Own condition' },
          ]}
        />
      </Stack>
      {audience === 'saved' ? (
        <SavedSegmentField segments={segments} />
      ) : (
        <NameField isNew={isNew} />
      )}
      {audience === 'own' && <OwnCondition source={when ?? '{}'} segments={segments} />}
    </Stack>
  );
}

function NameField({ isNew }: { readonly isNew: boolean }) {
  const { rule, readOnly, edit } = useRule();
  const { saved } = useDraft();
  return (
    <TextField
      label="Name"
      description="Players in it are told the name, as n in meta.seg; analytics can go by it."
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
  // A name that is not saved stays to be seen.
  const data =
    rule.segment === '' || names.includes(rule.segment) ? names : [rule.segment, ...names];
  const about = new Map(segments.map((segment) => [segment.name, segment]));
  return (
    <Stack gap={6} maw={620}>
      <Select
        label="Segment"
        description="Players in it are told its name, as n in meta.seg; analytics can go by it."
        placeholder={names.length === 0 ? 'No segment is saved yet' : 'Choose a segment'}
        data={data}
        value={rule.segment === '' ? null : rule.segment}
        onChange={(name) => {
          if (name !== null) set('segment', JSON.stringify(name));
        }}
        error={error}
        readOnly={readOnly}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No saved segment has that name."
        renderOption={({ option }) => (
          <div>
            <Text size="sm">{option.value}</Text>
            <Text size="xs" c="dimmed" lineClamp={1}>
              {about.get(option.value)?.description || about.get(option.value)?.when}
            </Text>
          </div>
        )}
      />
      {chosen !== undefined && (
        <>
          <Code block fz="xs" mah={180} tabIndex={0} aria-label={`Condition of ${chosen.name}`}>
            {prettyJson(chosen.when, 72)}
          </Code>
          <Text size="sm">
            <Anchor component={Link} href={pathOf.segment(env, chosen.name)} inherit>
              Open the segment {chosen.name}
            </Anchor>
          </Text>
        </>
      )}
      {chosen === undefined && (
        <Text size="sm">
          <Anchor component={Link} href={pathOf.segments(env)} inherit>
            Go to the saved segments
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

interface OwnConditionProps {
  readonly source: string;
  readonly segments: readonly SavedSegment[];
}

function OwnCondition({ source, segments }: OwnConditionProps) {
  const { rule, readOnly, type } = useRule();
  const error = useFieldError('when');
  const { env, id } = useDraft().saved;
  const inConditions = useMemo(
    () => attributesIn([...segments.map(({ when }) => when), rule.when ?? '{}']),
    [segments, rule.when],
  );
  const { attributes, isUsed } = useAttributes(env, { content: id }, inConditions);
  return (
    <Suspense fallback={<Text size="sm">Loading the builder…</Text>}>
      <ConditionEditor
        label={`Condition of ${rule.segment}`}
        value={source}
        onChange={(text) => type(['when'], text)}
        readOnly={readOnly}
        error={error}
        attributes={attributes}
        isUsed={isUsed}
      />
    </Suspense>
  );
}
