/** Which of several forms a value has: a branch of `oneOf` or `anyOf`, or one of several kinds. */
import { Group, NativeSelect, Text } from '@mantine/core';
import {
  childOf,
  type TextKind,
  type TextNode,
  type TextTree,
} from '../../../content/json/text-tree.js';
import { sourceOf } from '../table/cell-text.js';
import { type FieldPlan, wordsOf } from './field-plan.js';
import { useForm } from './form-context.js';
import { withMembers, withValue } from './form-edits.js';
import { memberSchemas } from './schema-children.js';
import { factsOf } from './schema-facts.js';
import { fits } from './schema-fit.js';
import { startingSource } from './starting-source.js';

export interface ChoiceSelectsProps {
  readonly label: string;
  readonly plan: FieldPlan;
  readonly node: TextNode;
  readonly schemas: readonly TextNode[];
}

export function ChoiceSelects({ label, plan, node, schemas }: ChoiceSelectsProps) {
  const { tree, schema, readOnly, change } = useForm();
  const { chosen, kinds, options } = plan.facts;
  const take = (source: string): void => change(withValue(tree, node, source));
  const hasKinds = options === null && kinds !== null && kinds.size > 1;
  // A value of the wrong kind is set right in its field, or here.
  const isWrong = kinds !== null && !kinds.has(node.kind);
  if (chosen.length === 0 && !hasKinds && !isWrong) return null;
  if (readOnly) {
    const forms = chosen.map(({ branches, index }) => {
      const branch = branches[index];
      return branch === undefined ? 'none of these' : nameOf(schema, branch, index);
    });
    return (
      <Text size="xs" c="dimmed">
        Form: {[...forms, ...(hasKinds || isWrong ? [wordsOf([node.kind])] : [])].join(', ')}
      </Text>
    );
  }
  return (
    <Group gap="xs" mt={4}>
      {chosen.map(({ list, branches, index }) => (
        <NativeSelect
          key={list.start}
          size="xs"
          label={`Form of ${label}`}
          value={String(index)}
          data={[
            ...(index < 0 ? [{ value: '-1', label: 'none of these' }] : []),
            ...branches.map((branch, at) => ({
              value: String(at),
              label: nameOf(schema, branch, at),
            })),
          ]}
          onChange={(event) => {
            const branch = branches[Number(event.currentTarget.value)];
            if (branch !== undefined) {
              take(sourceInBranch({ schema, schemas, branch, tree, node }));
            }
          }}
        />
      ))}
      {(hasKinds || isWrong) && (
        <NativeSelect
          size="xs"
          label={`Type of ${label}`}
          value={isWrong ? '' : node.kind}
          data={[
            ...(isWrong ? [{ value: '', label: wordsOf([node.kind]) }] : []),
            ...[...(kinds ?? [])].map((kind) => ({ value: kind, label: wordsOf([kind]) })),
          ]}
          onChange={(event) => {
            const kind = event.currentTarget.value as TextKind | '';
            if (kind !== '') take(startingSource(schema, schemas, kind));
          }}
        />
      )}
    </Group>
  );
}

/** What a person calls a branch: its title, the constant that tells it apart, or its type. */
function nameOf(schema: TextTree, branch: TextNode, at: number): string {
  const facts = factsOf(schema, [branch]);
  if (facts.title !== null) return facts.title;
  for (const part of facts.parts) {
    for (const member of childOf(part, 'properties')?.children ?? []) {
      const constant = factsOf(schema, [member]).options;
      if (constant?.length === 1) return `${member.name}: ${constant[0]?.label}`;
    }
  }
  return facts.kinds === null ? `form ${at + 1}` : wordsOf([...facts.kinds]);
}

interface BranchValue {
  readonly schema: TextTree;
  readonly schemas: readonly TextNode[];
  readonly branch: TextNode;
  readonly tree: TextTree;
  readonly node: TextNode;
}

/** The value that the branch begins with; members that fit it are kept as they are written. */
function sourceInBranch({ schema, schemas, branch, tree, node }: BranchValue): string {
  const start = startingSource(schema, [branch, ...schemas]);
  if (node.kind !== 'object' || !start.startsWith('{')) return start;
  const facts = factsOf(schema, [branch, ...schemas]);
  const kept = node.children.flatMap((member) => {
    const name = member.name ?? '';
    const described = memberSchemas(schema, facts, name);
    const isKept = described.length > 0 && fits(schema, described, tree.text, member);
    return isKept ? [[name, sourceOf(tree.text, member)] as const] : [];
  });
  return withMembers(start, new Map(kept));
}
