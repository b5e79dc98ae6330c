import type { brand, BrandChange, BrandProposal } from '@portal/contract/brand/brand';
import { accentThemes, type BrandValueName, brandRow, brandValues, isAccent, isLogo } from '@portal/contract/brand/brand-values';
import { isReadable } from '@portal/contract/brand/brand-colours';
import { brandProblem, colourProblem } from '@portal/contract/brand/brand-problem';
import { utcDay, yearsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { confirmedBrand, fileOf, hearSoon, kindOf, leafOf, timesOf } from '../../dated-profile.ts';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';
import { dayInFull } from '../../platform/day-words.ts';
import { refuse, refuseFields } from '../../platform/failure.ts';
import { type Act, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import type { Profile } from '../../profile.ts';
import { beginningOfDay } from '../policy/index.ts';
import { type ChangeRow, changeOf, changeRow, changeRows, valuesOf } from './change-rows.ts';

type Now = Pick<Registry, 'now' | 'today' | 'profile'>;

/** A change is at most so many years ahead. */
const MAX_YEARS = 2;

const titleOf = (name: BrandValueName): string => brandValues[name].title;
const inQuotes = (names: readonly BrandValueName[]): string => new Intl.ListFormat('en').format(names.map(name => `“${titleOf(name)}”`));
/** A value as the log and people read it. */
const inWords = (name: BrandValueName, value: string): string =>
  value === ''
    ? `not set: ${brandRow(name).ifEmpty}`
    : isLogo(name)
      ? `the file ${value.slice(0, 8)}…${value.slice(value.indexOf('.'))}`
      : value;

/** Reads the values of a proposal. @throws Failure INVALID_REQUEST that says what would be right */
function readValues(values: BrandProposal['values']): { name: BrandValueName; value: string }[] {
  const read = values.map(({ name, value }) => ({ name, text: value, value: kindOf(name).read(value) as string | undefined }));
  const wrong = read.flatMap(({ name, text, value }, place) => {
    const { kind } = kindOf(name);
    const message = brandProblem(name, text, kind) ?? (value === undefined ? `${titleOf(name)}: enter ${kind}` : null);
    return message === null ? [] : [{ field: `values.${place}.value`, message }];
  });
  if (wrong.length > 0) throw refuseFields(wrong);
  return read.map(({ name, value }) => ({ name, value: value! }));
}

/** Refuses logos that were never uploaded. @throws Failure INVALID_REQUEST */
async function refuseUnknownLogos(change: Change, values: readonly { name: BrandValueName; value: string }[]): Promise<void> {
  const logos = values.flatMap(({ name, value }, place) => (isLogo(name) && value !== '' ? [{ name, value, place }] : []));
  if (logos.length === 0) return;
  const names = logos.map(({ value }) => value);
  const found = await change.selectFrom('brandLogo').select('name').where('name', 'in', names).execute();
  const unknown = logos.filter(({ value }) => !found.some(({ name }) => name === value));
  if (unknown.length === 0) return;
  throw refuseFields(
    unknown.map(({ name, place }) => ({
      field: `values.${place}.value`,
      message: `${titleOf(name)}: no such logo was uploaded. Upload its file`,
    })),
  );
}

/** The instant at which a change would begin that is confirmed now. */
const beginsAtOf = (validFrom: string | null, { now, profile }: Now): string =>
  validFrom === null ? now.toISOString() : beginningOfDay(validFrom, profile);

type Proposed = { validFrom: string | null; names: readonly BrandValueName[] };

/** Refuses a change that can't begin as it is. Returns the profile right before it would begin. @throws Failure BRAND_DAY, BRAND_FIXED */
async function refuseUnsuitable(read: Pick<Read, 'rows'>, { validFrom, names }: Proposed, registry: Now): Promise<Profile> {
  const file = fileOf(registry.profile);
  const fixed = names.filter(name => file.fixed.includes(name));
  if (fixed.length > 0) throw refuse('BRAND_FIXED', { values: inQuotes(fixed) });
  if (validFrom !== null && validFrom <= registry.today)
    throw refuse('BRAND_DAY', { why: 'This day has begun already. Choose a later day, or have it begin as soon as it is confirmed' }).at(
      'validFrom',
    );
  const latest = yearsAfter(registry.today, MAX_YEARS);
  if (validFrom !== null && validFrom > latest)
    throw refuse('BRAND_DAY', { why: `Choose ${dayInFull(latest)} or an earlier day` }).at('validFrom');
  const begins = Date.parse(beginsAtOf(validFrom, registry));
  return timesOf(file, await confirmedBrand(read)).findLast(({ from }) => from <= begins)!.profile;
}

const lockBrand = (change: Change): Promise<void> => lockByName(change, 'brand.changes');

/** Facts of a change for the log and for the second person. */
const noteOf = ({ validFrom, reason, ...row }: Pick<ChangeRow, 'validFrom' | 'reason' | 'changed'>) => ({
  from: validFrom === null ? 'as soon as it is confirmed' : dayInFull(validFrom),
  ...Object.fromEntries(
    valuesOf(row).map(({ name, before, after }) => [titleOf(name), `${inWords(name, before)}, then ${inWords(name, after)}`]),
  ),
  reason,
});

const shown = async (change: Change, changeId: string, registry: Registry): Promise<BrandChange> =>
  changeOf(await changeRow(change, changeId), await changeRows(change, sql`true`), registry);

/** Keeps a change as prepared, to see it on pages before it is confirmed. @throws Failure BRAND_DAY, BRAND_FIXED, NOTHING_TO_DO, INVALID_REQUEST */
export async function prepareBrandChange({ change, caller, body, registry }: Act<typeof brand.prepareBrandChange>): Promise<BrandChange> {
  const { validFrom, reason } = body;
  const values = readValues(body.values);
  await refuseUnknownLogos(change, values);
  const before = await refuseUnsuitable(change, { validFrom, names: values.map(({ name }) => name) }, registry);
  const changed = Object.fromEntries(
    values.flatMap(({ name, value }) => {
      const was = String(leafOf(before, name));
      return was === value ? [] : [[name, { before: was, after: value }]];
    }),
  );
  if (Object.keys(changed).length === 0) throw refuse('NOTHING_TO_DO', { why: 'Every value is so already' });
  const { brandChangeId } = await change
    .insertInto('brandChange')
    .values({ validFrom, changed: JSON.stringify(changed), reason, preparedBy: caller.loginId, preparedAt: change.now })
    .returning('brandChangeId')
    .executeTakeFirstOrThrow();
  await change.note(noteOf({ validFrom, reason, changed }));
  return shown(change, String(brandChangeId), registry);
}

/** Locks the brand, and returns a change of it. @throws Failure NOT_FOUND */
async function lockedChange(change: Change, changeId: string): Promise<ChangeRow> {
  await lockBrand(change);
  return changeRow(change, changeId);
}

/** Refuses a change that is over, or confirmed. @throws Failure BRAND_ENDED */
function refuseUnlessPrepared({ confirmedAt, confirmedBy, endedAt, endedBy }: ChangeRow, act: string): void {
  if (endedAt !== null) throw refuse('BRAND_ENDED', { act, why: `${endedBy!} ended it on ${dayInFull(utcDay(endedAt))}` });
  if (confirmedAt !== null) throw refuse('BRAND_ENDED', { act, why: `${confirmedBy!} confirmed it on ${dayInFull(utcDay(confirmedAt))}` });
}

/** Discards a prepared change. @throws Failure NOT_FOUND, BRAND_ENDED */
export async function discardBrandChange({ change, caller, params: { changeId } }: Act<typeof brand.discardBrandChange>): Promise<void> {
  const row = await lockedChange(change, changeId);
  refuseUnlessPrepared(row, 'discarded');
  await change
    .updateTable('brandChange')
    .set({ endedBy: caller.loginId, endedAt: change.now })
    .where('brandChangeId', '=', row.brandChangeId)
    .execute();
  await change.note(noteOf(row));
}

const linkOf = (changeId: string): string => `/desk/brand?change=${changeId}`;

/**
 * Confirms a prepared change, once a second person has approved it: it is in force immediately, or from its day on.
 * @throws Failure NOT_FOUND, BRAND_ENDED, BRAND_DAY, BRAND_FIXED, BRAND_MOVED
 * @throws SecondPersonNeeded
 */
export async function confirmBrandChange({
  change,
  caller,
  params: { changeId },
  hasSecondPerson,
  registry,
}: Act<typeof brand.confirmBrandChange>): Promise<BrandChange> {
  const row = await lockedChange(change, changeId);
  refuseUnlessPrepared(row, 'confirmed');
  const values = valuesOf(row);
  const current = await refuseUnsuitable(change, { validFrom: row.validFrom, names: values.map(({ name }) => name) }, registry);
  for (const { name, before } of values) {
    const now = String(leafOf(current, name));
    if (now !== before)
      throw refuse('BRAND_MOVED', { value: `“${titleOf(name)}”`, before: inWords(name, before), now: inWords(name, now) });
    const after = row.changed[name]!.after;
    if (isAccent(name) && after !== '' && !isReadable(after, accentThemes[name]))
      throw refuse('BRAND_ENDED', { act: 'confirmed', why: colourProblem(name, after) });
  }
  if (!hasSecondPerson)
    throw new SecondPersonNeeded({
      title: `Change the brand${row.validFrom === null ? '' : ` from ${dayInFull(row.validFrom)}`}: ${new Intl.ListFormat('en').format(values.map(({ name }) => titleOf(name)))}`,
      link: linkOf(changeId),
    });
  await change.note(noteOf(row));
  // A rehearsal has no second person yet.
  if (caller.approvedBy) {
    await change
      .updateTable('brandChange')
      .set({
        proposedBy: caller.loginId,
        confirmedBy: caller.approvedBy,
        confirmedAt: change.now,
        beginsAt: row.validFrom === null ? change.now : beginsAtOf(row.validFrom, registry),
      })
      .where('brandChangeId', '=', row.brandChangeId)
      .execute();
    hearSoon(registry.profile);
  }
  return shown(change, changeId, registry);
}

/**
 * Withdraws a confirmed change before its day, once a second person has approved it.
 * @throws Failure NOT_FOUND, BRAND_ENDED
 * @throws SecondPersonNeeded
 */
export async function withdrawBrandChange({
  change,
  caller,
  params: { changeId },
  hasSecondPerson,
  registry,
}: Act<typeof brand.withdrawBrandChange>): Promise<BrandChange> {
  const row = await lockedChange(change, changeId);
  const ended = (why: string) => refuse('BRAND_ENDED', { act: 'withdrawn', why });
  if (row.endedAt !== null) throw ended(`${row.endedBy!} ended it already`);
  if (row.confirmedAt === null) throw ended('it isn’t confirmed. Discard it');
  if (Date.parse(row.beginsAt!) <= registry.now.getTime()) throw ended('it is in force. Go back to the version before it');
  if (!hasSecondPerson)
    throw new SecondPersonNeeded({ title: `Withdraw the change of the brand from ${dayInFull(row.validFrom!)}`, link: linkOf(changeId) });
  await change.note(noteOf(row));
  if (caller.approvedBy) {
    await change
      .updateTable('brandChange')
      .set({ endedBy: caller.loginId, endedWith: caller.approvedBy, endedAt: change.now })
      .where('brandChangeId', '=', row.brandChangeId)
      .execute();
    hearSoon(registry.profile);
  }
  return shown(change, changeId, registry);
}
