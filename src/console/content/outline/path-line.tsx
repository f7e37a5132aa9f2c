/** The path of the value at the cursor: each part leads to its value; its type and value, and what can be done with it. */
import {
  ActionIcon,
  Button,
  CopyButton,
  Group,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { tokensOf } from '../../../content/json/pointer-text.js';
import { nodeOf, type TextNode, type TextTree } from '../../../content/json/text-tree.js';
import { guardPathCharsMax } from '../../../contract/limits.js';
import type { GuardInput } from '../../../contract/schemas/guard.js';
import { IconBraces, IconCheck, IconCopy, IconShieldCheck } from '../../icons/icons.js';
import { guardOfPath } from '../values/guard-of-path.js';
import styles from './outline.module.css';
import { gistOf, nameOf, pathsAbove } from './outline-rows.js';

export interface PathLineProps {
  /** JSON Pointer. */
  readonly path: string;
  /** Null: the text cannot be read. */
  readonly tree: TextTree | null;
  readonly onGo: (path: string) => void;
  /** Null: the user cannot add guards. */
  readonly onGuard: ((guard: GuardInput) => void) | null;
}

export function PathLine({ path, tree, onGo, onGuard }: PathLineProps) {
  const paths = path === '' ? [] : [...pathsAbove(path), path];
  const node = tree === null ? null : nodeOf(tree, path);
  return (
    <Group gap={4}>
      <nav aria-label="Path of the value">
        <UnstyledButton
          className={styles['crumb'] ?? ''}
          aria-label="Go to the whole text"
          onClick={() => onGo('')}
        >
          {paths.length === 0 ? 'The whole text' : <IconBraces size={14} aria-hidden />}
        </UnstyledButton>
        {paths.map((part) => (
          <UnstyledButton
            key={part}
            className={styles['crumb'] ?? ''}
            style={{ paddingInline: 1 }}
            aria-current={part === path ? 'location' : undefined}
            onClick={() => onGo(part)}
          >
            /{tokensOf(part)?.at(-1)}
          </UnstyledButton>
        ))}
      </nav>
      <CopyPointer path={path} />
      {tree !== null && node !== null && (
        <Text size="sm" c="dimmed" truncate maw="24rem">
          {node.kind} {gistOf(tree, node)}
        </Text>
      )}
      {tree !== null && node !== null && onGuard !== null && path.length <= guardPathCharsMax && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconShieldCheck size={14} aria-hidden />}
          aria-label={`Guard the value of ${nameOf(node)}`}
          onClick={() => onGuard(guardOf(tree, node, path))}
        >
          Guard…
        </Button>
      )}
    </Group>
  );
}

function CopyPointer({ path }: { readonly path: string }) {
  return (
    <CopyButton value={path}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy the JSON pointer'}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={copied ? 'Copied' : 'Copy the JSON pointer'}
            onClick={copy}
          >
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** Allows exactly what is there now, for people to widen. */
function guardOf({ text }: TextTree, { kind, start, end }: TextNode, path: string): GuardInput {
  const source = text.slice(start, end);
  const number = kind === 'number' ? Number(source) : null;
  const value = number !== null && Number.isFinite(number) ? number : null;
  const bound = number === null ? null : { value, rule: null, segment: null, variant: null };
  const isScalar = kind === 'string' || kind === 'boolean' || kind === 'null';
  const values = isScalar ? [source] : null;
  return guardOfPath({ path, types: [kind], always: true, min: bound, max: bound, values });
}
