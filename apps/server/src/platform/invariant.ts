import { type RawBuilder, sql } from 'kysely';
import type { Profile } from '../profile.ts';
import type { Read } from './database/index.ts';
import type { Secrets } from './secret-box.ts';

/** One breach of an invariant: the object by its name, what is wrong with it, and what to do. Each is the rest of a sentence. */
export type Violation = { object: string; problem: string; remedy: string };

/** The scope of a check, all as of one instant. */
export type InvariantScope = {
  read: Pick<Read, 'rows'>;
  /** Only what belongs to these accounts; null for everything. */
  accounts: readonly string[] | null;
  profile: Profile;
  /** For hashes that an intruder could otherwise compute. */
  secrets: Secrets;
  now: Date;
};

/**
 * A sentence about the registry that is true at every instant, whatever is done. The module that owns the facts declares it, `registry verify` and the worker hold
 * the registry against it, and so does the test that draws acts over all modules.
 */
export type Invariant = {
  /** `whois.handles`: module, and what it is about. */
  name: string;
  /** The fact, as a sentence. */
  sentence: string;
  /** Returns what breaks it, the first of many. */
  check: (scope: InvariantScope) => Promise<Violation[]>;
};

/** So many violations of one invariant are named. */
export const MAX_VIOLATIONS = 20;

/** The part of a `where` that keeps to the accounts of a scope. */
export const isOf = (column: RawBuilder<unknown>, accounts: readonly string[] | null): RawBuilder<unknown> =>
  accounts === null ? sql`true` : sql`${column} = any(${[...accounts]}::text[])`;
