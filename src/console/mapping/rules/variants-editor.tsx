/** The variants of an A/B test: their groups on a bar and as numbers, their names, and what each of them changes. */
import { Alert, Button, Group, Input, Menu, Stack, Tabs, Text } from '@mantine/core';
import { IconArrowsSplit, IconChevronDown, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useId, useState } from 'react';
import { useDraft } from '../../draft/draft-context.js';
import {
  type GroupRange,
  gapsOf,
  groupCount,
  groupsMoved,
  hasOverlap,
  scaleTo,
  shareText,
  sizeOf,
  splitEvenly,
} from '../groups/group-ranges.js';
import styles from '../groups/groups.module.css';
import { GroupsBar } from '../groups/groups-bar.js';
import { GroupsAxis, GroupsStrip, stripWords } from '../groups/groups-strip.js';
import { faultOfField, jsonMarks } from '../mapping-faults.js';
import { MutationEditor } from './mutation-editor.js';
import { addVariant, setGroups, setVariantMember } from './rule-edits.js';
import { useFieldError, useRule } from './rule-handle.js';
import type { VariantView } from './rule-view.js';
import { TextField } from './text-field.js';
import { variantColour } from './variant-colours.js';
import { VariantRows } from './variant-rows.js';

const CodeEditor = lazy(async () => ({
  default: (await import('../../parts/code/code-editor.js')).CodeEditor,
}));

const holdOuts = [5, 10, 20, 50] as const;

export function VariantsEditor() {
  const { rule, readOnly, edit, saved, errors } = useRule();
  const { saved: content } = useDraft();
  const labelId = useId();
  const [preview, setPreview] = useState<readonly GroupRange[] | null>(null);
  const error = faultOfField(
    errors.filter(({ path }) => path === 'variants'),
    'variants',
  );
  const { variants } = rule;
  if (variants === null) return null;
  if (variants === 'other') return <VariantsSource />;

  const kept = variants.flatMap(({ groups }) => (groups === null ? [] : [groups]));
  const isBar = kept.length === variants.length && kept.length > 0 && !hasOverlap(kept);
  const ranges = preview ?? kept;
  const shown = isBar
    ? variants.map((variant, index) => ({ ...variant, groups: ranges[index] ?? variant.groups }))
    : variants;
  const free = isBar ? gapsOf(ranges).reduce((sum, gap) => sum + sizeOf(gap), 0) : 0;
  // Of what was never live, nobody is in a variant yet.
  const before = content.live === null ? null : saved?.variants;
  const moved =
    before !== null && before !== undefined && before !== 'other' && isBar
      ? groupsMoved(before, shown)
      : 0;
  const keep = (next: readonly GroupRange[]): void =>
    edit((mapping, index) => setGroups(mapping, index, next));

  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Input.Label component="div" id={labelId}>
          Variants
        </Input.Label>
        {!readOnly && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowsSplit size={14} aria-hidden />}
              disabled={!isBar && kept.length < variants.length}
              onClick={() => keep(splitEvenly(kept))}
            >
              Split evenly
            </Button>
            <HoldOutMenu isDisabled={!isBar} onChoose={(total) => keep(scaleTo(kept, total))} />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={!isBar && variants.length > 0}
              onClick={() => edit((mapping, index) => addVariant(mapping, index, rule) ?? mapping)}
            >
              Add variant
            </Button>
          </Group>
        )}
      </Group>
      {isBar ? (
        <GroupsBar
          names={variants.map(({ name }) => name)}
          ranges={kept}
          onPreview={setPreview}
          onChange={keep}
          readOnly={readOnly}
        />
      ) : (
        <div className={styles['inset']}>
          <GroupsStrip variants={variants} height={48} label={stripWords(variants)} />
          <GroupsAxis />
          <Text size="sm" role="status">
            {variants.length === 0
              ? 'A test has at least one variant.'
              : 'The groups overlap or are incomplete: mend them below, or split them evenly.'}
          </Text>
        </div>
      )}
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {error}
        </Text>
      )}
      <VariantRows variants={shown} ranges={isBar ? kept : null} onRanges={keep} />
      <Text size="xs" c="dimmed" role="status">
        {free > 0
          ? `${free} groups (${shareText(free)}, hatched) are not in the test: they get what they get without the rule.`
          : isBar && `All ${groupCount.toLocaleString('en')} groups take part.`}
      </Text>
      {moved > 0 && (
        <Alert color="yellow" variant="light" py="xs" role="status">
          {moved} groups ({shareText(moved)}) see another variant than in the saved revision, or
          join or leave the test: in a running test those players change variants.
        </Alert>
      )}
      <VariantChanges variants={variants} />
    </Stack>
  );
}

