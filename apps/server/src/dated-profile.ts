import { AsyncLocalStorage } from 'node:async_hooks';
import { type BrandValueName, brandValueNames } from '@portal/contract/brand/brand-values';
import { type PolicyValueName, policyValueNames } from '@portal/contract/policy/policy-values';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Database, Read } from './platform/database/index.ts';
import { type Profile, profileGroups, profileValues } from './profile.ts';
import type { ProfileValue } from './profile-value.ts';

/** A value of the policy: a number, or an amount or share as decimal text. */
export type PolicyLeaf = number | string;

/** A confirmed change of one value. */
export type DatedValue = { name: PolicyValueName; value: PolicyLeaf; before: PolicyLeaf; beginsAt: string };

/** A value that changes without another file. */
type ValueName = PolicyValueName | BrandValueName;
/** A confirmed change of one value of the brand. */
export type BrandedValue = { name: BrandValueName; value: string; before: string; beginsAt: string };
type Valued = { name: ValueName; value: PolicyLeaf };

/** A process reads the changes again after so long, in ms, beside its work. They are confirmed an hour before their day at the latest, so it knows each in time. */
const READ_AGAIN_AFTER_MS = MINUTE_MS;
/** After so long without a read, in ms, an act waits for the next one: the hour would not be enough any more. */
const WAIT_AFTER_MS = 30 * MINUTE_MS;
/** After a read that failed the next one is tried so long later, in ms: an outage has no use for more waiting. */
const PAUSE_MS = 5 * SECOND_MS;

type Kind = Pick<ProfileValue<unknown>, 'kind' | 'read' | 'fields'>;

/** Returns how a value is read, such as `limitsAlone.given.account`: that of its row, or of a field of it. */
export function kindOf(name: ValueName): Kind {
  const parts = name.split('.');
  const group =
    parts[0]! in profileGroups ? (profileGroups[parts.shift() as keyof typeof profileGroups] as Record<string, Kind>) : undefined;
  let kind: Kind | undefined = (group ?? (profileValues as Record<string, Kind>))[parts.shift()!];
  for (const part of parts) kind = kind?.fields?.[part];
  if (!kind) throw new Error(`The profile has no value "${name}"`);
  return kind;
}

/** Returns a value of a profile. */
export const leafOf = (profile: Profile, name: ValueName): PolicyLeaf =>
  name.split('.').reduce<unknown>((object, part) => (object as Record<string, unknown>)[part], profile) as PolicyLeaf;

/** Returns an object with another value at a place; everything beside the place is shared. */
const withPart = (object: Record<string, unknown>, [part, ...rest]: string[], value: PolicyLeaf): Record<string, unknown> => ({
  ...object,
  [part!]: rest.length === 0 ? value : withPart(object[part!] as Record<string, unknown>, rest, value),
});

const known: ReadonlySet<string> = new Set([...policyValueNames, ...brandValueNames]);

/** Whether a row is a value that this version changes, within its bounds. Others have no effect, and `registry verify` names them. */
const isReadable = ({ name, value }: Valued): boolean => known.has(name) && kindOf(name).read(value) !== undefined;

/** Returns a profile with other values. What its file fixes stays, and a value that can’t be read changes nothing. */
export const withValues = (profile: Profile, values: readonly Valued[]): Profile =>
  values
    .filter(each => !profile.fixed.includes(each.name) && isReadable(each))
    .reduce<Record<string, unknown>>((changed, { name, value }) => withPart(changed, name.split('.'), value), profile) as Profile;

/** Reads the confirmed changes that were not withdrawn, in the order of their days. */
export const confirmedValues = (read: Pick<Read, 'rows'>): Promise<DatedValue[]> =>
  read.rows<DatedValue>(sql`select v.name, v.value, v.before, c.begins_at from policy_value v join policy_change c using (policy_change_id)
    where v.is_confirmed order by c.begins_at, v.policy_change_id, v.name`);

/** Reads the confirmed changes of the brand that were not withdrawn, in the order in which they begin. */
export const confirmedBrand = (read: Pick<Read, 'rows'>): Promise<BrandedValue[]> =>
  read.rows<BrandedValue>(sql`select v.key as name, v.value ->> 'after' as value, v.value ->> 'before' as before, c.begins_at
    from brand_change c cross join lateral jsonb_each(c.changed) v
    where c.confirmed_at is not null and c.ended_at is null order by c.begins_at, c.brand_change_id, v.key`);

/** PostgreSQL: a table doesn’t exist. */
const NO_TABLE = '42P01';

