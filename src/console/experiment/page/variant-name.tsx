/** The name of a variant with the colour that it has in its rule. */
import { Group, Text } from '@mantine/core';
import styles from '../../mapping/buckets/buckets.module.css';
import { variantColour } from '../../mapping/rules/variant-colours.js';
import classes from './variant-name.module.css';

export interface VariantNameProps {
  readonly name: string;
  /** In its rule, from 0. */
  readonly place: number;
}

export function VariantName({ name, place }: VariantNameProps) {
  return (
    <Group gap={8} wrap="nowrap" component="span">
      <span
        aria-hidden
        className={styles['swatch']}
        style={{ background: variantColour(Math.max(0, place)).fill }}
      />
      <Text span inherit truncate className={classes['name']} title={name}>
        {name}
      </Text>
    </Group>
  );
}
