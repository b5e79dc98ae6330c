import { outageOf } from './database/index.ts';
import { Failure } from './failure.ts';

/** Retry-After, in seconds: while the database is down or this process is ending, and while the database is read-only. */
const AGAIN_SECONDS = 5;
const PAUSED_SECONDS = 60;

/** The service is unavailable for the moment: the caller may retry. `paused`: reading works, and nothing can be changed. */
export type Unavailability = { paused: boolean; retrySeconds: number };

/** Returns whether an error means that the service is temporarily unavailable, and how; null for other errors. */
export function unavailability(error: unknown): Unavailability | null {
  if (error instanceof Failure) return error.status === 503 ? of(error.code === 'CHANGES_PAUSED') : null;
  const outage = outageOf(error);
  return outage && of(outage === 'full' || outage === 'read-only');
}

const of = (paused: boolean): Unavailability => ({ paused, retrySeconds: paused ? PAUSED_SECONDS : AGAIN_SECONDS });
