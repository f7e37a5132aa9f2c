/** Which rule with variants an experiment is about, with its variants drawn. */
import { Select, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AbTest } from '../../../contract/operations/tests.js';
import { ruleKey } from '../../experiments/rule-key.js';
import { BucketStrip, describeVariants } from '../../mapping/buckets/bucket-strip.js';

export interface TestFieldProps {
  readonly tests: readonly AbTest[];
  /** Key of the rule; '': none is chosen. */
  readonly value: string;
  readonly error: ReactNode;
  readonly onChange: (rule: string) => void;
}

export function TestField({ tests, value, error, onChange }: TestFieldProps) {
  const test = tests.find((one) => ruleKey(one) === value);
  return (
    <Stack gap="xs">
      <Select
        label="A/B test"
        description="A targeting rule with variants."
        placeholder="Choose one"
        required
        data={tests.map((one) => ({
          value: ruleKey(one),
          label: `${one.content}: ${one.segment}${one.live ? '' : ' (draft)'}`,
        }))}
        value={value === '' ? null : value}
        searchable={tests.length > 8}
        allowDeselect={false}
        error={error}
        onChange={(chosen) => {
          if (chosen !== null) onChange(chosen);
        }}
      />
      {test !== undefined && (
        <>
          <BucketStrip
            variants={test.variants}
            height={40}
            label={describeVariants(test.variants)}
          />
          {!test.live && (
            <Text size="sm">
              The rule is not live yet: publish it before you start the experiment.
            </Text>
          )}
          {test.salt === null && (
            <Text size="sm">
              The rule has no assignment seed, so it has the same buckets as every other test
              without one. Give it a seed of its own first.
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
