/** A hash, with a button that copies it. */
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '../icons/icons.js';
import styles from './contents.module.css';

export function HashCell({ id, hash }: { readonly id: string; readonly hash: string }) {
  const { copied, copy } = useClipboard({ timeout: 1_500 });
  return (
    <span className={styles['copy']}>
      <span className="mono">{hash}</span>
      <button
        type="button"
        className={styles['icon']}
        aria-label={copied ? 'Copied' : `Copy the hash of ${id}`}
        onClick={() => copy(hash)}
      >
        {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      </button>
    </span>
  );
}
