/** One rule as a card: a summary, and its fields while it is open. */
import type { DraggableProvidedDragHandleProps } from '@hello-pangea/dnd';
import {
  Badge,
  Box,
  Group,
  Paper,
  Stack,
  Text,
  Title,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useId } from 'react';
import { useDraft } from '../../draft/draft-context.js';
import { ExperimentLink } from '../../experiments/experiment-link.js';
import { IconAlertCircle, IconChevronDown, IconGripVertical } from '../../icons/icons.js';
import { BucketStrip } from '../buckets/bucket-strip.js';
import { LayerFields } from '../layer/layer-fields.js';
import { describeIssue, issuesElsewhere, type RuleIssue } from '../mapping-issues.js';
import { WindowBadge } from '../window/window-badge.js';
import { WindowFields } from '../window/window-fields.js';
import { ChangeEditor } from './change-editor.js';
import { describeRule } from './describe-rule.js';
import { ForWhom } from './for-whom.js';
import { InfoField } from './info-field.js';
import { MutationEditor } from './mutation-editor.js';
import styles from './rule-card.module.css';
import { RuleContext, type RuleHandle, useRule } from './rule-handle.js';
import { RuleMenu, type RuleMenuProps } from './rule-menu.js';
import { mutationKinds, ruleOrder } from './rule-view.js';
import { SaltField } from './salt-field.js';
import { SourceField } from './source-field.js';
import { VariantsEditor } from './variants-editor.js';

export interface RuleCardProps extends RuleMenuProps {
  readonly handle: RuleHandle;
  /** The entry is not an object: it can only be edited as JSON. */
  readonly isForeign: boolean;
  readonly isOpen: boolean;
  readonly isNew: boolean;
  readonly brokenCount: number;
  readonly onToggle: () => void;
  readonly dragHandle: DraggableProvidedDragHandleProps | null;
  readonly isDragged: boolean;
}

export function RuleCard(props: RuleCardProps) {
  const { handle, isForeign, isOpen, isNew, brokenCount, onToggle, dragHandle, isDragged } = props;
  const { rule, index, errors, warnings, readOnly } = handle;
  const bodyId = useId();
  const name = isForeign ? 'Not a rule' : rule.segment || 'Without a name';
  const errorCount = errors.length + brokenCount;
  return (
    <Paper
      withBorder
      className={styles['card']}
      data-dragged={isDragged}
      data-faulty={errorCount > 0}
      component="section"
      aria-label={`Rule ${index + 1}, ${name}`}
    >
      <div className={styles['head']}>
        {!readOnly && (
          <div {...dragHandle} className={styles['grip']}>
            <IconGripVertical size={18} aria-hidden />
            <VisuallyHidden>
              Drag rule {index + 1}, {name}
            </VisuallyHidden>
          </div>
        )}
        <UnstyledButton
          className={styles['toggle']}
          onClick={onToggle}
          aria-expanded={isOpen}
          aria-controls={bodyId}
        >
          <IconChevronDown size={18} className={styles['chevron']} data-open={isOpen} aria-hidden />
          <Box miw={0}>
            <Title order={3} size="md" className={styles['name']}>
              <span className={styles['number']}>{index + 1}</span> {name}
            </Title>
            <Text size="xs" c="dimmed" truncate>
              {isForeign ? 'An entry that is not an object' : describeRule(rule)}
            </Text>
          </Box>
        </UnstyledButton>
        <Group gap={6} className={styles['badges']}>
          <WindowBadge from={rule.from} until={rule.until} repeat={rule.repeat} />
          {errorCount > 0 && (
            <Badge
              color="red"
              variant="light"
              leftSection={<IconAlertCircle size={12} aria-hidden />}
            >
              {errorCount === 1 ? '1 error' : `${errorCount} errors`}
            </Badge>
          )}
          {errorCount === 0 && warnings.length > 0 && (
            <Badge color="yellow" variant="light" className={styles['warning']}>
              {warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}
            </Badge>
          )}
        </Group>
        {!readOnly && <RuleMenu {...props} />}
      </div>
      {!isOpen && Array.isArray(rule.variants) && (
        <Box px="sm" pb="sm">
          <BucketStrip variants={rule.variants} height={10} />
        </Box>
      )}
      <div id={bodyId} hidden={!isOpen}>
        {isOpen && (
          <RuleContext value={handle}>
            <Box className={styles['body']}>
              {isForeign ? <ForeignEntry /> : <RuleFields isNew={isNew} />}
            </Box>
          </RuleContext>
        )}
      </div>
    </Paper>
  );
}

function RuleFields({ isNew }: { readonly isNew: boolean }) {
  const { rule, errors, warnings } = useRule();
  const { env, id } = useDraft().saved;
  // A test has no field for a mutation of its own: the issue is shown here.
  const shown =
    rule.variants === null ? ruleOrder : ruleOrder.filter((field) => !isMutation(field));
  const ofRule = warnings.filter(({ path }) => !mutationPath.test(path));
  return (
    <Stack gap="lg">
      <IssueList issues={issuesElsewhere(errors, shown)} />
      <IssueList issues={ofRule} isWarning />
      <ForWhom isNew={isNew} />
      <WindowFields />
      <LayerFields />
      {rule.variants === null ? (
        <ChangeEditor>
          <MutationEditor mutation={rule.mutation} variant={null} name={rule.segment} />
        </ChangeEditor>
      ) : (
        <>
          <SaltField />
          <VariantsEditor />
          {rule.segment !== '' && <ExperimentLink env={env} content={id} segment={rule.segment} />}
        </>
      )}
      <InfoField value={rule.info} variant={null} />
      {rule.others.length > 0 && (
        <Text size="sm">
          Also has <span className="mono">{rule.others.join(', ')}</span>, which the console does
          not know. It is kept, and can be edited as JSON.
        </Text>
      )}
    </Stack>
  );
}

const mutationPath = /(?:^|\.)(?:merge|patch|replace)(?:$|[.[])/;

function isMutation(field: string): boolean {
  return mutationKinds.some((kind) => kind === field);
}

interface IssueListProps {
  readonly issues: readonly RuleIssue[];
  readonly isWarning?: boolean;
}

function IssueList({ issues, isWarning = false }: IssueListProps) {
  if (issues.length === 0) return null;
  return (
    <Stack gap={4} role="status">
      {issues.map((issue) => (
        <Text
          key={`${issue.path} ${issue.message}`}
          size="sm"
          {...(!isWarning && { c: 'var(--mantine-color-error)' })}
        >
          {isWarning && <b>Warning: </b>}
          {describeIssue(issue)}
        </Text>
      ))}
    </Stack>
  );
}

function ForeignEntry() {
  return (
    <>
      <SourceField
        label="Entry"
        path={[]}
        hint="A rule must be an object. Fix it here, or remove it."
      />
      <IssueList issues={useRule().errors} />
    </>
  );
}
