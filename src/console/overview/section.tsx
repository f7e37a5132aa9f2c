/** A part of the overview with its heading, and a list of lines that link to their places. */
import { Anchor, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './overview.module.css';

export interface SectionProps {
  readonly id?: string;
  readonly title: string;
  /** Beside the heading, such as a link to all of them. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ id, title, more, children }: SectionProps) {
  return (
    <section id={id} aria-label={title} className={styles['section']} tabIndex={-1}>
      <Group justify="space-between" gap="sm" mb={4}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {more}
      </Group>
      {children}
    </section>
  );
}

export interface LineProps {
  readonly icon: ReactNode;
  readonly href: string;
  /** The words that are the link. */
  readonly name: string;
  /** They follow the name in the same sentence. */
  readonly text: ReactNode;
  /** Below it. */
  readonly detail?: ReactNode;
}

export function Line({ icon, href, name, text, detail }: LineProps) {
  return (
    <li className={styles['item']}>
      <span className={styles['icon']}>{icon}</span>
      <div className={styles['words']}>
        <Text size="sm" component="div">
          <Anchor component={Link} href={href} inherit fw={600}>
            {name}
          </Anchor>{' '}
          {text}
        </Text>
        {detail !== undefined && (
          <Text size="xs" c="dimmed" component="div">
            {detail}
          </Text>
        )}
      </div>
    </li>
  );
}

export function Lines({ children }: { readonly children: ReactNode }) {
  return <ul className={styles['list']}>{children}</ul>;
}

/** What a section says that has nothing to list. */
export function Nothing({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

/** How many lines are left out, and where all of them are. */
export function AndMore({ count, href }: { readonly count: number; readonly href: string }) {
  if (count <= 0) return null;
  return (
    <Anchor component={Link} href={href} size="sm">
      and {count.toLocaleString('en')} more
    </Anchor>
  );
}