/** Reads all confirmed changes in one query, in the order in which they begin. A database of the release before has none of the brand. */
const confirmedChanges = (read: Pick<Read, 'rows'>): Promise<(DatedValue | BrandedValue)[]> =>
  read
    .rows<DatedValue | BrandedValue>(sql`
      select v.name, v.value, v.before, c.begins_at, v.policy_change_id as change_id
        from policy_value v join policy_change c using (policy_change_id) where v.is_confirmed
      union all select v.key, v.value -> 'after', v.value -> 'before', c.begins_at, c.brand_change_id
        from brand_change c cross join lateral jsonb_each(c.changed) v where c.confirmed_at is not null and c.ended_at is null
      order by begins_at, change_id, name`)
    .catch((error: unknown) => {
      if ((error as { code?: unknown }).code === NO_TABLE) return confirmedValues(read);
      throw error;
    });

const isOfPolicy = (value: DatedValue | BrandedValue): value is DatedValue => (policyValueNames as readonly string[]).includes(value.name);

/** Profiles as they are from an instant on, the earliest first: the first is the file's. */
type Time = { from: number; profile: Profile };
type Dated = {
  values: readonly (DatedValue | BrandedValue)[];
  times: Time[];
  readAt: { clock: number; machine: number } | null;
  reading: Promise<void> | null;
  /** The failure of the last read, and when it was, by the machine’s clock. */
  failed: { error: unknown; machine: number } | null;
  /** Until then, by the machine’s clock, each act waits for a read: this process has just confirmed a change that is in force immediately. */
  eagerUntil: number;
  /** The same, until a read has found other values than before: the change is committed. */
  awaitsUntil: number;
  /** How many reads began, and which of them was the last to be taken: one that began earlier knows less. */
  reads: { begun: number; taken: number };
};
const files = new WeakMap<Profile, Profile>();
const dated = new WeakMap<
  Profile,
  { state: Dated; clock: () => Date; db: Pick<Database, 'read'>; say: ((sentence: string) => void) | undefined }
>();

/** Returns a profile as its file has it. */
export const fileOf = (profile: Profile): Profile => files.get(profile) ?? profile;

/** Returns the profiles of all times. */
export function timesOf(file: Profile, values: readonly (Valued & { beginsAt: string })[]): Time[] {
  const times: Time[] = [{ from: Number.NEGATIVE_INFINITY, profile: file }];
  for (const value of values) {
    const last = times.at(-1)!;
    const from = Date.parse(value.beginsAt);
    const profile = withValues(last.profile, [value]);
    if (last.from === from) last.profile = profile;
    else times.push({ from, profile });
  }
  return times;
}

const at = (times: readonly Time[], now: Date): Profile => times.findLast(({ from }) => from <= now.getTime())!.profile;

/** Parts of the profile with a value that changes. */
const datedParts = [...new Set([...policyValueNames, ...brandValueNames].map(name => name.split('.')[0] as keyof Profile))];

/** Values of the brand that the answer to a request of a page shows instead: the preview of a prepared change. */
const previews = new AsyncLocalStorage<Partial<Record<BrandValueName, string>>>();

/** Has everything that follows from a call see other values of the brand: a preview. What a file fixes, and what can’t be read, stays. */
export const previewing = (profile: Profile, values: readonly { name: BrandValueName; value: string }[], call: () => void): void =>
  previews.run(
    Object.fromEntries(
      values.filter(each => !fileOf(profile).fixed.includes(each.name) && isReadable(each)).map(({ name, value }) => [name, value]),
    ),
    call,
  );

/**
 * Returns a profile whose dated values are those of the moment in which each is read. Before `readPolicy` they are those of the file. A value that is set is another one of the file.
 * @param given the profile as its file has it @param say writes a line, once, for each value that the file has otherwise than confirmed changes
 */
export function datedProfile(
  given: Profile,
  { db, clock, say }: { db: Pick<Database, 'read'>; clock: () => Date; say?: ((sentence: string) => void) | undefined },
): Profile {
  if (dated.has(given)) return given;
  const file = { ...given };
  const state: Dated = {
    values: [],
    times: timesOf(file, []),
    readAt: null,
    reading: null,
    failed: null,
    eagerUntil: 0,
    awaitsUntil: 0,
    reads: { begun: 0, taken: 0 },
  };
  const profile = { ...given };
  for (const part of datedParts)
    Object.defineProperty(profile, part, {
      enumerable: true,
      configurable: true,
      get: () => previews.getStore()?.[part as BrandValueName] ?? at(state.times, clock())[part],
      set: (value: never) => {
        file[part] = value;
        state.times = timesOf(file, state.values);
      },
    });
  dated.set(profile, { state, clock, db, say });
  files.set(profile, file);
  return profile;
}

/** Returns a profile as it is at an instant: the same for everything that an act reads. */
export function profileAt(profile: Profile, now: Date): Profile {
  const living = dated.get(profile);
  if (!living) return profile;
  const { times } = living.state;
  const values = at(times, now);
  const then = { ...profile };
  for (const part of datedParts) then[part] = values[part] as never;
  files.set(then, fileOf(profile));
  // Of it too, another time can be asked for.
  dated.set(then, living);
  return then;
}

