/** Writes the completion script of fish. */

import {
  allAliases,
  allNodes,
  type CompletionNode,
  type CompletionOption,
  type Value,
} from './completion-tree.js';

/** To be kept as \`~/.config/fish/completions/loadout.fish\`. */
export function fishCompletion(root: CompletionNode): string {
  const program = root.path[0] ?? '';
  const nodes = allNodes(root);
  return `# fish completion of ${program}, made by \`${program} completion fish\`.
function __${program}_path
  set -l path ${program}
  for word in (commandline -opc)[2..-1]
    switch "$path $word"
      case ${nodes.slice(1).map(pathOf).join(' ')}
        set path "$path $word"
${allAliases(root)
  .map(({ typed, means }) => `      case ${quoted(typed)}\n        set path ${quoted(means)}`)
  .join('\n')}
    end
  end
  echo $path
end
function __${program}_names
  set -l words (commandline -opc)
  $words[1] __complete $argv[1] -- $words[2..-1] 2>/dev/null
end
function __${program}_at
  test (__${program}_path) = "$argv"
end
complete -c ${program} -f
${nodes.flatMap((node) => nodeLines(program, node)).join('\n')}
`;
}

function pathOf({ path }: CompletionNode): string {
  return quoted(path.join(' '));
}

function nodeLines(program: string, node: CompletionNode): string[] {
  const at = `complete -c ${program} -n ${quoted(`__${program}_at ${node.path.join(' ')}`)}`;
  const commands = node.commands.map(
    (command) => `${at} -a ${command.path.at(-1)} -d ${quoted(command.description)}`,
  );
  const options = node.options.map((option) => `${at} ${optionFlags(option)}`);
  // fish does not count arguments: what any of them may be is offered for each.
  const args = [...new Set(node.args.map(valueFlags))].filter((flags) => flags !== '');
  return [...commands, ...options, ...args.map((flags) => `${at} ${flags}`)];
}

function optionFlags({ flags, description, value }: CompletionOption): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  // `-x`: a value is needed, and files are not offered; `-r` alone would offer them.
  const takes = value === null ? [] : [value.kind === 'file' ? '-r' : '-x', valueFlags(value)];
  return [...names, ...takes, '-d', quoted(description)].filter((flag) => flag !== '').join(' ');
}

function valueFlags(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `-a ${quoted(value.words.join(' '))}`;
    case 'file':
      return '-F';
    case 'folder':
      return `-a '(__fish_complete_directories)'`;
    case 'names':
      return `-a '(__loadout_names ${value.of})'`;
    case 'free':
      return '';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
