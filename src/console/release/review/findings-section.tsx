/** What a release does to values and probably should not, or to running experiments, and who has confirmed it. */
import { Stack, Text, Title } from '@mantine/core';
import type { Release } from '../../../contract/schemas/release.js';
import { FindingsList } from '../../findings/findings-list.js';
import { When } from '../../parts/time/when.js';

export function FindingsSection({ release }: { readonly release: Release }) {
  const { findings } = release;
  if (findings.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-labelledby="findings-title">
      <Title order={2} size="h4" id="findings-title">
        Findings
      </Title>
      <Confirmed release={release} />
      <FindingsOf release={release} />
    </Stack>
  );
}

/** The list alone, for a dialog that has a title of its own. */
export function FindingsOf({ release }: { readonly release: Release }) {
  return (
    <FindingsList
      findings={release.findings}
      isCut={release.findingsCut}
      hasContents
      label="Findings of this release"
    />
  );
}

function Confirmed({ release: { confirmed, review } }: { readonly release: Release }) {
  const { submittedBy, submittedAt } = review;
  return (
    <Text size="sm" c="dimmed" component="div">
      {confirmed === null ? (
        'No one has confirmed them: they are warnings.'
      ) : submittedBy === null ? (
        'They were confirmed before it was delivered.'
      ) : (
        <>
          Confirmed by {submittedBy} <When at={submittedAt} span inherit />
        </>
      )}
    </Text>
  );
}
