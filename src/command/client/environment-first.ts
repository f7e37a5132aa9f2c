/** `--env` of the commands whose first argument is the environment: all commands take it in the same form. */

/** The commands, and how many words stand before the argument. */
const wordsBefore: ReadonlyMap<string, number> = new Map([
  ['release', 2],
  ['experiment', 2],
  ['metric', 2],
  ['calendar', 1],
]);

/** How many words stand before the environment; undefined: the command takes it as `--env` only. */
export function wordsBeforeEnvironment(command: string | undefined): number | undefined {
  return command === undefined ? undefined : wordsBefore.get(command);
}

/**
 * Puts the value of `--env` where these commands have the argument; of other commands the words stay as they are.
 * @param args as typed, without the names of the program
 */
export function putEnvironmentFirst(args: readonly string[]): readonly string[] {
  const before = wordsBeforeEnvironment(args[0]);
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  const at = options.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (before === undefined || at < before) return args;
  const isJoined = args[at] !== flag;
  const env = isJoined ? args[at]?.slice(flag.length + 1) : args[at + 1];
  if (env === undefined) return args;
  const others = args.toSpliced(at, isJoined ? 1 : 2);
  return others.toSpliced(before, 0, env);
}

const flag = '--env';
