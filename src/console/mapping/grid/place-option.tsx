/** A place in a list of suggestions: its path, and what the text has there. */
import { type AutocompleteProps, Group, Text } from '@mantine/core';

/**
 * @param words what the text has at each place, by JSON Pointer
 * @param otherwise said of a place that the text does not have
 */
export function placeOption(
  words: ReadonlyMap<string, string>,
  otherwise?: string,
): NonNullable<AutocompleteProps['renderOption']> {
  return ({ option }) => (
    <Group gap="xs" justify="space-between" wrap="nowrap" w="100%">
      <span className="mono" style={{ overflowWrap: 'anywhere' }}>
        {option.value}
      </span>
      <Text span size="xs" c="dimmed" truncate maw="40%">
        {words.get(option.value) ?? otherwise}
      </Text>
    </Group>
  );
}
