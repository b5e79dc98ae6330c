import type { Caller } from './caller.ts';
import type { Read } from './database/index.ts';

/** What is looked for, and by whom. */
export type Search = {
  read: Read;
  caller: Caller;
  /** Trimmed, at least two characters. */
  text: string;
  /** Hits of a section that are shown. */
  most: number;
};
