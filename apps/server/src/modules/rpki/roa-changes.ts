import type { BodyOf } from '@portal/contract';
import { maxRoas, type NewRoa, type rpki } from '@portal/contract/rpki/rpki';
import {
  addressBits,
  containsResource,
  coveringPlaces,
  findSpecialAs,
  formatCount,
  parseAsNumber,
  parsePrefix,
  printAsNumber,
  printPrefix,
  type ResourceSet,
  ResourceSyntaxError,
} from '@portal/number-resources';
import { sql } from 'kysely';
import { type Breathe, breathing } from '../../platform/breathing.ts';
import { inPages, PAGE_ROWS, type Read } from '../../platform/database/index.ts';
import { indexInTurns } from './announcement-effect.ts';
import { delegatedAsNumbers, holdingsOf, lockedPartsMeeting, pooledAsNumbers } from '../resources/index.ts';

/** A stored ROA. */
export type RoaFacts = { prefix: string; asn: number; maxLength: number; comment: string };
/** A ROA that a member wants published, with its id. */
export type KeptRoa = RoaFacts & { roaId: string; createdAt: string };

/** `AS64500 192.0.2.0/24-25`: a ROA in the activity log and in mail. */
export const printRoa = ({ prefix, asn, maxLength }: Pick<RoaFacts, 'prefix' | 'asn' | 'maxLength'>): string =>
  `${printAsNumber(asn)} ${prefix}${maxLength === Number(prefix.split('/')[1]) ? '' : `-${maxLength}`}`;

type Problem = { list: 'add' | 'remove'; index: number; field: string | null; problem: string };
/** Additions and removals, checked entry by entry. */
export type CheckedRoaChanges = {
  problems: Problem[];
  additions: (RoaFacts & { index: number; warning: string | null })[];
  removals: KeptRoa[];
};

/** All ROAs of an account, in the order of their prefixes. */
export const keptRoas = (read: Pick<Read, 'rows'>, accountName: string): Promise<KeptRoa[]> =>
  inPages(after =>
    read.rows<KeptRoa>(sql`select roa_id::text, prefix::text, asn, max_length, comment, created_at from roa
      where account_name = ${accountName} ${after === null ? sql`` : sql`and (roa.prefix, asn) > (${after.prefix}::cidr, ${after.asn})`}
      order by roa.prefix, asn limit ${PAGE_ROWS}`),
  );

const keyOf = ({ prefix, asn }: Pick<RoaFacts, 'prefix' | 'asn'>): string => `${prefix} ${asn}`;

/**
 * Checks changes against the account's holdings and ROAs. A ROA needs no consent of the AS: only the holder of the addresses signs (RFC 9582). AS
 * numbers that can't be used on the internet are refused, unless they are delegated in the ledger.
 */
export async function checkRoaChanges(
  read: Pick<Read, 'rows'>,
  accountName: string,
  { add, remove }: BodyOf<typeof rpki.checkRoas>,
): Promise<CheckedRoaChanges> {
  const held = (await holdingsOf(read, [accountName])).get(accountName)!;
  const kept = await keptRoas(read, accountName);
  const byId = new Map(kept.map(roa => [roa.roaId, roa]));
  const checked: CheckedRoaChanges = { problems: [], additions: [], removals: [] };
  const removed = new Set<string>();
  for (const [index, roaId] of remove.entries()) {
    const roa = byId.get(roaId);
    if (!roa) checked.problems.push({ list: 'remove', index, field: null, problem: 'This ROA does not exist any more' });
    else if (removed.has(roaId)) checked.problems.push({ list: 'remove', index, field: null, problem: 'This ROA is listed twice' });
    else checked.removals.push(roa);
    removed.add(roaId);
  }
  const there = new Map(kept.filter(({ roaId }) => !removed.has(roaId)).map(roa => [keyOf(roa), roa]));
  const breathe = breathing();
  const read1: ({ index: number } & ReturnType<typeof readEntry>)[] = [];
  for (const [index, entry] of add.entries()) {
    read1.push({ index, ...readEntry(entry, held) });
    await breathe();
  }
  const asNumbers = read1.flatMap(({ facts }) => (facts ? [facts.asn] : []));
  const pooled = await pooledAsNumbers(read, asNumbers);
  const delegated = await delegatedAsNumbers(read, asNumbers.filter(findSpecialAs));
  for (const { index, facts, problems } of read1) {
    await breathe();
    checked.problems.push(...problems.map(([field, problem]): Problem => ({ list: 'add', index, field, problem })));
    if (!facts) continue;
    const reason = asNumberProblem(facts.asn, { pooled, delegated });
    if (reason !== null) {
      checked.problems.push({ list: 'add', index, field: 'asn', problem: reason });
      continue;
    }
    const other = there.get(keyOf(facts));
    if (other) {
      checked.problems.push({ list: 'add', index, field: 'prefix', problem: duplicateProblem(facts, other) });
      continue;
    }
    there.set(keyOf(facts), { ...facts, roaId: '', createdAt: '' });
    checked.additions.push({ index, ...facts, warning: warningOf(facts) });
  }
  await warnOfIdleAs0(checked.additions, [...there.values()], breathe);
  await breathe();
  await findLockedRoas(read, checked, remove);
  if (kept.length - checked.removals.length + checked.additions.length > maxRoas)
    checked.problems.push({ list: 'add', index: 0, field: null, problem: `An account can have ${formatCount(maxRoas)} ROAs` });
  return checked;
}

