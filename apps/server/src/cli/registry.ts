import { parseArgs } from 'node:util';
import v8 from 'node:v8';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/index.ts';
import { createLog } from '../platform/log.ts';
import { readProfile } from '../profile.ts';
import { openConfiguredDatabase } from '../serve.ts';
import { billingCommands } from './billing-commands.ts';
import { type Command, type CommandContext, CommandFailure } from './command.ts';
import { databaseCommands } from './database-commands.ts';
import { demoCommands } from './demo-commands.ts';
import { loginCommands } from './login-commands.ts';
import { Progress } from './progress.ts';
import { rpslCommands } from './rpsl-commands.ts';
import { statisticsCommands } from './statistics-commands.ts';

const commands: readonly Command[] = [
  ...databaseCommands,
  ...demoCommands,
  ...statisticsCommands,
  ...rpslCommands,
  ...loginCommands,
  ...billingCommands,
];

/**
 * Runs one command: `npm run registry -- import statistics FILE`. Answers the exit code; failures are one line on standard
 * error.
 */
export async function registryCommand(words: readonly string[], config: Config): Promise<number> {
  const say = (line: string): void => console.log(line);
  const wantsHelp = words.includes('--help') || words.includes('-h');
  const command = commands
    .filter(c => c.name.split(' ').every((word, i) => words[i] === word))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (!command) {
    if (words.length > 0 && !wantsHelp) {
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

  // The embedded database compiles itself twice over to get faster with time, with 350 MB more at its peak; a command is done before that pays.
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) v8.setFlagsFromString(flag);
  let db: Promise<Database> | undefined;
  const progress = new Progress(process.stderr);
  try {
    const { values, positionals } = parse(command, words.slice(command.name.split(' ').length));
    await command.run({
      config,
      log: createLog(config.logLevel),
      profile: readProfile(config.profile),
      openDatabase: () => (db ??= openConfiguredDatabase(config, createLog(config.logLevel))),
      say,
      progress,
      options: values as CommandContext['options'],
      args: positionals,
    });
    return 0;
  } catch (error) {
    progress.end();
    console.error((error as Error).message);
    if (config.logLevel === 'debug') console.error(error);
    return 1;
  } finally {
    await db?.then(opened => opened.close()).catch(() => {});
  }
}

function parse(command: Command, words: readonly string[]) {
  try {
    const parsed = parseArgs({ args: [...words], options: command.options ?? {}, allowPositionals: true });
    const wanted = command.args ?? [];
    if (parsed.positionals.length !== wanted.length)
      throw new CommandFailure(`"${command.name}" needs ${wanted.length === 0 ? 'no arguments' : wanted.join(' ')}.`);
    return parsed;
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message.replace(/\.$/, '')}. See: npm run registry -- ${command.name} --help`);
  }
}

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
];
