/** The way of a release from draft to live, and how far it has come. */
import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { Release } from '../../../contract/schemas/release.js';
import { stagesOf } from '../../releases/words/release-states.js';
import styles from './stage-bar.module.css';

export function StageBar({ release }: { readonly release: Release }) {
  return (
    <ol className={styles['bar']} aria-label="Stages of this release">
      {stagesOf(release).map(({ label, progress, colour }) => (
        <li
          key={label}
          className={styles['stage']}
          data-progress={progress}
          aria-current={progress === 'now' ? 'step' : undefined}
          style={{ '--stage-colour': `var(--mantine-color-${colour}-filled)` } as CSSProperties}
        >
          {label}
          {progress === 'done' && <VisuallyHidden>, done</VisuallyHidden>}
        </li>
      ))}
    </ol>
  );
}
