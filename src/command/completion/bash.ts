/** Writes the completion script of bash. */

import { allAliases, allNodes, type CompletionNode, type Value } from './completion-tree.js';

/** Functions, to be sourced: `source <(loadout completion bash)`. */
export function bashCompletion(root: CompletionNode): string {
  const nodes = allNodes(root);
  const program = root.path[0] ?? '';
  const aliases = allAliases(root);
  const below = nodes.slice(1).map((node) => `'${node.path.join(' ')}'`);
  return `# bash completion of ${program}, made by \`${program} completion bash\`.
# What the server names. Names are text of others: no expansion may see them.
_${program}_names() {
  local name quoted
  while IFS= read -r name; do
    printf -v quoted %q "$name"
    if [[ $name == "$cur"* || $quoted == "$cur"* ]]; then COMPREPLY+=("$quoted"); fi
  done < <("\${COMP_WORDS[0]}" __complete "$1" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
_${program}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path=${program} args=0 skip= word i
  # bash takes --option=value apart at the "=".
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then skip=1; continue; fi
    if [[ $skip ]]; then skip=; continue; fi
    case "$path $word" in
      ${below.join('|')}) path+=" $word"; args=0; continue ;;
${aliases.map(({ typed, means }) => `      '${typed}') path='${means}'; args=0; continue ;;`).join('\n')}
    esac
    case "$path $word" in
      ${valuedFlags(nodes)}) skip=1 ;;
      *' '-*) ;;
      *) args=$((args + 1)) ;;
    esac
  done
  COMPREPLY=()
  case "$path $prev" in
${nodes.flatMap(optionValues).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $path in
${nodes.map(optionNames).join('\n')}
    esac
    return
  fi
  case "$path $args" in
${nodes.flatMap(placeValues).join('\n')}
  esac
}
complete -F _${program} ${program}
`;
}

function valuedFlags(nodes: readonly CompletionNode[]): string {
  const flags = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value !== null)
      .flatMap((option) => option.flags.map((flag) => `'${path.join(' ')} ${flag}'`)),
  );
  return flags.join('|');
}

/** One case per option that takes a value: what may follow it. */
function optionValues({ path, options }: CompletionNode): string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === null) return [];
    const names = flags.map((flag) => `'${path.join(' ')} ${flag}'`).join('|');
    return [`    ${names}) ${reply(value)}return ;;`];
  });
}

function optionNames({ path, options }: CompletionNode): string {
  const names = options.flatMap(({ flags }) => flags).join(' ');
  return `      '${path.join(' ')}') ${words(names)} ;;`;
}

/** One case per place of a command: its subcommands, or its arguments one after the other. */
function placeValues({ path, commands, args }: CompletionNode): string[] {
  const name = path.join(' ');
  if (commands.length > 0) {
    const names = commands.map((command) => command.path.at(-1)).join(' ');
    return [`    '${name} 0') ${words(names)} ;;`];
  }
  return args
    .map((value, index) => ({ index, does: reply(value) }))
    .filter(({ does }) => does !== '')
    .map(({ index, does }) => `    '${name} ${index}') ${does};;`);
}

/** The command that fills COMPREPLY, ended by `; `; empty when nothing can be offered. */
function reply(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `${words(value.words.join(' '))}; `;
    case 'file':
      return `${files('-f')}; `;
    case 'folder':
      return `${files('-d')}; `;
    case 'names':
      return `_loadout_names ${value.of}; `;
    case 'free':
      return '';
  }
}

function words(list: string): string {
  return `COMPREPLY=($(compgen -W '${list}' -- "$cur"))`;
}

/** Read line by line: names with spaces are one name. \`compopt\` is not there when the function is called by hand. */
function files(kind: '-f' | '-d'): string {
  return `mapfile -t COMPREPLY < <(compgen ${kind} -- "$cur"); compopt -o filenames 2>/dev/null`;
}
