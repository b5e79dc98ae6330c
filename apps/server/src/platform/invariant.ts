import { type RawBuilder, sql } from 'kysely';
import type { Profile } from '../profile.ts';
import type { Read } from './database/index.ts';
import type { Module } from './module.ts';
import type { Secrets } from './secret-box.ts';

/** One violation of an invariant: the object's name, what is wrong with it, and what to do. Each is the rest of a sentence. */
export type Violation = { object: string; problem: string; remedy: string };

/** The scope of a check, all as of one instant. */
export type InvariantScope = {
  read: Pick<Read, 'rows'>;
  /** Only what belongs to these accounts; null for everything. */
  accounts: readonly string[] | null;
  profile: Profile;
  modules: readonly Module[];
  /** For hashes that an intruder could otherwise compute. */
  secrets: Secrets;
  now: Date;
};

/**
 * A statement about the registry that is always true. The module that owns the facts declares it; `registry verify`, the worker and the test with
 * random acts over all modules check it.
 */
export type Invariant = {
  /** `whois.handles`: module, and what it is about. */
  name: string;
  /** The fact, as a sentence. */
  sentence: string;
  /** Returns the violations, up to a maximum. */
  check: (scope: InvariantScope) => Promise<Violation[]>;
};

/** How many violations of one invariant are reported. */
export const MAX_VIOLATIONS = 20;

/** The part of a `where` that restricts a query to the accounts of a scope. */
export const isOf = (column: RawBuilder<unknown>, accounts: readonly string[] | null): RawBuilder<unknown> =>
  accounts === null ? sql`true` : sql`${column} = any(${[...accounts]}::text[])`;

declare module './module.ts' {
  interface Contributions {
    /** Invariants of the data it owns. */
    invariants?: readonly Invariant[];
  }
}
