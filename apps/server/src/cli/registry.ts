import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import v8 from 'node:v8';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/index.ts';
import { askAt } from './ask.ts';
import { type Command, type CommandCall, CommandFailure } from './command.ts';
import { commandFlags } from './command-flags.ts';
import { forwardToRunningServer, commandSocketOf } from './command-socket.ts';
import { commands } from './commands.ts';
import { sentenceOf } from './sentence.ts';

/**
 * Runs one command: `npm run registry -- import statistics FILE`. Where a server runs on the embedded database, it is the server that runs it.
 * Returns the exit code; failures are one line on standard error.
 * @param readSettings asked only for a command that runs: help needs no settings.
 */
export async function registryCommand(given: readonly string[], readSettings: () => Config): Promise<number> {
  const say = (line: string): void => console.log(line);
  const asksHelp = given[0] === 'help';
  const words = asksHelp ? given.slice(1) : given;
  const wantsHelp = asksHelp || words.includes('--help') || words.includes('-h');
  const command = commands
    .filter(c => c.name.split(' ').every((word, i) => words[i] === word))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (!command) {
    if (words.length > 0 && (asksHelp || !wantsHelp)) {
      console.error(`"${words.join(' ')}" is not a command. Known are: ${commands.map(c => c.name).join(', ')}.`);
      return 2;
    }
    for (const line of overview()) say(line);
    return 0;
  }
  if (wantsHelp) {
    for (const line of helpOf(command)) say(line);
    return 0;
  }

  let db: Promise<Database> | undefined;
  const streams = { output: process.stdout, errors: process.stderr, ask: askAt(process.stdin, process.stderr) };
  try {
    const config = readSettings();
    const call = await parse(command, words.slice(command.name.split(' ').length));
    const socket = command.alone ? null : commandSocketOf(config);
    const code = socket === null ? null : await forwardToRunningServer(socket, call, streams);
    if (code !== null) return code;
    for (const flag of commandFlags) v8.setFlagsFromString(flag);
    const openDatabase = (): Promise<Database> => (db ??= openConfigured(config));
    const { runCommand } = await import('./run-command.ts');
    return await runCommand(call, { config, openDatabase, ...streams });
  } catch (error) {
    console.error(sentenceOf(error));
    return command.failsWith ?? 1;
  } finally {
    await db?.then(opened => opened.close()).catch(() => {});
  }
}

async function openConfigured(config: Config): Promise<Database> {
  const [{ openConfiguredDatabase }, { createLog }] = await Promise.all([
    import('../configured-database.ts'),
    import('../platform/log.ts'),
  ]);
  return openConfiguredDatabase(config, createLog(config.logLevel));
}

/** Returns the call with absolute paths of files: the server that runs it may be in another folder. */
async function parse(command: Command, words: readonly string[]): Promise<CommandCall> {
  const { name, args: wanted = [], options: known = {}, files = [] } = command;
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options: known, allowPositionals: true });
    if (parsed.positionals.length !== wanted.length)
      throw new CommandFailure(`"${name}" needs ${wanted.length === 0 ? 'no arguments' : wanted.join(' ')}.`);
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message.replace(/\.$/, '')}. See: npm run registry -- ${name} --help`);
  }
  const options = { ...parsed.values } as CommandCall['options'];
  for (const file of files) if (typeof options[file] === 'string' && options[file] !== '') options[file] = path.resolve(options[file]);
  return {
    name,
    args: parsed.positionals.map((given, i) => (wanted[i] === 'FILE' ? path.resolve(given) : given)),
    options,
    input: command.readsInput && !process.stdin.isTTY ? await inputOf(command.readsInput) : '',
  };
}

const inputOf = async (reads: true | 'bytes'): Promise<string> =>
  reads === 'bytes' ? (await buffer(process.stdin)).toString('latin1') : text(process.stdin);

const usageOf = ({ name, args = [], options = {} }: Command): string =>
  [name, ...args, ...Object.entries(options).map(([key, { type }]) => `[--${key}${type === 'string' ? ' …' : ''}]`)].join(' ');

const overview = (): string[] => [
  'npm run registry -- <command>',
  '',
  ...commands.map(command => `  ${usageOf(command).padEnd(58)} ${command.summary}`),
  '',
  'Each prints more with --help. Settings are environment variables, listed in docs/generated/settings.md.',
];

const helpOf = (command: Command): string[] => [
  `npm run registry -- ${usageOf(command)}`,
  '',
  command.summary,
  ...(command.help ?? []).map(line => `  ${line}`),
  ...(command.alone ? ['  With the embedded database, stop the server first.'] : []),
];
