import type { ParseArgsConfig } from 'node:util';

/** A command as help and completion show it. */
export type Declaration = {
  name: string;
  argument?: { name: string; choices?: readonly string[]; optional?: true };
  summary: string;
  options: readonly Option[];
  help?: readonly string[];
};
type Option = { name: string; short?: string; value?: string; summary: string };

export const readable = ['contacts', 'reverseZones', 'aspas', 'routes', 'roas'] as const;
const json: Option = { name: 'json', summary: 'print JSON for programs' };
const file: Option = { name: 'file', short: 'f', value: 'FILE', summary: 'the declared file; - for standard input' };
const prune: Option = { name: 'prune', summary: 'delete what the sections of the file don’t declare' };

export const declarations: readonly Declaration[] = [
  {
    name: 'login',
    argument: { name: 'URL' },
    summary: 'store an API key for a portal, readable by you alone',
    options: [{ name: 'account', value: 'ACCOUNT', summary: 'the account of the key, such as EXAMPLE-AU' }],
    help: ['The key is asked for, or read from standard input. It is checked before it is stored.'],
  },
  { name: 'logout', summary: 'delete the stored key from this computer', options: [] },
  {
    name: 'get',
    argument: { name: 'WHAT', choices: readable, optional: true },
    summary: 'print what is there as a file for apply; or the answer of a read, by its path',
    options: [json],
    help: [`WHAT is one of ${readable.join(', ')}, all of them unless given, or a path such as /resources/delegations?kind=ipv4.`],
  },
  {
    name: 'apply',
    summary: 'make the registry equal to a file, after showing the plan',
    options: [
      file,
      { name: 'yes', short: 'y', summary: 'apply without asking' },
      prune,
      { name: 'accept-invalid', value: 'N', summary: 'agree that N announcements become invalid' },
      json,
    ],
    help: ['The registry checks everything before anything is stored. A section that is left out of the file stays as it is.'],
  },
  {
    name: 'diff',
    summary: 'show how the registry differs from a file',
    options: [file, json],
    help: ['What the file doesn’t declare counts as a difference.'],
  },
  {
    name: 'watch',
    summary: 'print changes of the account as they happen',
    options: [{ name: 'interval', value: 'SECONDS', summary: 'seconds between two looks, 5 unless given' }, json],
  },
  {
    name: 'completion',
    argument: { name: 'SHELL', choices: ['bash', 'zsh', 'fish'] },
    summary: 'print the completion script of a shell',
    options: [],
    help: ['bash: source <(registry completion bash) · zsh: source <(registry completion zsh) · fish: registry completion fish | source'],
  },
];

/** The options of a command for `parseArgs`. */
export const parsedOptions = ({ options }: Declaration): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    options.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  );

const usageOf = ({ name, argument }: Declaration): string =>
  `registry ${name}${argument ? (argument.optional ? ` [${argument.name}]` : ` ${argument.name}`) : ''}`;

/** Help of the whole command. */
export const overview = (): string[] => [
  'registry <command>',
  '',
  ...declarations.map(each => `  ${usageOf(each).padEnd(28)} ${each.summary}`),
  '',
  'Settings: REGISTRY_URL, REGISTRY_API_KEY and REGISTRY_ACCOUNT, each before what registry login stored. NO_COLOR turns colours off.',
  'Exit codes: 0 all is the same or applied, 1 an error, 2 diff found differences or apply was not confirmed.',
  'Each command prints more with --help.',
];

export const helpOf = (declaration: Declaration): string[] => [
  `${usageOf(declaration)}${declaration.options.length > 0 ? ' [options]' : ''}`,
  '',
  `${declaration.summary[0]!.toUpperCase()}${declaration.summary.slice(1)}.`,
  ...(declaration.help ?? []),
  ...(declaration.options.length > 0 ? [''] : []),
  ...declaration.options.map(
    ({ name, short, value, summary }) =>
      `  ${`${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`.padEnd(30)} ${summary}`,
  ),
];
