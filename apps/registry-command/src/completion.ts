import { declarations } from './commands.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the completion script of a shell: commands, their options and the choices of their arguments. */
export const completionOf = { bash, zsh, fish };

function bash(): string {
  const cases = declarations.map(({ name, options, argument }) => {
    const words = [
      ...(argument?.choices ?? []),
      ...options.flatMap(({ name: option, short }) => [`--${option}`, ...(short ? [`-${short}`] : [])]),
      '--help',
    ];
    return `    ${name}) words="${words.join(' ')}" ;;`;
  });
  return `_registry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words
  case "$before" in -f|--file) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${declarations.map(({ name }) => name).join(' ')} --help" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _registry registry
`;
}

function zsh(): string {
  const colon = (text: string): string => text.replaceAll(':', '\\:');
  return `#compdef registry
_registry() {
  local -a commands
  commands=(${declarations.map(({ name, summary }) => quoted(`${name}:${colon(summary)}`)).join(' ')})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${declarations
  .map(({ name, options, argument }) => {
    const specs = options.map(({ name: option, value, summary }) =>
      quoted(`--${option}[${summary.replaceAll(/[[\]]/g, '')}]${value ? `:${value}:${value === 'FILE' ? '_files' : ''}` : ''}`),
    );
    const short = options.flatMap(({ short: letter, value }) =>
      letter ? [quoted(`-${letter}${value ? `:${value}:${value === 'FILE' ? '_files' : ''}` : ''}`)] : [],
    );
    const positional = argument?.choices ? [quoted(`2:${argument.name}:(${argument.choices.join(' ')})`)] : [];
    return `    ${name}) _arguments ${[...specs, ...short, ...positional, quoted('--help')].join(' ')} ;;`;
  })
  .join('\n')}
  esac
}
compdef _registry registry
`;
}

function fish(): string {
  const lines = declarations.flatMap(({ name, summary, options, argument }) => {
    const after = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c registry -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(argument?.choices ? [`complete -c registry -f ${after} -a ${quoted(argument.choices.join(' '))}`] : []),
      ...options.map(
        ({ name: option, short, value, summary: words }) =>
          `complete -c registry ${after} -l ${option}${short ? ` -s ${short}` : ''}${value ? ' -r' : ''}${value === 'FILE' ? ' -F' : ''} -d ${quoted(words)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}
