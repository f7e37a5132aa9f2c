/** What the final stage of deploy/image/Containerfile says, so that the test runs what the recipe runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const imageFolder = fileURLToPath(new URL('../../deploy/image/', import.meta.url));

export interface Recipe {
  /** Of the base image. */
  readonly from: string;
  /** The shell commands of its RUN instructions, without their mounts. */
  readonly run: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `uid:gid`. */
  readonly user: string;
  readonly workdir: string;
  readonly volumes: readonly string[];
  readonly stopSignal: string;
  /** What a container runs: ENTRYPOINT and CMD. */
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Reads the final stage; throws where an instruction is missing, or is none that this function knows. */
export function readRecipe(): Recipe {
  const text = readFileSync(join(imageFolder, 'Containerfile'), 'utf8');
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  const instructions = lines.slice(last).map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (!known.has(name)) throw new Error(`an instruction that the test does not follow: ${line}`);
    return { name, rest: rest.trim() };
  });
  const all = (wanted: string) =>
    instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest);
  const one = (wanted: string): string => {
    const [rest, ...others] = all(wanted);
    if (rest === undefined || others.length > 0) throw new Error(`not one ${wanted}`);
    return rest;
  };
  return {
    from: one('FROM'),
    run: all('RUN').map((rest) => rest.replaceAll(/--mount=\S+ +/g, '')),
    env: Object.fromEntries(all('ENV').flatMap((rest) => rest.split(/ +/).map(pairOf))),
    user: one('USER'),
    workdir: one('WORKDIR'),
    volumes: all('VOLUME'),
    stopSignal: one('STOPSIGNAL'),
    command: [...execForm(one('ENTRYPOINT')), ...execForm(one('CMD'))],
    healthCheck: execForm(one('HEALTHCHECK').replace(/^.* CMD /, '')),
  };
}

const known: ReadonlySet<string> = new Set(
  'FROM LABEL RUN ENV USER WORKDIR VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' '),
);

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Without a shell, which would be PID 1 in the program's place. */
function execForm(text: string): readonly string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words)) throw new Error(`not in exec form: ${text}`);
  return words;
}
