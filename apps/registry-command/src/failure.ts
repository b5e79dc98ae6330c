/** Exit codes of the command, as `diff` has them. */
export const exitCodes = { same: 0, differs: 2, failed: 1 } as const;

/** Thrown to end the command with an error: one line for people, and more below it. */
export class CommandFailure extends Error {
  readonly lines: readonly string[];
  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}
