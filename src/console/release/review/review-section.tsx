/** Who has approved a release, who is still needed, and the buttons of a reviewer. */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Release } from '../../../contract/schemas/release.js';
import { IconCheck, IconX } from '../../icons/icons.js';
import { When } from '../../parts/time/when.js';
import { useReviews } from '../../releases/release-queries.js';
import { useSession } from '../../session/session.js';
import { whyNoApproval } from '../words/release-actions.js';
import { ApproveDialog } from './approve-dialog.js';
import { RejectDialog } from './reject-dialog.js';

export interface ReviewSectionProps {
  readonly env: string;
  readonly release: Release;
}

export function ReviewSection({ env, release }: ReviewSectionProps) {
  const { review, state } = release;
  const { required, approvals, submittedBy, submittedAt } = review;
  if (required === 0 && approvals.length === 0) return null;
  const given = approvals.filter(({ counts }) => counts).length;
  return (
    <Stack gap="xs" component="section" aria-labelledby="review-title">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4" id="review-title">
          Review
        </Title>
        <Badge variant="dot" color={given >= required ? 'teal' : 'yellow'}>
          {given} of {required} approvals
        </Badge>
      </Group>
      {submittedBy !== null && (
        <Text size="sm" c="dimmed">
          Submitted by {submittedBy} <When at={submittedAt} span inherit />
        </Text>
      )}
      {approvals.map((approval) => (
        <Approval key={`${approval.user} ${approval.at}`} approval={approval} />
      ))}
      {state === 'review' && <Decide env={env} release={release} />}
      {(state === 'approved' || state === 'scheduled') && <SendBack env={env} release={release} />}
    </Stack>
  );
}

function Approval({
  approval: { user, at, comment, counts, reason },
}: {
  readonly approval: Release['review']['approvals'][number];
}) {
  const Icon = counts ? IconCheck : IconX;
  return (
    <Group gap={6} align="flex-start" wrap="nowrap">
      <Icon size={16} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
      <div>
        <Text size="sm" component="div">
          {user} approved <When at={at} span inherit c="dimmed" />
        </Text>
        {comment !== '' && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            “{comment}”
          </Text>
        )}
        {!counts && (
          <Text size="xs" c="dimmed">
            Does not count: {reason}
          </Text>
        )}
      </div>
    </Group>
  );
}

function Decide({ env, release }: ReviewSectionProps) {
  const [open, setOpen] = useState<'approve' | 'reject' | null>(null);
  const { name, role } = useSession();
  const reviews = useReviews();
  const isAsked =
    reviews.data?.some((one) => one.environment === env && one.release === release.release) ?? null;
  const reason = whyNoApproval(release, { name, role, isAsked });
  return (
    <>
      <Group gap="xs">
        <Button
          leftSection={<IconCheck size={16} aria-hidden />}
          disabled={reason !== null}
          aria-describedby={reason === null ? undefined : 'no-approval'}
          onClick={() => setOpen('approve')}
        >
          Approve…
        </Button>
        {role !== 'viewer' && (
          <Button variant="default" onClick={() => setOpen('reject')}>
            Send back…
          </Button>
        )}
      </Group>
      {reason !== null && (
        <Text size="sm" id="no-approval">
          {reason}
        </Text>
      )}
      {open === 'approve' && <ApproveDialog {...{ env, release }} onClose={() => setOpen(null)} />}
      {open === 'reject' && <RejectDialog {...{ env, release }} onClose={() => setOpen(null)} />}
    </>
  );
}

function SendBack({ env, release }: ReviewSectionProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (useSession().role === 'viewer') return null;
  return (
    <>
      <Group>
        <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
          Send back…
        </Button>
      </Group>
      {isOpen && <RejectDialog {...{ env, release }} onClose={() => setIsOpen(false)} />}
    </>
  );
}
