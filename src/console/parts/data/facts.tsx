/** Titles with a fact each, in two columns. */
import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

export interface FactsProps {
  /** Facts that are null are left out. */
  readonly facts: Readonly<Record<string, ReactNode>>;
}

export function Facts({ facts }: FactsProps) {
  const shown = Object.entries(facts).filter(([, fact]) => fact !== null);
  return (
    <dl className={styles['facts']}>
      {shown.map(([title, fact]) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          <dd>{fact}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
