import type { Writable } from 'node:stream';
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
  /** Standard output of whoever called, for what is no line of words. */
  output: Writable;
  progress: Progress;
  options: CommandCall['options'];
  /** As they were given; files with their whole path. */
  args: readonly string[];
  /** What stood on standard input, of a command that `readsInput`. */
  input: string;
};

/** A command as it was called. */
export type CommandCall = {
  name: string;
  args: readonly string[];
  options: Record<string, string | boolean | undefined>;
  input: string;
};

/** One command of `npm run registry --`. */
export type Command = {
  /** Words that name it: `import statistics`. */
  name: string;
  /** Positional arguments as they stand in the help, `FILE`. */
  args?: readonly string[];
  options?: NonNullable<ParseArgsConfig['options']>;
  /** Options that name a file or folder, besides the argument FILE. */
  files?: readonly string[];
  readsInput?: boolean;
  /** It replaces what the registry holds, or leaves it for good: never while a server runs on the embedded database. */
  alone?: boolean;
  summary: string;
  /** One line an option. */
  help?: readonly string[];
  run(context: CommandContext): Promise<void>;
};

/** A mistake in how a command was called, or a refusal: one line that says what to do. */
export class CommandFailure extends Error {}
