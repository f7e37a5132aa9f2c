/** `loadout completion`: prints the script that lets a shell complete what is typed. */

import { Argument, Command } from 'commander';
import { print } from '../terminal/output.js';
import { bashCompletion } from './bash.js';
import { type CompletionNode, completionTree } from './completion-tree.js';
import { fishCompletion } from './fish.js';
import { zshCompletion } from './zsh.js';

const writers: Readonly<Record<string, (root: CompletionNode) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(writers)))
    .addHelpText(
      'after',
      '\nbash: add `source <(loadout completion bash)` to ~/.bashrc.\nzsh:  add `source <(loadout completion zsh)` to ~/.zshrc, behind compinit.\nfish: loadout completion fish > ~/.config/fish/completions/loadout.fish\n\nNames are those of the server that commands would ask. It has 200 ms to respond; LOADOUT_COMPLETION_MS\nis another number.',
    )
    .action((shell: string, _options: unknown, command: Command) => {
      const root = command.parent ?? command;
      print(writers[shell]?.(completionTree(root)) ?? '');
    });
}