/** Returns the values that change on a day as they are at an instant, of all times that the profile knows. For many instants, without a copy for each. */
export const valuesAt = (profile: Profile, instant: string | Date): Profile => {
  const living = dated.get(profile);
  return living ? at(living.state.times, new Date(instant)) : profile;
};

/** Returns the instants from which values of a profile are other ones, in their order, with the profile of each; the first is of all time before. */
export const timesIn = (profile: Profile): readonly { from: number; profile: Profile }[] =>
  dated.get(profile)?.state.times ?? [{ from: Number.NEGATIVE_INFINITY, profile }];

/** Says which values of the file have no effect because changes were confirmed, and which confirmed changes have none because the file fixes their value. */
export function fileAgainst(file: Profile, values: readonly DatedValue[]): string[] {
  const firsts = values.filter(
    ({ name }, place) => values.findIndex(each => each.name === name) === place && policyValueNames.includes(name),
  );
  return firsts.flatMap(({ name, before }) => {
    const inFile = leafOf(file, name);
    if (file.fixed.includes(name)) return [`The profile file fixes ${name} at ${inFile}: changes that two people confirmed have no effect`];
    return String(inFile) === String(before) || Number(inFile) === Number(before)
      ? []
      : [
          `The profile file has ${name} at ${inFile}, without effect: since it was ${before}, two people have changed it on the desk’s page Policy`,
        ];
  });
}

/**
 * Reads the confirmed changes where it is time for it: each minute, beside the work, because they are known an hour before they count. Returns what an act has to wait for: the
 * first read of a process, and one after half an hour without, or after the clock jumped; null where it has nothing to wait for. Before the first read nothing may be done:
 * the file’s values need not be those in force. After it, a failure is that of the database: what was read before still counts, and the next read is a pause later.
 */
export function readPolicy(profile: Profile): Promise<void> | null {
  const living = dated.get(profile);
  if (!living) return null;
  const { state, clock } = living;
  const [now, machine] = [clock().getTime(), performance.now()];
  const { readAt, failed } = state;
  const age = readAt === null ? Number.POSITIVE_INFINITY : machine - readAt.machine;
  const jumped = readAt !== null && Math.abs(now - readAt.clock - age) > READ_AGAIN_AFTER_MS;
  const eager = machine < Math.max(state.eagerUntil, state.awaitsUntil);
  if (age < READ_AGAIN_AFTER_MS && !jumped && !eager) return null;
  if (failed !== null && machine - failed.machine < PAUSE_MS) return readAt === null ? Promise.reject(failed.error) : null;
  // One that began before the change was confirmed doesn’t know it.
  if (eager) state.reading = null;
  state.reading ??= startRead(profile, living, { now, machine });
  if (readAt !== null && (failed !== null || (age < WAIT_AFTER_MS && !jumped && !eager))) return null;
  return state.reading;
}

type Living = NonNullable<ReturnType<typeof dated.get>>;

/** Reads the confirmed changes, and takes them unless a read that began later was taken before. */
function startRead(profile: Profile, { state, db, say }: Living, { now, machine }: { now: number; machine: number }): Promise<void> {
  const { reads } = state;
  const number = ++reads.begun;
  const reading: Promise<void> = confirmedChanges(db.read)
    .then(
      values => {
        if (number < reads.taken) return;
        reads.taken = number;
        if (state.readAt !== null && JSON.stringify(values) !== JSON.stringify(state.values)) state.awaitsUntil = 0;
        state.values = values;
        state.times = timesOf(fileOf(profile), values);
        if (state.readAt === null && say) for (const sentence of fileAgainst(fileOf(profile), values.filter(isOfPolicy))) say(sentence);
        state.readAt = { clock: now, machine };
        state.failed = null;
      },
      (error: unknown) => {
        state.failed = { error, machine: performance.now() };
        if (state.readAt === null) throw error;
      },
    )
    .finally(() => {
      if (state.reading === reading) state.reading = null;
    });
  return reading;
}

/** So long after a confirmation each act of this process waits for a read, in ms; and so long at most while no read has found it, because its commit is slow. */
const EAGER_MS = 5 * SECOND_MS;
const AWAITS_MS = MINUTE_MS;

/** Has this process read the changes again for each act of the next seconds: a change that it is about to commit is in force immediately. Others hear of it within a minute or so. */
export function hearSoon(profile: Profile): void {
  const living = dated.get(profile);
  if (!living) return;
  const now = performance.now();
  living.state.eagerUntil = now + EAGER_MS;
  living.state.awaitsUntil = now + AWAITS_MS;
}
