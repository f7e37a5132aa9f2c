/** One rule as a card: a line that tells what it is, and its fields when it is open. */
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
import { IconAlertCircle, IconChevronDown, IconGripVertical } from '@tabler/icons-react';
import { lazy, Suspense, useId } from 'react';
import { GroupsStrip } from '../groups/groups-strip.js';
import { faultsElsewhere, faultWords, jsonMarks } from '../mapping-faults.js';
import { ForWhom } from './for-whom.js';
import { MutationEditor } from './mutation-editor.js';
import styles from './rule-card.module.css';
import { RuleContext, type RuleHandle, useFieldError, useRule } from './rule-handle.js';
import { RuleMenu, type RuleMenuProps } from './rule-menu.js';
import { mutationKinds, type RuleView } from './rule-view.js';
import { SaltField } from './salt-field.js';
import { TextField } from './text-field.js';
import { VariantsEditor } from './variants-editor.js';
import { WindowBadge } from './window-badge.js';
import { WindowFields } from './window-fields.js';

const CodeEditor = lazy(async () => ({
  default: (await import('../../parts/code/code-editor.js')).CodeEditor,
}));

export interface RuleCardProps extends RuleMenuProps {
  readonly handle: RuleHandle;
  /** The entry is no object: it can only be edited as JSON. */
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
  const name = isForeign ? 'No rule' : rule.segment || 'Without a name';
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
              {isForeign ? 'An entry that is no object' : ruleWords(rule)}
            </Text>
          </Box>
        </UnstyledButton>
        <Group gap={6} className={styles['badges']}>
          <WindowBadge from={rule.from} until={rule.until} />
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
          <GroupsStrip variants={rule.variants} height={10} />
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

/** Who and what, in a line. */
function ruleWords({ when, variants, mutation }: RuleView): string {
  const who =
    when === null ? 'saved segment' : emptyCondition.test(when) ? 'everybody' : 'own condition';
  if (variants === null) {
    const what = mutation === null ? 'no change' : kindWords[mutation.kind];
    return `Change for ${who} · ${what}`;
  }
  const count = variants === 'other' ? '' : ` · ${variants.length} variants`;
  return `A/B test for ${who}${count}`;
}

const emptyCondition = /^\{\s*\}$/;
const kindWords = { merge: 'merge patch', patch: 'JSON Patch', replace: 'replacement' } as const;

const fields = ['segment', 'when', 'info', 'from', 'until', 'salt', 'variants', ...mutationKinds];

function RuleFields({ isNew }: { readonly isNew: boolean }) {
  const { rule, errors, warnings } = useRule();
  // A test that mutates itself as well says so here: it has no field of its own then.
  const shown = rule.variants === null ? fields : fields.filter((field) => !isMutation(field));
  const others = faultsElsewhere(errors, shown);
  const doubts = warnings.filter(({ path }) => !mutationPath.test(path));
  return (
    <Stack gap="lg">
      {(others.length > 0 || doubts.length > 0) && (
        <Stack gap={4} role="status">
          {others.map((fault) => (
            <Text key={`${fault.path} ${fault.message}`} size="sm" c="var(--mantine-color-error)">
              {faultWords(fault)}
            </Text>
          ))}
          {doubts.map((fault) => (
            <Text key={`${fault.path} ${fault.message}`} size="sm">
              <b>Warning:</b> {faultWords(fault)}
            </Text>
          ))}
        </Stack>
      )}
      <ForWhom isNew={isNew} />
      <WindowFields />
      {rule.variants === null ? (
        <MutationEditor mutation={rule.mutation} variant={null} name={rule.segment} />
      ) : (
        <>
          <SaltField />
          <VariantsEditor />
        </>
      )}
      <InfoField />
      {rule.others.length > 0 && (
        <Text size="sm">
          Also has <span className="mono">{rule.others.join(', ')}</span>, which the console does
          not know: it is kept, and can be edited in the JSON view.
        </Text>
      )}
    </Stack>
  );
}

const mutationPath = /(?:^|\.)(?:merge|patch|replace)(?:$|[.[])/;

function isMutation(field: string): boolean {
  return mutationKinds.some((kind) => kind === field);
}

function InfoField() {
  const { rule, readOnly, set } = useRule();
  return (
    <TextField
      label="Extra info"
      description="Optional; reported with the name, as i in meta.seg."
      value={rule.info ?? ''}
      onText={(text) => set('info', text === '' ? null : JSON.stringify(text))}
      error={useFieldError('info')}
      readOnly={readOnly}
      maxLength={1024}
      maw={460}
    />
  );
}

function ForeignEntry() {
  const { type, broken, sourceAt, readOnly, errors } = useRule();
  const source = broken([]) ?? sourceAt([]) ?? '';
  return (
    <Stack gap="xs">
      <Text size="sm">A rule must be an object. Mend it here, or remove it.</Text>
      <Suspense fallback={<Text size="sm">Loading the editor…</Text>}>
        <CodeEditor
          label="Entry"
          value={source}
          onChange={(text) => type([], text)}
          marks={jsonMarks(source, 'rule')}
          readOnly={readOnly}
          minRows={2}
          maxRows={18}
        />
      </Suspense>
      {errors.map((fault) => (
        <Text key={`${fault.path} ${fault.message}`} size="sm" c="var(--mantine-color-error)">
          {faultWords(fault)}
        </Text>
      ))}
    </Stack>
  );
}
