import type { Writable } from 'node:stream';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/index.ts';
import { createLog } from '../platform/log.ts';
import { readProfile } from '../profile.ts';
import type { CommandCall } from './command.ts';
import { commands } from './commands.ts';
import { Progress, type Terminal } from './progress.ts';
import { sentenceOf } from './sentence.ts';

/** The environment of a command, and its output. */
export type Surroundings = { config: Config; openDatabase: () => Promise<Database>; output: Writable; errors: Terminal };

/** Runs one command to its end. Answers the exit code; a failure is one line on standard error. */
export async function runCommand(call: CommandCall, { config, openDatabase, output, errors }: Surroundings): Promise<number> {
  const progress = new Progress(errors);
  try {
    const command = commands.find(({ name }) => name === call.name);
    if (!command) throw new Error(`"${call.name}" is not a command of this version.`);
    await command.run({
      ...call,
      config,
      log: createLog(config.logLevel),
      profile: readProfile(config.profile),
      openDatabase,
      say: line => void output.write(`${line}\n`),
      output,
      progress,
    });
    return 0;
  } catch (error) {
    progress.end();
    errors.write(`${sentenceOf(error)}\n`);
    if (config.logLevel === 'debug' && error instanceof Error) errors.write(`${error.stack}\n`);
    return 1;
  }
}
