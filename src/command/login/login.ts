/** `loadout login` and `loadout logout`: stores a server's address with a token, and removes both. */

import { Command, Option } from 'commander';
import { AdminClient } from '../client/admin-client.js';
import { defaultUrl } from '../profile/find-server.js';
import {
  defaultProfile,
  isProfileName,
  profileNamed,
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../profile/profiles.js';
import { isAtTerminal, Questions } from '../terminal/ask.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { printLine, printNote } from '../terminal/output.js';
import { parseUrl } from '../terminal/parse-option.js';
import { checkSecret, readSecretFile } from '../terminal/secrets.js';
import { readText, standardInput } from '../terminal/text-file.js';

interface LoginOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly tokenFile?: string;
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function loginCommand(): Command {
  return (
    new Command('login')
      .description('store the address of a server with your token, and use both from now on')
      .addOption(
        new Option('--url <url>', 'address of the admin API; asked for at a terminal')
          .env('LOADOUT_URL')
          .argParser(parseUrl),
      )
      .option(
        '--profile <profile>',
        `name to store it by (default: LOADOUT_PROFILE, or "${defaultProfile}")`,
      )
      .option('--token-file <file>', 'file with the token; without it, a terminal asks')
      .addHelpText(
        'after',
        '\nWithout a terminal, the token is read from standard input. It is stored in\n$XDG_CONFIG_HOME/loadout/config.json (~/.config), which nobody else may read.\n--url, LOADOUT_URL and LOADOUT_TOKEN come before the profile in use, --profile before these.',
      )
      // A token among them; the error must not repeat it.
      .allowExcessArguments()
      .hook('preAction', (_, { args }) => {
        if (args.length > 0) {
          throw misuse(
            'Give the token at the prompt, with --token-file or through standard input: the arguments of a command are seen by others, and kept in the history of the shell.',
          );
        }
      })
      .action(logIn)
  );
}

export function logoutCommand(): Command {
  return new Command('logout')
    .description('remove a profile with its token; the token itself stays valid')
    .option('--profile <profile>', 'its name (default: LOADOUT_PROFILE, or the one in use)')
    .action(logOut);
}

async function logIn(options: LoginOptions): Promise<void> {
  const profiles = readProfiles();
  const name = options.profile ?? (io().env['LOADOUT_PROFILE'] || defaultProfile);
  if (!isProfileName(name)) {
    throw misuse(`"${name}" is not a name of a profile: use up to 64 of A-Z a-z 0-9 . _ -`);
  }
  const known = profiles.byName.get(name)?.url;
  const { url, token } = await readLogin(options, known ?? defaultUrl);
  if (known !== undefined && known !== url && options.profile === undefined) {
    throw misuse(
      `The profile ${name} is of ${known}. Name another with --profile, or replace it with --profile ${name}.`,
    );
  }
  noteUnencrypted(url);
  const rejected = `The token is not known at ${url}. Nothing was stored.`;
  const { value: me } = await new AdminClient(url, token, { rejected }).request('GET /me', {});
  const byName = new Map(profiles.byName).set(name, { url, token });
  writeProfiles({ current: name, byName });
  printLine(`Logged in to ${url} as ${me.name} (${me.role}).`);
  printNote(`Profile ${name} in ${profilesPath()}; it is in use.`);
  const before = ['LOADOUT_URL', 'LOADOUT_TOKEN', 'LOADOUT_TOKEN_FILE'].filter(isGiven);
  if (before.length > 0)
    printNote(`Set in the environment, and used before the profile: ${before.join(', ')}.`);
}

/** @param suggested the address unless another one is given */
async function readLogin(
  { url, tokenFile }: LoginOptions,
  suggested: string,
): Promise<{ url: string; token: string }> {
  if (tokenFile !== undefined && tokenFile !== standardInput) {
    return { url: url ?? suggested, token: checked(readSecretFile(tokenFile, '--token-file')) };
  }
  if (!isAtTerminal()) {
    return { url: url ?? suggested, token: checked((await readText(standardInput)).trim()) };
  }
  const questions = new Questions();
  try {
    const address = url ?? (await askAddress(questions, suggested));
    return { url: address, token: checked(await questions.askSecret('Token (not shown): ')) };
  } finally {
    questions.close();
  }
}

async function askAddress(questions: Questions, suggested: string): Promise<string> {
  const answer = await questions.ask(`Address of the admin API [${suggested}]: `);
  try {
    return answer === '' ? suggested : parseUrl(answer);
  } catch (error) {
    throw misuse(`"${answer}": ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checked(token: string): string {
  if (token === '') {
    throw new CommandFailure(
      "No token was given. The server's first start printed the owner's; owners make others with `loadout user token create`.",
    );
  }
  return checkSecret(token, 'The token');
}

function isGiven(variable: string): boolean {
  return (io().env[variable] ?? '') !== '';
}

function noteUnencrypted(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !loopback.test(hostname)) {
    printNote(`warning: ${url} is not encrypted: others on the way can read the token.`);
  }
}

function logOut({ profile }: { readonly profile?: string }): void {
  const profiles = readProfiles();
  const name = profile ?? (io().env['LOADOUT_PROFILE'] || profiles.current);
  if (name === null) throw new CommandFailure('There is no profile to log out of.');
  removeProfile(name);
}

/** @throws CommandFailure when there is no such profile */
export function removeProfile(name: string): void {
  const profiles = readProfiles();
  const { url } = profileNamed(profiles, name);
  const byName = new Map(profiles.byName);
  byName.delete(name);
  writeProfiles({ current: profiles.current === name ? null : profiles.current, byName });
  printLine(`Removed profile ${name} of ${url}.`);
  printNote('Its token is valid until an owner revokes it with `loadout user token revoke`.');
}
