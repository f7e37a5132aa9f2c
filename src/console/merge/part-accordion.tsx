/** The parts of a content item, each with badges and a panel that opens. */
import { Accordion, Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { lineOfPart, type PartName, titleOfPart } from '../draft/state-parts.js';
import { formatJsonc } from '../parts/code/format-jsonc.js';

export interface PartItem {
  readonly name: PartName;
  readonly badges: readonly { readonly color: string; readonly label: string }[];
  readonly isOpen: boolean;
  readonly panel: ReactNode;
}

export function PartAccordion({ items }: { readonly items: readonly PartItem[] }) {
  return (
    <Accordion
      multiple
      variant="contained"
      chevronPosition="left"
      order={3}
      keepMounted={false}
      defaultValue={items.filter(({ isOpen }) => isOpen).map(({ name }) => itemValue(name))}
    >
      {items.map(({ name, badges, panel }) => (
        <Accordion.Item key={name} value={itemValue(name)}>
          <Accordion.Control>
            <Group gap="xs">
              <Text fw={600} size="sm">
                {titleOfPart(name)}
              </Text>
              {badges.map(({ color, label }) => (
                <Badge key={label} size="sm" variant="dot" color={color}>
                  {label}
                </Badge>
              ))}
            </Group>
          </Accordion.Control>
          <Accordion.Panel>{panel}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** A line for each flag. */
export function flagLines(flags: readonly string[]): string {
  return flags.map((flag) => JSON.stringify(flag)).join('\n');
}

/** Element ids are built from it, so it has no spaces. */
function itemValue(name: PartName): string {
  return name.replace(' ', '-');
}

/** The text of a part for reading. Mappings are often sent on one line: formatted, their differences are visible. */
export function shownText(name: PartName, text: string): string {
  if (lineOfPart(name) !== null || name === 'description') return text;
  // Quoted: the flag of the whole content item is the empty text.
  if (name === 'flags') return text === '' ? '' : flagLines(JSON.parse(text) as string[]);
  if (name === 'tags') return text === '' ? '' : (JSON.parse(text) as string[]).join('\n');
  return text === '' ? '' : formatJsonc(text);
}
