import type { AnswerOf, BodyOf } from '@portal/contract';
import { type whois, type WhoisUpdates } from '@portal/contract/whois/whois';
import type { Change } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { readApart, senderOf } from '../../../platform/reading-apart.ts';
import { outcomeMessage } from './outcome.ts';
import { writingRights } from '../rights/rights.ts';
import { refuseDryRunText } from '../store/syntax.ts';
import type { WhoisUpdate } from '../store/update.ts';
import type { TaskRows } from './task-rows.ts';
import { submitForAccount } from './submit-for-account.ts';
import type { read as readText } from './text-thread.ts';
import { enqueueUpdates, modifyObjects, recordUpdates } from './update-task.ts';
import { readKey } from '@portal/rpsl';
import { bytesOf, refuseManyEdits, refuseTooMuchText } from '../submit/write-limits.ts';
import { withoutAuthSecrets } from '@portal/contract/whois/auth-secrets';
import { formatCount } from '@portal/number-resources';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../../platform/registry.ts';

/** Changes objects immediately, or only rehearses it. @throws Failure NO_PERMISSION, ACCOUNT_SUSPENDED, TOO_MANY_EDITS, TOO_MUCH_UPLOADED and those of `submitForAccount` */
export const submitUpdates = (act: Act<typeof whois.submitUpdates>): Promise<AnswerOf<typeof whois.submitUpdates>> =>
  write(act, { dryRun: false });

/** Rehearses `submitUpdates`. @throws Failure as that does */
export const previewUpdates = (act: Act<typeof whois.previewUpdates>): Promise<AnswerOf<typeof whois.previewUpdates>> =>
  write(act, { dryRun: true });

async function write(
  {
    change,
    account,
    body: { updates: given, mode },
    registry: { profile, config: limits },
  }: { change: Change; account: AdmittedAccount; body: WhoisUpdates; registry: PolicyAndSettings },
  { dryRun }: { dryRun: boolean },
): Promise<AnswerOf<typeof whois.submitUpdates>> {
  const credentials = await writingRights(change, account);
  const updates = given.map(
    ({ of, expectedVersion, ...update }): WhoisUpdate => ({
      ...update,
      text: withoutAuthSecrets(update.text),
      expectedVersion: expectedVersion ?? null,
      ...(of && { of: { class: of.class, key: readKey(of.class, of.key)?.key ?? of.key.toLowerCase() } }),
    }),
  );
  if (!dryRun) for (const [index, { text }] of given.entries()) refuseDryRunText(text, `updates.${index}.text`);
  if (!dryRun) {
    await refuseManyEdits(change, account.accountName, limits);
    await refuseTooMuchText(change, account.accountName, bytesOf(updates), limits);
  }
  const outcomes = await submitForAccount(change, account, updates, { credentials, mode, dryRun, profile, limits });
  return { outcomes: outcomes.map((outcome, index) => outcomeMessage(outcome, updates[index]!.text)) };
}

const textApart = readApart<typeof readText>(new URL('./text-thread.ts', import.meta.url));

/** Splits a text into its objects, in the thread for texts; more than are written in one call come as rows of a task. @param sender whose turn it is @throws Failure INVALID_REQUEST */
export const updatesApart = async (
  sender: string,
  { text, dryRun }: Pick<BodyOf<typeof whois.uploadText>, 'text' | 'dryRun'>,
): Promise<{ updates: WhoisUpdate[] | TaskRows; bytes: number }> => {
  const {
    portions,
    answer: { bytes, ...about },
  } = await textApart(sender, { text, dryRun }, 'text');
  const rows = portions.filter(portion => typeof portion === 'string');
  return {
    bytes,
    updates: rows.length > 0 ? { ...about, portions: rows } : portions.flatMap(each => (typeof each === 'string' ? [] : each)),
  };
};

/** Splits the text of a call into updates. */
export const updatesOf = (act: Parameters<typeof senderOf>[0] & { body: BodyOf<typeof whois.uploadText> }) =>
  updatesApart(senderOf(act), act.body);

/**
 * Writes the objects of a text: immediately if they are few, recorded as a finished task that can be reverted, otherwise as a task.
 * @throws Failure TOO_MANY_TASKS, TOO_MUCH_UPLOADED and those of `submitUpdates`
 */
export async function uploadText(
  { change, account, body: { mode, dryRun }, registry: { profile, config: limits } }: Act<typeof whois.uploadText>,
  { updates, bytes }: Awaited<ReturnType<typeof updatesApart>>,
): Promise<AnswerOf<typeof whois.uploadText>> {
  const credentials = await writingRights(change, account);
  const objects = 'portions' in updates ? updates.count : updates.length;
  if (!dryRun) await refuseTooMuchText(change, account.accountName, bytes, limits);
  const summary = `${dryRun ? 'Dry run of' : 'Upload of'} ${formatCount(objects)} whois ${objects === 1 ? 'object' : 'objects'}`;
  if (!('portions' in updates)) {
    const outcomes = await submitForAccount(change, account, updates, { credentials, mode, dryRun, profile, limits });
    const changesNothing = dryRun || outcomes.every(({ state }) => state === 'unchanged');
    const { accountName, contactId } = account;
    const record = { accountName, contactId: contactId!, mode, request: null, type: modifyObjects, summary };
    const taskId = changesNothing ? null : await recordUpdates(change, updates, outcomes, record);
    return { objects, outcomes: outcomes.map((outcome, index) => outcomeMessage(outcome, updates[index]!.text)), taskId };
  }
  const taskId = await enqueueUpdates(change, updates, {
    accountName: account.accountName,
    contactId: account.contactId!,
    mode,
    dryRun,
    summary,
    limits,
  });
  return { objects, outcomes: null, taskId };
}