/** Prefixes looked up in one turn: to write them out for the database takes its time. */
const LOOKED_UP = 100;

/** Adds a problem for each ROA over numbers that a request is moving: what the other party confirmed stays until it is decided. */
async function findLockedRoas(
  read: Pick<Read, 'rows'>,
  { problems, additions, removals }: CheckedRoaChanges,
  remove: readonly string[],
): Promise<void> {
  const places = new Map(remove.map((roaId, place) => [roaId, place]));
  const entries = [
    ...additions.map(({ prefix, index }) => ({ prefix, list: 'add' as const, index, field: 'prefix' })),
    ...removals.map(({ prefix, roaId }) => ({ prefix, list: 'remove' as const, index: places.get(roaId)!, field: null })),
  ];
  for (let at = 0; at < entries.length; at += LOOKED_UP) {
    const some = entries.slice(at, at + LOOKED_UP);
    const parts = await lockedPartsMeeting(
      read,
      some.map(({ prefix }) => parsePrefix(prefix)),
      { fixed: true },
    );
    for (const [place, { prefix: _prefix, ...entry }] of some.entries()) {
      const part = parts[place];
      if (part)
        problems.push({
          ...entry,
          problem: `${part.resource} is locked by ${part.reference}, so ROAs over it stay as they are until that is decided`,
        });
    }
  }
}

/** Parses one entry independently of the others. Returns its facts, or the problem of each field. */
function readEntry(entry: NewRoa, held: ResourceSet): { facts: RoaFacts | null; problems: [field: string, problem: string][] } {
  const problems: [string, string][] = [];
  const attempt = <Value>(field: string, parse: () => Value): Value | null => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
      problems.push([field, error.message]);
      return null;
    }
  };
  const prefix = attempt('prefix', () => parsePrefix(entry.prefix));
  const asn = attempt('asn', () => parseAsNumber(entry.asn));
  if (prefix && !containsResource(held, prefix))
    problems.push(['prefix', `${printPrefix(prefix)} is not inside a delegation of this account`]);
  const maxLength = entry.maxLength ?? prefix?.length ?? 0;
  const longest = prefix ? addressBits(prefix.family) : 0;
  if (prefix && (maxLength < prefix.length || maxLength > longest))
    problems.push(['maxLength', `The maximum length of ${printPrefix(prefix)} is ${prefix.length} to ${longest}`]);
  if (prefix === null || asn === null || problems.length > 0) return { facts: null, problems };
  return { facts: { prefix: printPrefix(prefix), asn, maxLength, comment: entry.comment }, problems };
}

type KnownNumbers = { pooled: ReadonlySet<number>; delegated: ReadonlySet<number> };

/** Why an AS number can't originate anything; null if it can. AS0 means no AS at all. */
function asNumberProblem(asn: number, { pooled, delegated }: KnownNumbers): string | null {
  if (asn === 0 || delegated.has(asn)) return null;
  const special = findSpecialAs(asn);
  if (special && special.use !== 'anycast')
    return `${printAsNumber(asn)} is set aside (${special.name}, ${special.source}) and can’t originate routes on the internet`;
  return pooled.has(asn) ? `${printAsNumber(asn)} is not delegated to anyone` : null;
}

function duplicateProblem(facts: RoaFacts, other: RoaFacts): string {
  const name = `${facts.prefix} and ${printAsNumber(facts.asn)}`;
  return other.maxLength === facts.maxLength
    ? `There is a ROA for ${name} already`
    : `There is a ROA for ${name} already, with the maximum length ${other.maxLength}. Remove it in the same change to replace it`;
}

/**
 * Warns of each ROA for AS0 that has no effect: where a ROA for a real AS also covers the prefix, that one decides (RFC 6483, 4). Each looks at the prefixes around it, for
 * there may be thousands of both.
 */
async function warnOfIdleAs0(additions: CheckedRoaChanges['additions'], all: readonly RoaFacts[], breathe: Breathe): Promise<void> {
  const idle = additions.filter(({ asn, warning }) => asn === 0 && warning === null);
  if (idle.length === 0) return;
  const real = all.filter(({ asn }) => asn !== 0);
  const around = await indexInTurns(real, breathe);
  const places = await indexInTurns(idle, breathe);
  const inside = new Map<readonly RoaFacts[], RoaFacts>();
  for (const roa of real) {
    for (const place of coveringPlaces(places, parsePrefix(roa.prefix))) if (!inside.has(place)) inside.set(place, roa);
    await breathe();
  }
  for (const addition of idle) {
    const prefix = parsePrefix(addition.prefix);
    const found = coveringPlaces(around, prefix)[0]?.[0] ?? inside.get(coveringPlaces(places, prefix).at(-1)!);
    if (found) addition.warning = `Has no effect on what ROA ${printRoa(found)} covers, because that one authorises an AS (RFC 6483)`;
    await breathe();
  }
}

/** Returns a warning about a ROA; null if there is none. */
function warningOf({ prefix, maxLength }: RoaFacts): string | null {
  const { family, length } = parsePrefix(prefix);
  const usual = family === 'ipv4' ? 24 : 48;
  if (maxLength > length)
    return `Also authorises every more specific announcement down to /${maxLength}, which others can forge with your AS number. List the prefixes you announce instead (RFC 9319)`;
  return length > usual ? `Most networks ignore announcements longer than /${usual}` : null;
}