interface HoldOutMenuProps {
  readonly isDisabled: boolean;
  readonly onChoose: (total: number) => void;
}

function HoldOutMenu({ isDisabled, onChoose }: HoldOutMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          disabled={isDisabled}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Hold-out
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Leave the last groups out of the test</Menu.Label>
        {holdOuts.map((percent) => (
          <Menu.Item key={percent} onClick={() => onChoose(groupCount - percent * 10)}>
            Hold out {percent} %
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => onChoose(groupCount)}>No hold-out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** One variant's change at a time. */
function VariantChanges({ variants }: { readonly variants: readonly VariantView[] }) {
  const { errors } = useRule();
  const [chosen, setChosen] = useState<number | null>(null);
  const first = variants.findIndex(({ mutation }) => mutation !== null);
  const shown = Math.min(chosen ?? Math.max(0, first), variants.length - 1);
  const variant = variants[shown];
  if (variant === undefined) return null;
  return (
    <Tabs
      value={String(shown)}
      onChange={(value) => setChosen(Number(value))}
      variant="outline"
      keepMounted={false}
    >
      <Tabs.List aria-label="Change of each variant" mb="sm">
        {variants.map(({ name, mutation }, index) => (
          <Tabs.Tab
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place in the rule; names may repeat.
            key={index}
            value={String(index)}
            leftSection={
              <span
                className={styles['swatch']}
                style={{ background: variantColour(index).fill }}
              />
            }
          >
            {name === '' ? `Variant ${index + 1}` : name}
            {mutation === null && ' (control)'}
            {errors.some(({ path }) => path.startsWith(`variants[${index}]`)) && ' – error'}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={String(shown)}>
        <MutationEditor
          key={shown}
          mutation={variant.mutation}
          variant={shown}
          name={variant.name}
        />
        <VariantInfo key={`info ${shown}`} index={shown} variant={variant} />
      </Tabs.Panel>
    </Tabs>
  );
}

function VariantInfo(props: { readonly index: number; readonly variant: VariantView }) {
  const { index, variant } = props;
  const { readOnly, edit, errors } = useRule();
  const keep = (text: string): void =>
    edit((mapping, rule) =>
      setVariantMember(mapping, rule, index, 'info', text === '' ? null : JSON.stringify(text)),
    );
  return (
    <TextField
      label="Extra info of this variant"
      description="Optional; reported as i in meta.seg instead of the rule's."
      value={variant.info ?? ''}
      onText={keep}
      error={faultOfField(errors, `variants[${index}].info`)}
      readOnly={readOnly}
      maxLength={1024}
      maw={460}
      mt="sm"
    />
  );
}

/** What is there is no list of objects: it is mended as source. */
function VariantsSource() {
  const { type, broken, readOnly, source } = useVariantsSource();
  const error = useFieldError('variants');
  return (
    <Stack gap="xs">
      <Input.Label component="div">Variants</Input.Label>
      <Text size="sm">They are not written as the console can show them. Mend them as JSON.</Text>
      <Suspense fallback={<Text size="sm">Loading the editor…</Text>}>
        <CodeEditor
          label="Variants"
          value={broken ?? source}
          onChange={(text) => type(['variants'], text)}
          marks={jsonMarks(broken ?? source, 'list of variants')}
          readOnly={readOnly}
          minRows={3}
          maxRows={18}
        />
      </Suspense>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {error}
        </Text>
      )}
    </Stack>
  );
}

function useVariantsSource() {
  const { type, broken, readOnly, sourceAt } = useRule();
  return {
    type,
    readOnly,
    broken: broken(['variants']),
    source: sourceAt(['variants']) ?? '[]',
  };
}
