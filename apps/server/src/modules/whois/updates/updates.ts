import type { AnswerOf, BodyOf } from '@portal/contract';
import { mostUpdatesAtOnce, mostUploadedObjects, type whois, type WhoisUpdates } from '@portal/contract/whois/whois';
import type { Change } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/endpoints.ts';
import { refuseField } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import { agreeBySending } from '../consents/consents.ts';
import { admitCredentialChange } from './credential-change.ts';
import { refuseRestricted } from '../irt/irt-restriction.ts';
import { followInLedger } from '../ledger/ledger-of-outcomes.ts';
import { outcomeToTell } from './outcome.ts';
import { writingRights } from '../maintainers/rights.ts';
import { submit } from '../submit/submit.ts';
import type { WhoisOutcome, WhoisUpdate } from '../submit/update.ts';
import { enqueueUpdates, updatesOfText } from './update-task.ts';
import { readKey } from '@portal/rpsl';
import { refuseManyEdits, refuseManyObjects, refuseMuchText, refuseTooManyNew, type WriteLimits } from '../submit/write-limits.ts';

type Options = { profile: Profile; dryRun: boolean; isFresh: boolean; limits: WriteLimits };

/** Changes objects in this very call, or only says what would come of it. @throws Failure NO_PERMISSION, ACCOUNT_SUSPENDED, TOO_MANY_EDITS, TOO_MANY_OBJECTS */
export async function submitUpdates(
  change: Change,
  account: AdmittedAccount,
  { updates: given, mode }: WhoisUpdates,
  { profile, dryRun, isFresh, limits }: Options,
): Promise<AnswerOf<typeof whois.submitUpdates>> {
  const credentials = await writingRights(change, account);
  const updates = given.map(
    ({ of, expectedVersion, ...update }): WhoisUpdate => ({
      ...update,
      expectedVersion: expectedVersion ?? null,
      ...(of && { of: { class: of.class, key: readKey(of.class, of.key)?.key ?? of.key.toLowerCase() } }),
    }),
  );
  if (!dryRun) {
    await refuseRestricted(change, account.accountName, textsOf(updates));
    await admitCredentialChange(change, updates, isFresh);
    await refuseManyEdits(change, account.accountName, limits);
  }
  const agreed = await agreeBySending(change, account, updates, { credentials, profile, dryRun, isFresh });
  const outcomes = agreed ?? (await submit(change, updates, { credentials, mode, dryRun, profile, register: account.accountName }));
  if (!dryRun && !agreed) {
    await refuseManyObjects(change, account.accountName, outcomes, limits);
    await followInLedger(change, account.accountName, outcomes);
  }
  await noteOf(change, outcomes);
  return { outcomes: outcomes.map((outcome, index) => outcomeToTell(outcome, updates[index]!.text)) };
}

/** The objects of a text: at once when they are few, else as a task. @throws Failure INVALID_REQUEST, TOO_MANY_TASKS, TOO_MUCH_UPLOADED and those of `submitUpdates` */
export async function uploadText(
  change: Change,
  account: AdmittedAccount,
  { text, mode, dryRun }: BodyOf<typeof whois.uploadText>,
  { profile, isFresh, limits }: Omit<Options, 'dryRun'>,
): Promise<AnswerOf<typeof whois.uploadText>> {
  const credentials = await writingRights(change, account);
  if (text.includes('\u0000'))
    throw refuseField('text', 'This text holds zero bytes, so it is no text; save it in UTF-8 and send it again');
  const updates = updatesOfText(text);
  const objects = updates.length;
  if (objects === 0) throw refuseField('text', 'There is no object in this text');
  if (objects > mostUploadedObjects)
    throw refuseField('text', `There are ${objects} objects in this text; send at most ${mostUploadedObjects} at once`);
  if (!dryRun) {
    await refuseRestricted(change, account.accountName, textsOf(updates));
    await admitCredentialChange(change, updates, isFresh);
    await refuseMuchText(change, account.accountName, text, limits);
  }
  if (objects <= mostUpdatesAtOnce) {
    const agreed = await agreeBySending(change, account, updates, { credentials, profile, dryRun, isFresh });
    const outcomes = agreed ?? (await submit(change, updates, { credentials, mode, dryRun, profile, register: account.accountName }));
    if (!dryRun && !agreed) {
      await refuseManyObjects(change, account.accountName, outcomes, limits);
      await followInLedger(change, account.accountName, outcomes);
    }
    await noteOf(change, outcomes);
    return { objects, outcomes: outcomes.map((outcome, index) => outcomeToTell(outcome, updates[index]!.text)), taskId: null };
  }
  await refuseTooManyNew(change, account.accountName, updates, limits);
  const summary = `${dryRun ? 'Trial of' : 'Upload of'} ${objects.toLocaleString('en')} whois objects`;
  const taskId = await enqueueUpdates(change, updates, {
    accountName: account.accountName,
    contactId: account.contactId!,
    mode,
    dryRun,
    summary,
  });
  return { objects, outcomes: null, taskId };
}

const textsOf = (updates: readonly WhoisUpdate[]): string[] => updates.map(({ text }) => text);

/** What the activity log says of a submission: which objects, and how many. */
async function noteOf(change: Change, outcomes: readonly WhoisOutcome[]): Promise<void> {
  const done = outcomes.filter(({ state }) => state === 'ok');
  await change.note({
    changed: done.slice(0, 50).map(({ done: what, class: objectClass, shown }) => `${what} ${objectClass} ${shown}`),
    objects: done.length,
    failed: outcomes.filter(({ state }) => state === 'failed').length,
  });
}
