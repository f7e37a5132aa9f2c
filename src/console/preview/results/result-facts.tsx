/** The facts of a response: its app version, hash, bucket and sizes. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatBytes } from '../../parts/format-bytes.js';
import type { Evaluated } from '../evaluate.js';
import styles from './result-facts.module.css';

export function ResultFacts({ result }: { readonly result: Evaluated }) {
  const { line, lineReason, hash, mod, uid, sizes, release } = result;
  return (
    <dl className={styles['facts']}>
      <Fact name="Version" title={lineReason}>
        {line ?? 'none (404)'}
      </Fact>
      {hash !== null && (
        <Fact name="Hash" title="Of the text before rules: clients fetch again when it changes.">
          <span className="mono">{hash}</span>
        </Fact>
      )}
      {line !== null && (
        <Fact
          name="Bucket"
          title={`Of the user id, whose hash is ${uid}; a salted test has its own.`}
        >
          {mod}
        </Fact>
      )}
      {release !== null && (
        <Fact name="Release" title="This user is in it, or it has gone live by then.">
          #{release}
        </Fact>
      )}
      {sizes !== null && (
        <Fact
          name="Size"
          title={`The text has ${sizes.textBytes} bytes, its JSON ${sizes.jsonBytes}, the wrapped response ${sizes.answerBytes}.`}
        >
          {formatBytes(sizes.dataBytes)}, {formatBytes(sizes.gzipBytes)} compressed
        </Fact>
      )}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly title: string;
  readonly children: ReactNode;
}

function Fact({ name, title, children }: FactProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>
        <Text size="sm" component="span">
          {children}
        </Text>
      </dd>
    </div>
  );
}
