/** One value of the text as the field that its schema asks for, with what may be done with it and what is wrong with it. */
import { Box, Group, Text } from '@mantine/core';
import { pointerOf } from '../../../content/json/text-tree.js';
import { ArraySection } from './array-section.js';
import { ChoiceSelects } from './choice-selects.js';
import { FieldMenu } from './field-menu.js';
import { planOf } from './field-plan.js';
import styles from './form.module.css';
import { useForm } from './form-context.js';
import { ObjectSection } from './object-section.js';
import { ScalarField } from './scalar-field.js';
import type { ValueFieldProps } from './section-frame.js';

export function ValueField(props: ValueFieldProps) {
  const { node, schemas, name, level, isRequired = false, isOther = false, acts } = props;
  const { tree, schema, errors } = useForm();
  const plan = planOf(schema, schemas, tree.text, node);
  const pointer = pointerOf(node);
  const { title, description } = plan.facts;
  const label = title ?? name;
  const messages = errors.get(pointer) ?? [];
  const about = {
    label,
    plan,
    description: isOther ? 'Not in the schema; typed as JSON.' : description,
    error: messages.length === 0 ? null : messages.join(' '),
  };
  const menu = <FieldMenu node={node} pointer={pointer} acts={acts} />;
  const choices = <ChoiceSelects {...about} node={node} schemas={schemas} />;
  if (plan.kind === 'object' || plan.kind === 'array') {
    const section = { ...about, pointer, node, level, menu, choices, Field: ValueField };
    return plan.kind === 'object' ? <ObjectSection {...section} /> : <ArraySection {...section} />;
  }
  return (
    <Box data-pointer={pointer} className={styles['field'] ?? ''}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Box flex={1} miw={0}>
          <ScalarField {...about} node={node} isRequired={isRequired} />
        </Box>
        <Box pt={22}>{menu}</Box>
      </Group>
      {choices}
      {plan.note !== null && (
        <Text size="xs" c="dimmed">
          {plan.note}
        </Text>
      )}
    </Box>
  );
}
