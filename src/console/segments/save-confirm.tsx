/** Before a change of a segment goes to players: which contents it reaches, and whom of the sample users it moves. */
import { Button, Code, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { PendingSave, SegmentSaving } from './use-save-segment.js';

const reachesShown = 12;

export interface SaveConfirmProps {
  readonly name: string;
  readonly saving: SegmentSaving;
}

export function SaveConfirm({ name, saving }: SaveConfirmProps) {
  const { pending, isSaving, cancel, confirm } = saving;
  return (
    <Modal opened={pending !== null} onClose={cancel} title={`Save ${name}?`} size="lg">
      {pending !== null && (
        <Stack>
          <Text size="sm">
            Live contents use this segment. Saving changes at once who gets what, on all listeners.
            To undo it, save the old condition again.
          </Text>
          <Reaches ids={pending.plan.reaches} />
          <Effect pending={pending} />
          {pending.plan.warnings.length > 0 && (
            <List size="sm">
              {pending.plan.warnings.map(({ path, message }) => (
                <List.Item key={`${path} ${message}`}>
                  Warning: <Code>{path}</Code> {message}
                </List.Item>
              ))}
            </List>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel} disabled={isSaving}>
              Go on editing
            </Button>
            <Button onClick={confirm} loading={isSaving} data-autofocus>
              Save and deliver
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Reaches({ ids }: { readonly ids: readonly string[] }) {
  const left = ids.length - reachesShown;
  return (
    <div>
      <Text size="sm" fw={600}>
        Reaches {ids.length} live {ids.length === 1 ? 'content' : 'contents'}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {ids.slice(0, reachesShown).join(', ')}
        {left > 0 && ` and ${left} more`}
      </Text>
    </div>
  );
}

function Effect({ pending: { plan, users } }: { readonly pending: PendingSave }) {
  const { effect } = plan;
  if (effect === null) {
    return (
      <Text size="sm" c="dimmed">
        There are no sample users to try it on. Save some in the preview of a content.
      </Text>
    );
  }
  const { contexts, matchedBefore, matchAfter, entering, leaving } = effect;
  const named = (places: readonly number[], count: number): string => {
    const names = places.map((place) => users[place]?.name ?? `user ${place + 1}`).join(', ');
    return count > places.length ? `${names} and ${count - places.length} more` : names;
  };
  return (
    <div>
      <Text size="sm" fw={600}>
        Of {contexts} sample {contexts === 1 ? 'user' : 'users'}, {matchedBefore} matched and{' '}
        {matchAfter} would
      </Text>
      <List size="sm" withPadding>
        {entering > 0 && (
          <List.Item>Coming in: {named(effect.enteringExamples, entering)}</List.Item>
        )}
        {leaving > 0 && <List.Item>Left out: {named(effect.leavingExamples, leaving)}</List.Item>}
        {entering + leaving === 0 && <List.Item>Nobody of them comes in or is left out.</List.Item>}
      </List>
    </div>
  );
}
