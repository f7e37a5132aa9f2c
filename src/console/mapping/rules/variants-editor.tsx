/** The variants of an A/B test: their buckets on a bar and as numbers, their names, and the change of each. */
import { Alert, Box, Button, Group, Input, Menu, Stack, Tabs, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { useDraft } from '../../draft/draft-context.js';
import { IconArrowsSplit, IconChevronDown, IconPlus } from '../../icons/icons.js';
import { ErrorText } from '../../parts/error-text.js';
import { BucketBar } from '../buckets/bucket-bar.js';
import {
  type BucketRange,
  bucketCount,
  bucketsMoved,
  formatShare,
  gapsOf,
  hasOverlap,
  scaleTo,
  sizeOf,
  splitEvenly,
} from '../buckets/bucket-ranges.js';
import { BucketAxis, BucketStrip, describeVariants } from '../buckets/bucket-strip.js';
import styles from '../buckets/buckets.module.css';
import { errorOfField } from '../mapping-issues.js';
import { ChangeEditor } from './change-editor.js';
import { InfoField } from './info-field.js';
import { MutationEditor } from './mutation-editor.js';
import { addVariant, setBuckets } from './rule-edits.js';
import { useFieldError, useRule } from './rule-handle.js';
import type { VariantView } from './rule-view.js';
import { SourceField } from './source-field.js';
import { variantColour } from './variant-colours.js';
import { VariantRows } from './variant-rows.js';

const holdouts = [5, 10, 20, 50] as const;

export function VariantsEditor() {
  const { rule, readOnly, edit, saved, errors } = useRule();
  const { saved: content } = useDraft();
  const labelId = useId();
  const [preview, setPreview] = useState<readonly BucketRange[] | null>(null);
  const error = errorOfField(
    errors.filter(({ path }) => path === 'variants'),
    'variants',
  );
  const ofField = useFieldError('variants');
  const { variants } = rule;
  if (variants === null) return null;
  if (variants === 'other') {
    return (
      <Stack gap="xs">
        <Input.Label component="div">Variants</Input.Label>
        <SourceField
          label="Variants"
          path={['variants']}
          hint="They are not a list of objects. Fix them as JSON."
        />
        {ofField !== null && <ErrorText>{ofField}</ErrorText>}
      </Stack>
    );
  }

  const kept = variants.flatMap(({ groups }) => (groups === null ? [] : [groups]));
  const isBar = kept.length === variants.length && kept.length > 0 && !hasOverlap(kept);
  const ranges = preview ?? kept;
  const shown = isBar
    ? variants.map((variant, index) => ({ ...variant, groups: ranges[index] ?? variant.groups }))
    : variants;
  const free = isBar ? gapsOf(ranges).reduce((sum, gap) => sum + sizeOf(gap), 0) : 0;
  // Before the first publish, no player is in a variant.
  const before = content.live === null ? null : saved?.variants;
  const hasRun = before !== null && before !== undefined;
  const moved = hasRun && before !== 'other' && isBar ? bucketsMoved(before, shown) : 0;
  const keep = (next: readonly BucketRange[]): void =>
    edit((mapping, index) => setBuckets(mapping, index, next));

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
            <HoldoutMenu isDisabled={!isBar} onChoose={(total) => keep(scaleTo(kept, total))} />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={!isBar && variants.length > 0}
              onClick={() =>
                edit((mapping, index) => addVariant(mapping, index, rule, hasRun) ?? mapping)
              }
            >
              Add variant
            </Button>
          </Group>
        )}
      </Group>
      {isBar ? (
        <BucketBar
          names={variants.map(({ name }) => name)}
          ranges={kept}
          onPreview={setPreview}
          onChange={keep}
          readOnly={readOnly}
        />
      ) : (
        <div className={styles['inset']}>
          <BucketStrip variants={variants} height={48} label={describeVariants(variants)} />
          <BucketAxis />
          <Text size="sm" role="status">
            {variants.length === 0
              ? 'A test has at least one variant.'
              : 'The buckets overlap or are incomplete: fix them below, or split them evenly.'}
          </Text>
        </div>
      )}
      {error !== null && <ErrorText>{error}</ErrorText>}
      <VariantRows variants={shown} ranges={isBar ? kept : null} onRanges={keep} />
      <Text size="xs" c="dimmed" role="status">
        {free > 0
          ? `${free} buckets (${formatShare(free)}, hatched) are not in the test: their players get what they get without the rule.`
          : isBar && `All ${bucketCount.toLocaleString('en')} buckets take part.`}
      </Text>
      {moved > 0 && (
        <Alert color="yellow" variant="light" py="xs" role="status">
          {moved} buckets ({formatShare(moved)}) change their variant, join or leave the test. This
          spoils a running test.
        </Alert>
      )}
      {variants.length > 0 && (
        <ChangeEditor>
          <VariantChanges variants={variants} />
        </ChangeEditor>
      )}
    </Stack>
  );
}

interface HoldoutMenuProps {
  readonly isDisabled: boolean;
  readonly onChoose: (total: number) => void;
}

function HoldoutMenu({ isDisabled, onChoose }: HoldoutMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          disabled={isDisabled}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Holdout
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Leave the last buckets out of the test</Menu.Label>
        {holdouts.map((percent) => (
          <Menu.Item key={percent} onClick={() => onChoose(bucketCount - percent * 10)}>
            Hold out {percent} %
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => onChoose(bucketCount)}>No holdout</Menu.Item>
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
        <Box mt="sm">
          <InfoField key={shown} value={variant.info} variant={shown} />
        </Box>
      </Tabs.Panel>
    </Tabs>
  );
}
