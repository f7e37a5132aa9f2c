/** Asks to look at what was found before it is published: what was found, and whether confirming it is enough. */
import { Text } from '@mantine/core';
import { IconAlertTriangle } from '../icons/icons.js';
import { TitledAlert } from '../parts/titled-alert.js';
import type { AskedConfirmation } from './asked-confirmation.js';
import { confirmationTitle } from './confirmation-words.js';
import { FindingsList } from './findings-list.js';

export interface ConfirmationNoticeProps {
  readonly asked: AskedConfirmation;
  /** Whether it may be about several content items. */
  readonly hasContents?: boolean;
  /** What to do where a second person has to approve. */
  readonly approvalText?: string;
}

export function ConfirmationNotice(props: ConfirmationNoticeProps) {
  const { asked, hasContents = false, approvalText = 'Use a release.' } = props;
  const { confirmation, isNew, needsApproval } = asked;
  if (confirmation === null) return null;
  const { warnings, warningsCut } = confirmation;
  const title = confirmationTitle(confirmation);
  return (
    <TitledAlert
      color={needsApproval ? 'red' : 'orange'}
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      role={isNew ? 'alert' : 'status'}
      p="xs"
    >
      {isNew && (
        <Text size="sm" fw={600} mb={4}>
          Nothing was sent to players: this was found meanwhile.
        </Text>
      )}
      <FindingsList
        findings={warnings}
        isCut={warningsCut}
        hasContents={hasContents}
        label={title}
      />
      {needsApproval && (
        <Text size="sm" fw={600} mt={6}>
          A guard asks for the approval of a second person. {approvalText}
        </Text>
      )}
    </TitledAlert>
  );
}
