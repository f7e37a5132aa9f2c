/** What may be done with a value: its own acts, and its place in the text. */

import type { TextNode } from '../../../content/json/text-tree.js';
import { IconCode } from '../../icons/icons.js';
import { ActionMenu, type MenuAction } from '../../parts/data/action-menu.js';
import { useForm } from './form-context.js';

export interface FieldMenuProps {
  readonly node: TextNode;
  readonly pointer: string;
  readonly acts: readonly MenuAction[];
}

export function FieldMenu({ node, pointer, acts }: FieldMenuProps) {
  const { readOnly, goToText } = useForm();
  const toText = {
    label: readOnly ? 'Show in text' : 'Edit in text',
    icon: IconCode,
    onClick: () => goToText(node),
  };
  return (
    <ActionMenu
      label={`Actions for ${pointer === '' ? 'the whole text' : pointer}`}
      groups={[{ actions: [toText] }, { actions: readOnly ? [] : acts }]}
    />
  );
}
