/** Writes the completion script of zsh. */

import { allNodes, type CompletionNode, type Value } from './completion-tree.js';

/** To be sourced after compinit, or kept as \`_loadout\` in a folder of \`fpath\`. */
export function zshCompletion(root: CompletionNode): string {
  const program = root.path[0] ?? '';
  return `#compdef ${program}
# zsh completion of ${program}, made by \`${program} completion zsh\`.
_${program}_names() {
  local -a names
  names=("\${(@f)$(\${_${program}_words[1]} __complete $1 -- "\${(@)_${program}_words[2,-1]}" 2>/dev/null)}")
  names=("\${(@)names:#}")
  compadd -a names
}
${allNodes(root).map(nodeFunction).join('\n')}
if [ "$funcstack[1]" = "_${program}" ]; then
  _${program} "$@"
else
  compdef _${program} ${program}
fi
`;
}

/** One function per command. With subcommands it goes on with theirs; without, it offers options and arguments. */
function nodeFunction(node: CompletionNode): string {
  const { commands } = node;
  const isRoot = node.path.length === 1;
  const options = node.options.map((option) => `    ${optionSpec(option)}`);
  if (commands.length === 0) {
    const args = node.args.map((value, index) => `    '${index + 1}: :${action(value)}'`);
    return `${functionName(node)}() {
  _arguments -s \\
${[...options, ...args].join(' \\\n')}
}`;
  }
  const described = commands.map((command) => `    ${quoted(describedName(command))}`);
  const cases = commands.map(
    (command) =>
      `    ${[command.path.at(-1), ...command.aliases].join('|')}) ${functionName(command)} ;;`,
  );
  return `${functionName(node)}() {
  local line state${isRoot ? wordsOfLine : ''}
  local -a commands
  commands=(
${described.join('\n')}
  )
  _arguments -C \\
${[...options, "    '1: :->command'", "    '*:: :->rest'"].join(' \\\n')}
  case $state in
  command) _describe command commands ;;
  rest)
    case $line[1] in
${cases.join('\n')}
    esac ;;
  esac
}`;
}

/** Functions of subcommands see only the words behind their own. */
const wordsOfLine = `
  typeset -ga _loadout_words; _loadout_words=("\${(@)words[1,CURRENT-1]}")`;

function functionName({ path }: CompletionNode): string {
  return `_${path.join('_').replaceAll('-', '_')}`;
}

function describedName({ path, description }: CompletionNode): string {
  return `${(path.at(-1) ?? '').replaceAll(':', '\\:')}:${description}`;
}

/** \`'(-u --user)'{-u,--user}'[text]:value:action'\`; one that may be given again excludes nothing. */
function optionSpec({
  flags,
  description,
  value,
  repeats,
}: CompletionNode['options'][number]): string {
  const text = description.replaceAll(/[\\[\]:]/g, (sign) => `\\${sign}`);
  const takes = value === null ? '' : `: :${action(value)}`;
  const rest = quoted(`[${text}]${takes}`);
  const names = flags.length > 1 ? `{${flags.join(',')}}` : (flags[0] ?? '');
  if (repeats) return `'*'${names}${rest}`;
  return `'(${flags.join(' ')})'${names}${rest}`;
}

function action(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'names':
      // The space keeps _arguments from putting options of compadd before the argument.
      return ` _loadout_names ${value.of}`;
    case 'free':
      return ' ';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
