/** The facts of an answer: its line, hash, group and sizes. */
import { Text } from '@mantine/core';
import type { Evaluated } from '../evaluate.js';
import styles from './result-facts.module.css';

export function ResultFacts({ result }: { readonly result: Evaluated }) {
  const { line, lineReason, hash, mod, uid, sizes } = result;
  return (
    <dl className={styles['facts']}>
      <Fact name="Line" title={lineReason}>
        {line ?? 'none (404)'}
      </Fact>
      {hash !== null && (
        <Fact name="Hash" title="Of the line before rules: clients fetch anew what has another.">
          <span className="mono">{hash}</span>
        </Fact>
      )}
      {line !== null && (
        <Fact
          name="Group"
          title={`Of the user id, whose hash is ${uid}; a salted test draws its own.`}
        >
          {mod}
        </Fact>
      )}
      {sizes !== null && (
        <Fact
          name="Size"
          title={`The text has ${sizes.textBytes} bytes, its JSON ${sizes.jsonBytes}, the wrapped answer ${sizes.answerBytes}.`}
        >
          {wordBytes(sizes.dataBytes)}, {wordBytes(sizes.gzipBytes)} compressed
        </Fact>
      )}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly title: string;
  readonly children: React.ReactNode;
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

export function wordBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}
