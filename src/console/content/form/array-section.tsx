/** A list: its elements by the schema, added, moved, copied and removed. */
import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { TextNode } from '../../../content/json/text-tree.js';
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconPlus,
  IconSearch,
  IconTrash,
} from '../../icons/icons.js';
import { ToolButton } from '../../parts/tool-button.js';
import { sourceOf } from '../table/cell-text.js';
import { withMovedRow, withoutRow, withRowTwice } from '../table/table-edits.js';
import styles from './form.module.css';
import { useForm } from './form-context.js';
import { withElement } from './form-edits.js';
import { PageButtons, pageSize, usePage } from './page-buttons.js';
import { elementSchemas } from './schema-children.js';
import { SectionFrame, type SectionProps } from './section-frame.js';
import { startingSource } from './starting-source.js';

export function ArraySection(props: SectionProps) {
  return <SectionFrame {...props}>{() => <Elements {...props} />}</SectionFrame>;
}

function Elements({ Field, node, pointer, plan: { facts }, label, level }: SectionProps) {
  const { tree, schema, readOnly, change } = useForm();
  const [filter, setFilter] = useState('');
  const shown = elementsWith(tree.text, node, filter);
  const page = usePage(pointer, shown.length);
  const table = { tree, array: node };
  const count = node.children.length;
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= count) return;
    change(withMovedRow(table, from, to), `${pointer}/${to}`);
  };
  const add = (): void => {
    setFilter('');
    page.show(count);
    const source = startingSource(schema, elementSchemas(facts, count));
    change(withElement(tree, node, source), `${pointer}/${count}`);
  };
  const moveByKey = (event: KeyboardEvent, index: number): void => {
    const isMove = event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown');
    if (!isMove || readOnly) return;
    event.preventDefault();
    event.stopPropagation();
    move(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  };
  return (
    <>
      {count > pageSize && (
        <TextInput
          size="xs"
          label={`Filter the elements of ${label}`}
          placeholder="part of a value"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {shown.slice(page.from, page.to).map((element) => {
        const { index } = element;
        const acts = [
          {
            label: 'Duplicate',
            icon: IconCopy,
            onClick: () => change(withRowTwice(table, index), `${pointer}/${index + 1}`),
          },
          {
            label: 'Move up',
            icon: IconArrowUp,
            isDisabled: index === 0,
            onClick: () => move(index, index - 1),
          },
          {
            label: 'Move down',
            icon: IconArrowDown,
            isDisabled: index === count - 1,
            onClick: () => move(index, index + 1),
          },
          {
            label: 'Remove',
            icon: IconTrash,
            color: 'red',
            onClick: () => change(withoutRow(table, index), pointer),
          },
        ];
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: its fields have the focus.
          <div
            key={index}
            className={styles['element']}
            onKeyDown={(event) => moveByKey(event, index)}
          >
            <Field
              node={element}
              schemas={elementSchemas(facts, index)}
              name={`${label} ${index + 1}`}
              level={level + 1}
              acts={acts}
            />
          </div>
        );
      })}
      <PageButtons {...page} count={shown.length} of="element" />
      {!readOnly && (
        <ToolButton icon={IconPlus} onClick={add} style={{ alignSelf: 'flex-start' }}>
          Add to {label}
        </ToolButton>
      )}
    </>
  );
}

function elementsWith(text: string, node: TextNode, filter: string): readonly TextNode[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return node.children;
  return node.children.filter((child) => sourceOf(text, child).toLowerCase().includes(wanted));
}
