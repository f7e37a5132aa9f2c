/** `loadout follow …`: tokens of servers that follow a server. */
import { Command } from 'commander';
import { misuse } from '../terminal/failure.js';
import { printLine, printNote } from '../terminal/output.js';

interface TokenOptions {
  readonly name: string;
  readonly json: boolean;
}

const namePattern = /^[\w.-]{1,100}$/;

export function followCommand(): Command {
  return new Command('follow')
    .description('make tokens for servers that follow a server')
    .addCommand(tokenCommand());
}

function tokenCommand(): Command {
  return new Command('token')
    .description('make a token for a follower, and the line that accepts it')
    .requiredOption('--name <name>', 'what the line is called, such as the region')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      "\nAppend the line to the file of the parent's --follow-accept; put the token into the file of the follower's\n--follow-token-file. The parent has the hash alone. A line that is removed revokes its token within a second.",
    )
    .action(makeToken);
}

async function makeToken({ name, json }: TokenOptions): Promise<void> {
  if (!namePattern.test(name)) throw misuse('--name has letters, digits and . _ - only.');
  const { makeFollowToken } = await import('../../management/follow/accepted-tokens.js');
  const { token, line } = makeFollowToken(name);
  if (json) {
    printLine(JSON.stringify({ name, token, line }));
    return;
  }
  printLine(token);
  printNote(`accept it with this line in the file of --follow-accept:\n${line}`);
}
