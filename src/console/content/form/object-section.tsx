/** An object: its members in the order of the schema, then those that the schema does not name. */
import { Button, Group, Text } from '@mantine/core';
import { escapeToken } from '../../../content/json/pointer-text.js';
import { childOf, type TextNode } from '../../../content/json/text-tree.js';
import { IconPlus, IconTrash } from '../../icons/icons.js';
import { AddMember } from './add-member.js';
import { useForm } from './form-context.js';
import { withMember, withoutChild } from './form-edits.js';
import { PageButtons, usePage } from './page-buttons.js';
import { mayHaveOthers, memberNames, memberSchemas, requiredNames } from './schema-children.js';
import { factsOf } from './schema-facts.js';
import { SectionFrame, type SectionProps } from './section-frame.js';
import { startingSource } from './starting-source.js';

export function ObjectSection(props: SectionProps) {
  return <SectionFrame {...props}>{() => <Members {...props} />}</SectionFrame>;
}

function Members({ Field, node, pointer, plan: { facts }, level }: SectionProps) {
  const { tree, schema, readOnly, change } = useForm();
  const required = requiredNames(schema, facts);
  const known = memberNames(facts);
  const described = [...new Set([...known, ...required])];
  const there = membersOf(node, described);
  const page = usePage(pointer, there.length);
  const absent = described.filter((name) => childOf(node, name) === null);
  const titleOf = (name: string): string =>
    factsOf(schema, memberSchemas(schema, facts, name)).title ?? name;
  const add = (name: string): void => {
    const source = startingSource(schema, memberSchemas(schema, facts, name));
    change(withMember(tree, node, name, source), `${pointer}/${escapeToken(name)}`);
  };
  return (
    <>
      {there.slice(page.from, page.to).map((member) => {
        const name = member.name ?? '';
        const schemas = memberSchemas(schema, facts, name);
        const remove = {
          label: 'Remove',
          icon: IconTrash,
          color: 'red',
          onClick: () => change(withoutChild(tree, member), pointer),
        };
        return (
          <Field
            key={name}
            node={member}
            schemas={schemas}
            name={name}
            level={level + 1}
            isRequired={required.has(name)}
            isOther={schemas.length === 0 && !known.includes(name)}
            acts={required.has(name) ? [] : [remove]}
          />
        );
      })}
      <PageButtons {...page} count={there.length} of="member" />
      {absent
        .filter((name) => required.has(name))
        .map((name) => (
          <Group key={name} gap="xs">
            <Text size="sm" c="var(--mantine-color-error)">
              {titleOf(name)} is missing.
            </Text>
            {!readOnly && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => add(name)}
              >
                Add {titleOf(name)}
              </Button>
            )}
          </Group>
        ))}
      {!readOnly && (
        <AddMember
          of={pointer}
          offered={absent
            .filter((name) => !required.has(name))
            .map((name) => ({ name, label: titleOf(name) }))}
          taken={node.children.map(({ name }) => name ?? '')}
          mayHaveOthers={mayHaveOthers(schema, facts)}
          onAdd={add}
        />
      )}
    </>
  );
}

/** Of a repeated name the last member, which is the one that counts. */
function membersOf(node: TextNode, described: readonly string[]): TextNode[] {
  const members = new Map<string, TextNode>();
  for (const member of node.children) members.set(member.name ?? '', member);
  const first = described.flatMap((name) => members.get(name) ?? []);
  const others = [...members.values()].filter((member) => !described.includes(member.name ?? ''));
  return [...first, ...others];
}
