import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import type { Profile } from '../profile.ts';
import type { Progress } from './progress.ts';

/** What a command works with; the database is opened when it is first asked for and closed at the end. */
export type CommandContext = {
  config: Config;
  log: Log;
  openDatabase: () => Promise<Database>;
  profile: Profile;
  say: (line: string) => void;
  progress: Progress;
  options: Record<string, string | boolean | undefined>;
  args: readonly string[];
};

/** One command of `npm run registry --`. */
export type Command = {
  /** Words that name it: `import statistics`. */
  name: string;
  /** Positional arguments as they stand in the help, `FILE`. */
  args?: readonly string[];
  options?: NonNullable<ParseArgsConfig['options']>;
  summary: string;
  /** One line an option. */
  help?: readonly string[];
  run(context: CommandContext): Promise<void>;
};

/** A mistake in how a command was called, or a refusal: one line that says what to do. */
export class CommandFailure extends Error {}
