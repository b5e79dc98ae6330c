import type { AnswerOf, BodyOf } from '@portal/contract';
import { withoutAuthSecret } from '@portal/contract/whois/auth-secrets';
import { maxImmediateUpdates, type whois } from '@portal/contract/whois/whois';
import {
  attributeOf,
  classes,
  isClassName,
  listValues,
  printObject,
  readKey,
  type RpslAttribute,
  type RpslObject,
  withValue,
} from '@portal/rpsl';
import { type RawBuilder, sql } from 'kysely';
import { setImmediate as breathe } from 'node:timers/promises';
import { breathing } from '../../../platform/breathing.ts';
import { beginningOf } from '../../../platform/beginning-of.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { objectsOfAccount } from '../objects/object-list.ts';
import { outcomeMessage } from './outcome.ts';
import { writingRights } from '../rights/rights.ts';
import type { StoredObject, WhoisOutcome, WhoisUpdate } from '../store/update.ts';
import { bytesOf, refuseTooMuchText, type WriteLimits } from '../submit/write-limits.ts';
import { type Submission, submitForAccount } from './submit-for-account.ts';
import { bulkModify, enqueueUpdates, recordUpdates } from './update-task.ts';
import { formatCount } from '@portal/number-resources';
import type { Profile } from '../../../profile.ts';

type Body = BodyOf<typeof whois.bulkChange>;
type Action = Body['actions'][number];

/** Objects of one such task. */
const MAX = 5_000;
/** Bytes of the objects of one such task. */
const MAX_BYTES = 10_000_000;
/** Objects rehearsed together; other calls are answered in between. */
const REHEARSED_AT_ONCE = 250;
/** Maximum number of outcomes returned by a dry run. */
const SHOWN = 50;

/**
 * Changes many objects of the account together: adds, replaces or removes attributes. Objects it would not change are left out. A dry run rehearses
 * all of them and returns fifty, the refused ones first. A small change runs immediately and is recorded as a finished task, a larger one runs as a task.
 * @throws Failure INVALID_REQUEST, NO_PERMISSION, ACCOUNT_SUSPENDED, TOO_MUCH_UPLOADED, and those of `submitForAccount` and `enqueueUpdates`
 */
export async function bulkChange({
  change,
  account,
  body,
  exception,
  registry: { profile, config: limits },
}: {
  change: Change;
  account: AdmittedAccount;
  body: Body;
  exception?: Submission['exception'];
  registry: { profile: Profile; config: WriteLimits };
}): Promise<AnswerOf<typeof whois.bulkChange>> {
  const credentials = await writingRights(change, account);
  const { mode, dryRun } = body;
  const actions = body.actions.map(withoutSecret);
  await refuseManyChosen(change, account.accountName, body);
  const rows = await change.rows<StoredObject>(
    sql`select o.* from whois_object o where ${chosen(account.accountName, body)} order by o.object_id limit ${MAX}`,
  );
  const turns = breathing();
  const updates: WhoisUpdate[] = [];
  for (const row of rows) {
    const before = objectOfRow(row);
    const text = printObject(actions.reduce(applied, before));
    if (text !== printObject(before)) updates.push({ operation: 'modify', text, expectedVersion: row.version });
    await turns();
  }
  if (!dryRun && exception === undefined) await refuseTooMuchText(change, account.accountName, bytesOf(updates), limits);
  const objects = updates.length;
  const request = actions.map(inWords).join('; ');
  await change.note({ request, objects });
  if (objects === 0) return { objects, matched: rows.length, refused: 0, outcomes: [], taskId: null };
  const summary = beginningOf(`Change of ${formatCount(objects)} whois ${objects === 1 ? 'object' : 'objects'}: ${request}`, 200);
  const submission = { credentials, mode, dryRun, profile, limits, exception };
  if (dryRun) return { objects, matched: rows.length, ...(await rehearse(change, account, updates, submission)), taskId: null };
  if (objects <= maxImmediateUpdates) {
    const outcomes = await submitForAccount(change, account, updates, submission);
    const { accountName, contactId } = account;
    const record = { accountName, contactId: contactId!, mode, request, type: bulkModify, summary };
    const taskId = await recordUpdates(change, updates, outcomes, record);
    return { objects, matched: rows.length, ...told(updates, outcomes), taskId };
  }
  const given = {
    accountName: account.accountName,
    contactId: account.contactId!,
    mode,
    dryRun: false,
    request,
    type: bulkModify,
    summary,
    limits,
    exception,
  };
  return { objects, matched: rows.length, refused: 0, outcomes: null, taskId: await enqueueUpdates(change, updates, given) };
}

/** @throws Failure INVALID_REQUEST if more objects, or longer ones, are chosen than one change may have */
async function refuseManyChosen(change: Change, accountName: string, body: Body): Promise<void> {
  const [chosenOnes] = await change.rows<{ objects: number; bytes: number }>(sql`
    select count(*)::int as objects, coalesce(sum(octet_length(text)), 0)::float8 as bytes
    from (select o.text from whois_object o where ${chosen(accountName, body)} limit ${MAX + 1}) o`);
  const { objects, bytes } = chosenOnes!;
  if (objects > MAX) throw refuse('INVALID_REQUEST', { detail: `more than ${MAX} objects selected. Choose fewer` });
  if (bytes > MAX_BYTES)
    throw refuse('INVALID_REQUEST', { detail: `the selected objects have more than ${MAX_BYTES / 1_000_000} MB. Choose fewer` });
}

