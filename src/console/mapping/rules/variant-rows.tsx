/** The variants as rows: name, first and last bucket, share. */
import { ActionIcon, Badge, NumberInput, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { IconTrash } from '../../icons/icons.js';
import { type BucketRange, formatShare, setEnd, sizeOf } from '../buckets/bucket-ranges.js';
import styles from '../buckets/buckets.module.css';
import { errorOfField } from '../mapping-issues.js';
import { setVariantMember } from './rule-edits.js';
import { useRule } from './rule-handle.js';
import { mutationLabels, type VariantView } from './rule-view.js';
import { TextField } from './text-field.js';
import { variantColour } from './variant-colours.js';

export interface VariantRowsProps {
  readonly variants: readonly VariantView[];
  /** Of all variants; null: they overlap or are incomplete, and each is set for itself. */
  readonly ranges: readonly BucketRange[] | null;
  readonly onRanges: (ranges: readonly BucketRange[]) => void;
}

export function VariantRows({ variants, ranges, onRanges }: VariantRowsProps) {
  return (
    <div className={styles['rows']}>
      <div className={`${styles['row']} ${styles['rowHead']}`} aria-hidden>
        <span>Name</span>
        <span>First bucket</span>
        <span>Last bucket</span>
        <span>Share</span>
        <span>Change</span>
        <span />
      </div>
      {variants.map((variant, index) => (
        <VariantRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place in the rule; names may repeat.
          key={index}
          variant={variant}
          index={index}
          isOnly={variants.length === 1}
          ranges={ranges}
          onRanges={onRanges}
        />
      ))}
    </div>
  );
}

interface VariantRowProps extends Omit<VariantRowsProps, 'variants'> {
  readonly variant: VariantView;
  readonly index: number;
  readonly isOnly: boolean;
}

function VariantRow({ variant, index, isOnly, ranges, onRanges }: VariantRowProps) {
  const { readOnly, edit, errors, removeVariant } = useRule();
  const { name, groups, mutation, others } = variant;
  const title = name === '' ? `Variant ${index + 1}` : name;
  const errorOf = (field: string): string | null =>
    errorOfField(errors, `variants[${index}]${field}`);
  const bucketsError = errorOf('.groups');
  const setOne = (end: 'from' | 'to', value: number): void => {
    if (ranges !== null) {
      onRanges(setEnd(ranges, index, end, value));
      return;
    }
    const [from, to] = groups ?? [0, 999];
    const pair = end === 'from' ? [value, Math.max(value, to)] : [Math.min(from, value), value];
    edit((mapping, rule) =>
      setVariantMember(mapping, rule, index, 'groups', `[${pair[0]}, ${pair[1]}]`),
    );
  };
  return (
    <div className={styles['row']}>
      <TextField
        aria-label={`Name of variant ${index + 1}`}
        leftSection={
          <span className={styles['swatch']} style={{ background: variantColour(index).fill }} />
        }
        value={name}
        onText={(text) =>
          edit((mapping, rule) =>
            setVariantMember(mapping, rule, index, 'name', JSON.stringify(text)),
          )
        }
        error={errorOf('.name')}
        readOnly={readOnly}
        maxLength={128}
      />
      <BucketInput
        label={`First bucket of ${title}`}
        value={groups?.[0] ?? null}
        onValue={(value) => setOne('from', value)}
        readOnly={readOnly}
        hasError={bucketsError !== null}
      />
      <BucketInput
        label={`Last bucket of ${title}`}
        value={groups?.[1] ?? null}
        onValue={(value) => setOne('to', value)}
        readOnly={readOnly}
        hasError={bucketsError !== null}
      />
      <Text className={styles['cell']} size="sm" ff="monospace">
        {groups === null ? '–' : formatShare(sizeOf(groups))}
      </Text>
      <div className={`${styles['cell']} ${styles['onlyWide']}`}>
        <Badge variant="default" fw={500}>
          {mutation === null ? 'Control' : mutationLabels[mutation.kind]}
        </Badge>
      </div>
      {readOnly ? (
        <span />
      ) : (
        <Tooltip label={isOnly ? 'A test has at least one variant' : `Remove ${title}`}>
          <ActionIcon
            className={styles['cell']}
            variant="subtle"
            color="gray"
            size="input-sm"
            aria-label={`Remove ${title}`}
            disabled={isOnly}
            onClick={() => removeVariant(index)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {(bucketsError !== null || others.length > 0) && (
        <Text
          size="sm"
          style={{ gridColumn: '1 / -1' }}
          {...(bucketsError !== null && { c: 'var(--mantine-color-error)', role: 'status' })}
        >
          {bucketsError ?? `Also has ${others.join(', ')}: see JSON.`}
        </Text>
      )}
    </div>
  );
}

interface BucketInputProps {
  readonly label: string;
  readonly value: number | null;
  readonly onValue: (value: number) => void;
  readonly readOnly: boolean;
  readonly hasError: boolean;
}

/** Takes effect on Enter or when the focus leaves: half a number would move the neighbours. */
function BucketInput({ label, value, onValue, readOnly, hasError }: BucketInputProps) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const keep = (): void => {
    const wanted = typed === '' || typed === null ? null : Number(typed);
    setTyped(null);
    if (wanted !== null && Number.isInteger(wanted) && wanted !== value) onValue(wanted);
  };
  return (
    <NumberInput
      aria-label={label}
      value={typed ?? value ?? ''}
      onChange={setTyped}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') setTyped(null);
      }}
      min={0}
      max={999}
      clampBehavior="strict"
      allowDecimal={false}
      hideControls
      readOnly={readOnly}
      error={hasError}
    />
  );
}
