import type { Change } from '../../../platform/database/index.ts';
import { Failure, refuse } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import { refuseRestrainedChange } from '../../restraints/index.ts';
import { endsRestriction, refuseRestricted, restrictingMailboxes } from './irt-restriction.ts';
import type { WhoisUpdate } from '../store/update.ts';
import type { TaskRows } from './task-rows.ts';

/** The steps around every submission of an account (`submit-for-account.ts`). */
type Step = 'restriction' | 'consent' | 'ledger' | 'notices' | 'note';

type Exception = {
  because: string;
  without: readonly Step[];
  /** There is no caller to refuse: refusals of the whole are reported per object, and new objects beyond the limit fail individually. */
  perObject?: true;
  /** A rehearsal that is admitted as if it was done now. */
  admitsRehearsal?: true;
};

/** All submissions of accounts that skip a step, each with its reason. Every other one goes through all steps. */
const exceptions = {
  namesIrt: {
    because: 'naming an irt in its resources is what a restricted account is asked to do',
    without: ['restriction'],
  },
  registered: {
    because: 'the register of assignments was written first, in the same change: the objects follow it, not it the objects',
    without: ['ledger'],
  },
  taskPart: {
    because: 'letters and the line in the log are written at the end of the task, and nobody is asked for consent to more than 200 objects',
    without: ['consent', 'notices', 'note'],
    perObject: true,
  },
  asksForConsent: {
    because: 'what is kept until its maintainer agrees is admitted when it is kept; the line in the log says what waits',
    without: ['consent', 'note'],
    admitsRehearsal: true,
  },
  consentGiven: {
    because: 'this is the consent, and the line in the log says how it was decided',
    without: ['consent', 'note'],
    perObject: true,
    admitsRehearsal: true,
  },
} as const satisfies Record<string, Exception>;
export type ExceptionName = keyof typeof exceptions;

const everything: Exception = { because: '', without: [] };
/** Returns the steps that a submission skips. */
export const exceptionOf = (name: ExceptionName | undefined): Exception => (name === undefined ? everything : exceptions[name]);

/**
 * Checks whether an account may write, now or by a task.
 * @throws Failure ACCOUNT_RESTRICTED_IRT
 */
export async function admitUpdates(
  change: Change,
  accountName: string,
  { endsRestriction: areAllowed }: Pick<TaskRows, 'endsRestriction'>,
  { exception }: { exception?: ExceptionName | undefined },
): Promise<void> {
  const { without, perObject = false } = exceptionOf(exception);
  if (!perObject && !without.includes('restriction') && !areAllowed) await refuseRestricted(change, accountName);
}

/** Returns the updates of a background submission, each marked with refusals that arose after they were sent. */
export async function withRefusals(
  change: Change,
  accountName: string,
  updates: readonly WhoisUpdate[],
  { suspended, profile }: { suspended: boolean; profile: Pick<Profile, 'supportEmail'> },
): Promise<readonly WhoisUpdate[]> {
  if (suspended) {
    const refused = { code: 'account-suspended', message: refuse('ACCOUNT_SUSPENDED', { account: accountName }).message };
    return updates.map(update => ({ ...update, refused }));
  }
  try {
    await refuseRestrainedChange(change, { accountName, by: 'restrict', profile });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const refused = { code: 'account-restrained', message: error.message };
    return updates.map(update => ({ ...update, refused }));
  }
  const [first] = await restrictingMailboxes(change, accountName);
  if (!first) return updates;
  const refused = { code: 'account-restricted', message: refuse('ACCOUNT_RESTRICTED_IRT', { account: accountName, ...first }).message };
  return updates.map(update => (endsRestriction(update.text) ? update : { ...update, refused }));
}