/**
 * Rehearses every object, and returns fifty outcomes, the refused ones first. Even for an atomic change, an object is reported as refused only for its own errors.
 */
async function rehearse(change: Change, account: AdmittedAccount, updates: readonly WhoisUpdate[], submission: Submission) {
  const shown: { update: WhoisUpdate; outcome: WhoisOutcome }[] = [];
  let refused = 0;
  for (let at = 0; at < updates.length; at += REHEARSED_AT_ONCE) {
    const part = updates.slice(at, at + REHEARSED_AT_ONCE);
    const outcomes = await submitForAccount(change, account, part, { ...submission, mode: 'best-effort' });
    for (const [index, outcome] of outcomes.entries()) {
      const fails = outcome.state === 'failed';
      if (fails ? refused < SHOWN : shown.length < SHOWN) shown.push({ update: part[index]!, outcome });
      if (fails) refused += 1;
    }
    await breathe();
  }
  const first = shown.toSorted((a, b) => Number(b.outcome.state === 'failed') - Number(a.outcome.state === 'failed')).slice(0, SHOWN);
  const { outcomes } = told(
    first.map(({ update }) => update),
    first.map(({ outcome }) => outcome),
  );
  return { refused, outcomes };
}

const told = (updates: readonly WhoisUpdate[], outcomes: readonly WhoisOutcome[]) => ({
  refused: outcomes.filter(({ state }) => state === 'failed').length,
  outcomes: outcomes.map((outcome, index) => outcomeMessage(outcome, updates[index]!.text)),
});

function chosen(accountName: string, { choose }: Body): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`o.object_id in (${objectsOfAccount(accountName)})`];
  if (choose.classes !== undefined) conditions.push(sql`o.class = any(${choose.classes}::text[])`);
  if (choose.attribute !== undefined && choose.value !== undefined)
    conditions.push(
      sql`exists (select from whois_reference r where r.object_id = o.object_id and r.attribute = ${choose.attribute} and r.value = ${choose.value.toLowerCase()})`,
    );
  if (choose.keys !== undefined) {
    const keys = choose.keys.flatMap(({ class: objectClass, key }) => {
      const read = readKey(objectClass, key);
      return read ? [read] : [];
    });
    conditions.push(
      sql`(o.class, o.key) in (select * from unnest(${keys.map(each => each.class)}::text[], ${keys.map(each => each.key)}::text[]))`,
    );
  }
  return sql.join(conditions, sql` and `);
}

/** A password typed for `auth` is never accepted, and is dropped here. */
const withoutSecret = (action: Action): Action =>
  action.attribute === 'auth' && action.newValue !== undefined ? { ...action, newValue: withoutAuthSecret(action.newValue) } : action;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The object after one action, unchanged if the action doesn't concern it. */
function applied(object: RpslObject, { action, attribute, value = '', newValue = '' }: Action): RpslObject {
  const { attributes } = object;
  const own = attributes.filter(({ name }) => name === attribute);
  const holds = (each: RpslAttribute): boolean => each.name === attribute && listValues(each.value).some(part => same(part, value));
  const changed = (make: (each: RpslAttribute) => readonly RpslAttribute[]): RpslObject => ({
    ...object,
    attributes: attributes.flatMap(make),
  });
  switch (action) {
    case 'replace':
      return changed(each =>
        holds(each)
          ? [
              withValue(
                each,
                listValues(each.value)
                  .map(part => (same(part, value) ? newValue : part))
                  .join(', '),
              ),
            ]
          : [each],
      );
    case 'remove':
      return changed(each => {
        if (value === '') return each.name === attribute ? [] : [each];
        if (!holds(each)) return [each];
        const left = listValues(each.value).filter(part => !same(part, value));
        return left.length === 0 ? [] : [withValue(each, left.join(', '))];
      });
    case 'set': {
      if (own.length === 1 && own[0]!.value === newValue) return object;
      return inserted(
        { ...object, attributes: attributes.filter(({ name }) => name !== attribute) },
        attribute,
        newValue,
        own[0] ? attributes.indexOf(own[0]) : null,
      );
    }
    case 'add':
      return own.some(each => same(each.value, newValue)) || !hasPlace(object, attribute)
        ? object
        : inserted(object, attribute, newValue, null);
  }
}

const hasPlace = (object: RpslObject, attribute: string): boolean =>
  isClassName(object.class) && classes[object.class].template.some(row => row.attribute === attribute);

/** Returns the object with one more line: at a given position, or where the template has it. */
function inserted(object: RpslObject, name: string, value: string, at: number | null): RpslObject {
  if (!hasPlace(object, name) || !isClassName(object.class)) return object;
  const order: readonly string[] = classes[object.class].template.map(row => row.attribute);
  const attributes = [...object.attributes];
  const place = at ?? attributes.findLastIndex(each => order.includes(each.name) && order.indexOf(each.name) <= order.indexOf(name)) + 1;
  attributes.splice(place, 0, attributeOf(name, value));
  return { ...object, attributes };
}

function inWords({ action, attribute, newValue, ...given }: Action): string {
  const value = attribute === 'auth' && given.value !== undefined ? withoutAuthSecret(given.value) : given.value;
  return {
    replace: `${attribute} ${value} becomes ${newValue}`,
    remove: `${attribute} ${value ?? ''} is removed`,
    set: `${attribute} is set to ${newValue}`,
    add: `${attribute} ${newValue} is added`,
  }[action];
}
