/** The actions of a content item in the list. */
import { Menu } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ContentSummary } from '../../contract/operations/contents.js';
import { IconCopyPlus, IconDotsVertical, IconHistory, IconTrash } from '../icons/icons.js';
import { pathOf } from '../parts/environments.js';
import styles from './contents.module.css';

export interface ContentMenuProps {
  readonly env: string;
  readonly content: ContentSummary;
  /** Why it cannot be deleted here; null: it can. */
  readonly readOnlyReason: string | null;
  /** Whether the user may edit any environment. */
  readonly mayDuplicate: boolean;
  readonly onDuplicate: (content: ContentSummary) => void;
  readonly onDelete: (content: ContentSummary) => void;
}

const iconSize = 16;

/** The menu renders with the first click: one for every visible row would make scrolling slow. */
export function ContentMenu(props: ContentMenuProps) {
  const [isUsed, setIsUsed] = useState(false);
  if (isUsed) return <OpenMenu {...props} />;
  return (
    <button
      type="button"
      className={styles['icon']}
      aria-label={`Actions for ${props.content.id}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsUsed(true)}
    >
      <IconDotsVertical size={iconSize} aria-hidden />
    </button>
  );
}

function OpenMenu(props: ContentMenuProps) {
  const { env, content, readOnlyReason, mayDuplicate, onDuplicate, onDelete } = props;
  const [, go] = useLocation();
  const target = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  // The menu opens beside its target, which must render first; closing returns the focus to it.
  useEffect(() => {
    target.current?.focus();
    setIsOpen(true);
  }, []);
  return (
    <Menu opened={isOpen} onChange={setIsOpen} position="bottom-end" width={220} shadow="md">
      <Menu.Target>
        <button
          ref={target}
          type="button"
          className={styles['icon']}
          aria-label={`Actions for ${content.id}`}
        >
          <IconDotsVertical size={iconSize} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconHistory size={iconSize} aria-hidden />}
          onClick={() => {
            go(pathOf.content(env, content.id, 'history'));
            window.scrollTo(0, 0);
          }}
        >
          History
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCopyPlus size={iconSize} aria-hidden />}
          disabled={!mayDuplicate}
          onClick={() => onDuplicate(content)}
        >
          Duplicate…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color={readOnlyReason === null ? 'red' : undefined}
          leftSection={<IconTrash size={iconSize} aria-hidden />}
          disabled={readOnlyReason !== null}
          onClick={() => onDelete(content)}
        >
          Delete…
        </Menu.Item>
        {readOnlyReason !== null && <Menu.Label>{readOnlyReason}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
