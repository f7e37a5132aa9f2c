/** The obvious way: strip-json-comments, then JSON.parse to check and JSON.stringify to minify. */
import { type Contender, Skipped } from '../contender.js';
import type { Text } from './question.js';

export const contender: Contender<Text, Uint8Array> = async ({ bytes }) => {
  const name = 'strip-json-comments';
  const library = (await import(name).catch(() => null)) as { default: Strip } | null;
  if (library === null) return new Skipped(`${name} is not installed`);
  const strip = library.default;
  return () => {
    const json = strip(bytes.toString('utf8'), { whitespace: false });
    return Buffer.from(JSON.stringify(JSON.parse(json)));
  };
};

type Strip = (text: string, options: { whitespace: boolean }) => string;
