/** The head of an object or a list: opens and closes it, and says what is in it and what is wrong there. */
import { Box, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import type { TextNode } from '../../../content/json/text-tree.js';
import { IconChevronDown, IconChevronRight } from '../../icons/icons.js';
import { counted } from '../../parts/counted.js';
import type { MenuAction } from '../../parts/data/action-menu.js';
import { shownText } from '../table/cell-text.js';
import type { FieldPlan } from './field-plan.js';
import styles from './form.module.css';
import { useForm } from './form-context.js';
import { errorsWithin } from './form-errors.js';

export interface ValueFieldProps {
  readonly node: TextNode;
  /** The schemas of its place; none: nothing describes it. */
  readonly schemas: readonly TextNode[];
  /** Name of the member, or which element it is. */
  readonly name: string;
  /** How deep it is nested; 0: the whole text. */
  readonly level: number;
  readonly isRequired?: boolean;
  /** Whether it is not in the schema. */
  readonly isOther?: boolean;
  readonly acts: readonly MenuAction[];
}

export interface SectionProps {
  /** The field of what is inside; handed over, because it has sections itself. */
  readonly Field: ComponentType<ValueFieldProps>;
  readonly node: TextNode;
  readonly pointer: string;
  readonly plan: FieldPlan;
  readonly label: string;
  readonly description: string | null;
  readonly error: string | null;
  readonly level: number;
  readonly menu: ReactNode;
  readonly choices: ReactNode;
}

/** Sections that are open to begin with: the outer ones, unless they are long. */
const levelsOpen = 2;
const unitsOpenMax = 4_000;

export function SectionFrame(props: SectionProps & { readonly children: () => ReactNode }) {
  const { node, pointer, plan, label, description, error, level, menu, choices } = props;
  const { tree, errors, isOpen: isOpenAt, setOpen } = useForm();
  const isShort = node.end - node.start <= unitsOpenMax;
  const isOpen = isOpenAt(pointer, level === 0 || (level < levelsOpen && isShort));
  const within = isOpen ? 0 : errorsWithin(errors, pointer);
  return (
    <Box role="group" aria-label={label} data-pointer={pointer} className={styles['section'] ?? ''}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <UnstyledButton
          className={styles['head'] ?? ''}
          aria-expanded={isOpen}
          onClick={() => setOpen(pointer, !isOpen)}
        >
          {isOpen ? (
            <IconChevronDown size={16} aria-hidden />
          ) : (
            <IconChevronRight size={16} aria-hidden />
          )}
          <Text span fw={600} size="sm" className={styles['label'] ?? ''}>
            {label}
          </Text>
          {!isOpen && (
            <Text span size="sm" c="dimmed" truncate>
              {shownText(tree.text, node)}
            </Text>
          )}
          {within > 0 && (
            <Text span size="sm" c="red" className={styles['label'] ?? ''}>
              {counted(within, 'error')}
            </Text>
          )}
        </UnstyledButton>
        {menu}
      </Group>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {isOpen && (
        <Stack gap="sm" className={styles['inside'] ?? ''}>
          {description !== null && (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
          {plan.note !== null && (
            <Text size="xs" c="dimmed">
              {plan.note}
            </Text>
          )}
          {choices}
          {props.children()}
        </Stack>
      )}
    </Box>
  );
}
