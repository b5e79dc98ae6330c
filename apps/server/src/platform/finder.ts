import type { Caller } from './http/caller.ts';
import type { Read } from './database/index.ts';

/** A search: its text, and the person who searches. */
export type Search = {
  read: Read;
  caller: Caller;
  /** Trimmed, at least two characters. */
  text: string;
  /** Maximum number of hits shown per section. */
  most: number;
};
