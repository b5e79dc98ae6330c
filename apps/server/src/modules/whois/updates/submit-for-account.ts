import { beginningOf } from '../../../platform/beginning-of.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import type { Profile } from '../../../profile.ts';
import { refuseRestrainedChange } from '../../restraints/index.ts';
import { findConsentFor, lacksAsAsked, lacksConsentOnly, withWaitingNote } from '../consents/agreement.ts';
import { notifyRequester, notifySender } from '../consents/consent-notices.ts';
import { type ConsentRow, decideConsent, keysOf } from '../consents/consent-row.ts';
import { followInLedger } from '../ledger/ledger-of-outcomes.ts';
import { rightsOf } from '../rights/rights.ts';
import { submit, type SubmitOptions } from '../submit/submit.ts';
import { readUpdates, updatesOfText } from '../store/syntax.ts';
import { type Credentials, isError, type WhoisOutcome, type WhoisUpdate } from '../store/update.ts';
import { refuseManyObjects, type ObjectLimit } from '../submit/write-limits.ts';
import { admitUpdates, type ExceptionName, exceptionOf, withRefusals } from './admission.ts';
import { endRestriction } from './task-rows.ts';

type Account = Pick<AdmittedAccount, 'accountName' | 'contactId'>;

export type Submission = {
  /** The caller's rights, from `writingRights` or `rightsOf`. */
  credentials: Credentials & { suspended?: boolean };
  mode: SubmitOptions['mode'];
  /** Everything is done and rolled back: not admitted, counted or followed. */
  dryRun?: boolean;
  /** True if a second factor was given just now. */
  profile: Profile;
  limits: ObjectLimit;
  /** The steps it skips, with the reasons in `admission.ts`. */
  exception?: ExceptionName | undefined;
};

/**
 * Writes whois objects for an account: the only way to `submit` for members' requests. In this order: an account restricted by registry staff, or because
 * of its irt, is refused; credentials of a maintainer need a second factor; routes that wait for the sender's consent are written as requested;
 * the account has no more objects than allowed; the ledger follows the objects; the activity log gets its line.
 * @throws Failure ACCOUNT_RESTRAINED, ACCOUNT_RESTRICTED_IRT, TOO_MANY_OBJECTS
 */
export async function submitForAccount(
  change: Change,
  account: Account,
  updates: readonly WhoisUpdate[],
  submission: Submission,
): Promise<WhoisOutcome[]> {
  const { credentials, mode, dryRun = false, profile, limits, exception } = submission;
  const { without, perObject = false, admitsRehearsal = false } = exceptionOf(exception);
  const { accountName } = account;
  await readUpdates(updates);
  if (!dryRun || admitsRehearsal) {
    // A task that began before the account was restricted says it of each object.
    if (!perObject) await refuseRestrainedChange(change, { accountName, by: 'restrict', profile });
    await admitUpdates(change, accountName, { endsRestriction: endRestriction(updates) }, { exception });
  }
  const agreed = without.includes('consent') ? null : await agreeBySending(change, account, updates, submission);
  const followed = !without.includes('ledger');
  const outcomes =
    agreed ??
    (await submit(
      change,
      perObject && (!dryRun || admitsRehearsal)
        ? await withRefusals(change, accountName, updates, { suspended: credentials.suspended ?? false, profile })
        : updates,
      {
        credentials,
        mode,
        dryRun,
        profile,
        sendNotices: !without.includes('notices'),
        ...(followed && { register: accountName }),
        ...(perObject && { most: { accountName, objects: limits.whoisMostObjects } }),
      },
    ));
  if (!dryRun && !agreed) {
    if (!perObject) await refuseManyObjects(change, accountName, outcomes, limits);
    if (followed) await followInLedger(change, accountName, outcomes);
  }
  if (!without.includes('note')) await noteOf(change, outcomes);
  return outcomes;
}

/** Records in the activity log which objects were changed, and how many. */
async function noteOf(change: Change, outcomes: readonly WhoisOutcome[]): Promise<void> {
  const done = outcomes.filter(({ state }) => state === 'ok');
  await change.note({
    changed: done.slice(0, 50).map(({ done: what, class: objectClass, shown }) => `${what} ${objectClass} ${shown}`),
    objects: done.length,
    failed: outcomes.filter(({ state }) => state === 'failed').length,
  });
}

/**
 * Carries out a request after consent, with the sender's present rights and the agreement of these maintainers, if it lacks nothing else; a rehearsal
 * decides nothing.
 * Returns the outcome of each object, and the request as decided.
 */
export async function carryOutConsent(
  change: Change,
  account: Account,
  row: ConsentRow,
  { maintainers, profile, limits, dryRun }: Pick<Submission, 'profile' | 'limits'> & { maintainers: ReadonlySet<string>; dryRun: boolean },
): Promise<{ outcomes: WhoisOutcome[]; updates: WhoisUpdate[]; decided: ConsentRow }> {
  const agreed = new Set(keysOf(row.maintainers).filter(key => maintainers.has(key)));
  const rights = await rightsOf(change, row.accountName, row.contactId);
  const updates = updatesOfText(row.text);
  const common = { profile, limits, exception: 'consentGiven' } as const;
  const lacking = await submitForAccount(change, row, updates, { ...common, credentials: rights, mode: 'best-effort', dryRun: true });
  const outcomes = lacksAsAsked(lacking, row)
    ? await submitForAccount(change, row, updates, { ...common, credentials: { ...rights, agreed }, mode: 'atomic', dryRun })
    : lacking;
  if (dryRun) return { outcomes, updates, decided: row };
  const against = outcomes.filter(({ state }) => state === 'failed').flatMap(({ problems }) => problems.filter(isError));
  const decided = await decideConsent(change, row, {
    state: against.length === 0 ? 'accepted' : 'failed',
    reason: beginningOf(against[0]?.message ?? '', 500),
    by: account.contactId,
  });
  return { outcomes, updates, decided };
}

/**
 * Handles a holder who submits exactly the routes that wait for its consent: that counts as consent, so they are written as requested. Returns null
 * if nothing waits for exactly these, or the submission has other errors.
 */
async function agreeBySending(
  change: Change,
  account: Account,
  updates: readonly WhoisUpdate[],
  { credentials, profile, limits, dryRun = false }: Submission,
): Promise<WhoisOutcome[] | null> {
  const row = await findConsentFor(change, account.accountName, updates, credentials);
  if (!row) return null;
  if (!lacksConsentOnly(await submit(change, updates, { credentials, mode: 'best-effort', dryRun: true, profile }))) return null;
  const options = { maintainers: credentials.maintainers, profile, limits };
  const rehearsed = await carryOutConsent(change, account, row, { ...options, dryRun: true });
  if (rehearsed.outcomes.some(({ state }) => state === 'failed')) return null;
  if (dryRun) return rehearsed.outcomes.map(outcome => withWaitingNote(outcome, row));
  const { outcomes, decided } = await carryOutConsent(change, account, row, { ...options, dryRun: false });
  await notifyRequester(change, decided, `${credentials.who} also sent it. The update is saved.`);
  await notifySender(change, account, decided);
  return outcomes.map(outcome => withWaitingNote(outcome, row));
}
