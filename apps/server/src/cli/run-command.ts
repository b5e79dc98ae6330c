import type { Writable } from 'node:stream';
import type { Config } from '../config.ts';
import { datedProfile, readPolicy } from '../dated-profile.ts';
import type { Database } from '../platform/database/index.ts';
import { createLog } from '../platform/log.ts';
import { type Profile, readProfile } from '../profile.ts';
import type { Ask } from './ask.ts';
import { type Command, type CommandCall, CommandFailure } from './command.ts';
import { commands } from './commands.ts';
import { Progress, type Terminal } from './progress.ts';
import { sentenceOf } from './sentence.ts';

/** The environment of a command, and its output. */
export type CommandEnvironment = { config: Config; openDatabase: () => Promise<Database>; output: Writable; errors: Terminal; ask?: Ask };

/** PostgreSQL: a table doesn’t exist. */
const NO_TABLE = '42P01';

/** Runs one command to its end. Answers the exit code; a failure is one line on standard error. */
export async function runCommand(
  call: CommandCall,
  { config, openDatabase, output, errors, ask = async () => null }: CommandEnvironment,
): Promise<number> {
  const progress = new Progress(errors);
  const command = commands.find(({ name }) => name === call.name);
  let opened: Database | undefined;
  const profileFrom = (file: Profile): Profile =>
    datedProfile(file, {
      db: {
        get read() {
          return opened!.read;
        },
      },
      clock: () => new Date(),
    });
  try {
    if (!command) throw new Error(`"${call.name}" is not a command of this version.`);
    const profile = profileFrom(readProfile(config.profile, { isDemo: config.demoMode }));
    await command.run({
      ...call,
      config,
      log: createLog(config.logLevel),
      profile,
      openDatabase: async () => {
        opened = await openDatabase();
        await readPolicy(profile)?.catch((error: unknown) => {
          // A database of an earlier version has no changes of the policy. With any other failure the values in force aren’t known.
          if ((error as { code?: unknown }).code !== NO_TABLE) throw error;
        });
        return opened;
      },
      say: line => void output.write(`${line}\n`),
      output,
      progress,
      ask,
    });
    return 0;
  } catch (error) {
    progress.end();
    errors.write(`${sentenceOf(error, command && fileOf(command, call))}\n`);
    if (config.logLevel === 'debug' && error instanceof Error) errors.write(`${error.stack}\n`);
    return error instanceof CommandFailure ? error.exitCode : (command?.failsWith ?? 1);
  }
}

/** The file or folder that a command was called with. */
function fileOf({ args = [], files = [] }: Command, call: CommandCall): string | undefined {
  const option = files.map(name => call.options[name]).find(value => typeof value === 'string');
  return call.args[args.indexOf('FILE')] ?? (option as string | undefined);
}
