import type { Writable } from 'node:stream';
import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import type { Profile } from '../profile.ts';
import type { Ask } from './ask.ts';
import type { Progress } from './progress.ts';

/** The context of a command; the database is opened on first use and closed at the end. */
export type CommandContext = {
  config: Config;
  log: Log;
  openDatabase: () => Promise<Database>;
  profile: Profile;
  say: (line: string) => void;
  /** Standard output of the caller, for output other than lines of text. */
  output: Writable;
  progress: Progress;
  /** Asks who called, at a terminal. */
  ask: Ask;
  options: CommandCall['options'];
  /** As given; files with their whole path. */
  args: readonly string[];
  /** Text of standard input, for a command that `readsInput`. */
  input: string;
};

/** A command as it was called. */
export type CommandCall = {
  name: string;
  args: readonly string[];
  options: Record<string, string | boolean | undefined>;
  input: string;
};

/** The declaration of a command of `npm run registry --`. */
export type DeclaredCommand = {
  /** Words that name it: `import statistics`. */
  name: string;
  /** Positional arguments as the help shows them, `FILE`. */
  args?: readonly string[];
  options?: NonNullable<ParseArgsConfig['options']>;
  /** Options that name a file or folder, besides the argument FILE. */
  files?: readonly string[];
  /** `bytes`: each character of the input is a byte. */
  readsInput?: boolean | 'bytes';
  /** It replaces the registry's data, or deletes them permanently: never while a server runs on the embedded database. */
  alone?: boolean;
  /** Exit code of a failure that the command doesn’t explain, such as a database that does not answer; 1 by default. */
  failsWith?: number;
  summary: string;
  /** One line an option. */
  help?: readonly string[];
};

export type Command = DeclaredCommand & { run(context: CommandContext): Promise<void> };

/** Functions that do what commands are for, by the name of the command. */
export type CommandRuns<Name extends string = string> = Readonly<Record<Name, (context: CommandContext) => Promise<void>>>;

/** A mistake in how a command was called, or a refusal: one line that says what to do. */
export class CommandFailure extends Error {
  /** The exit code, for callers that distinguish failures. */
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
