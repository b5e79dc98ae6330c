import { sql } from 'kysely';
import { type Database, ownActivity } from '../../../platform/database/index.ts';
import { DS_TTL, NS_TTL, recordProblem } from './delegation-records.ts';

/** The published records of another registry below a parent zone, and the zones they delegate. */
type Fragment = { records: string[]; delegated: Set<string> };
type FragmentReading = Fragment & { problem: string | null };

/** Digits of a digest may have blanks between. */
const dsData = ([tag = '', algorithm = '', type = '', ...digits]: readonly string[]): string =>
  `${tag} ${algorithm} ${type} ${digits.join('').toUpperCase()}`;

/** The names above a name, nearest first, up to a parent zone. */
function namesAbove(name: string, parent: string): string[] {
  const above: string[] = [];
  for (let rest = name.slice(name.indexOf('.') + 1); rest.length > parent.length; rest = rest.slice(rest.indexOf('.') + 1))
    above.push(rest);
  return above;
}

/** A TTL in seconds or with units, and the class, in either order (RFC 1035, section 5.1). */
const ttl = String.raw`(?:\d{1,9}|(?:\d{1,7}[smhdw])+)`;
const ttlAndClass = new RegExp(`^(?:${ttl}(?: IN)?|IN(?: ${ttl})?)?$`, 'i');

/**
 * Reads the delegations of another registry below a parent zone, a record a line: NS and DS of the zones, A and AAAA of servers inside them. The
 * first problem is reported with its line: a fragment that breaks the zone would take down every delegation.
 */
function readFragment(text: string, parent: string): FragmentReading {
  const records: string[] = [];
  const owners = { NS: new Set<string>(), DS: new Set<string>(), A: new Set<string>(), AAAA: new Set<string>() };
  const refused = (problem: string): FragmentReading => ({ records: [], delegated: new Set(), problem });
  for (const [index, given] of text.split(/\r\n|[\r\n]/).entries()) {
    const words = given.replace(/;.*$/, '').split(/\s+/).filter(Boolean);
    if (words.length === 0) continue;
    const [owner = '', ...rest] = words;
    const place = rest.findIndex(word => /^(?:NS|DS|A|AAAA)$/i.test(word));
    const name = owner.toLowerCase().replace(/\.$/, '');
    if (place < 0 || !name.endsWith(`.${parent}`) || !/^[a-z0-9_.-]+$/.test(name))
      return refused(`Line ${index + 1} isn’t an NS, DS, A or AAAA record with a full name below ${parent}.`);
    const between = rest.slice(0, place).join(' ');
    if (!ttlAndClass.test(between))
      return refused(
        `Line ${index + 1}: “${between.slice(0, 120)}” is neither a TTL nor a class. Write such as “${name}. 3600 IN NS ns1.example.net.”`,
      );
    const kind = rest[place]!.toUpperCase() as keyof typeof owners;
    const data = rest.slice(place + 1).map(word => (kind === 'NS' ? `${word.toLowerCase().replace(/\.$/, '')}.` : word));
    const record = `${name}. ${kind === 'DS' ? DS_TTL : NS_TTL} IN ${kind} ${kind === 'DS' ? dsData(data) : data.join(' ')}`;
    const wrong = recordProblem(record);
    if (wrong !== null) return refused(`Line ${index + 1}: ${wrong}.`);
    owners[kind].add(name);
    records.push(`${record}\n`);
  }
  const delegated = owners.NS;
  const isInside = (name: string): boolean => [name, ...namesAbove(name, parent)].some(each => delegated.has(each));
  for (const name of owners.DS) if (!delegated.has(name)) return refused(`${name} has DS records and no NS record.`);
  for (const name of [...owners.A, ...owners.AAAA])
    if (!isInside(name)) return refused(`${name} has an address and is not in a zone that the file delegates.`);
  for (const name of delegated) {
    const above = namesAbove(name, parent).find(each => delegated.has(each));
    if (above !== undefined)
      return refused(
        `${name} is below ${above}, which is delegated in the same file: no resolver would ask for it here. Delegate it in ${above}.`,
      );
  }
  return { records, delegated, problem: null };
}

/** Returns a pair of names, one of each side, of which one equals or is below the other, or null. */
function overlapOf(mine: ReadonlySet<string>, others: ReadonlySet<string>, parent: string): { own: string; other: string } | null {
  for (const own of mine) for (const other of [own, ...namesAbove(own, parent)]) if (others.has(other)) return { own, other };
  for (const other of others) for (const own of namesAbove(other, parent)) if (mine.has(own)) return { own, other };
  return null;
}

/** Describes which of two nested delegations hides the other. */
const overlapWords = ({ own, other }: { own: string; other: string }, by: string): string =>
  own.length > other.length ? `${own} is below ${other}, which ${by}` : `${own} is above ${other}, which ${by}`;

/**
 * Replaces what another registry has in a parent zone. Returns how many records it has, or the problem of the first invalid one: a record, or a zone
 * that conflicts with another delegation.
 */
export async function importFragment(
  db: Database,
  { source, parent, text }: { source: string; parent: string; text: string },
): Promise<{ records: number; problem: string | null }> {
  const { records, delegated, problem } = readFragment(text, parent);
  const refused = (why: string): { records: number; problem: string } => ({ records: 0, problem: why });
  if (problem !== null) return refused(problem);
  const keys = await db.read.rows<{ key: string }>(
    sql`select key from whois_object where class = 'domain' and key like ${`%.${parent}`} order by key`,
  );
  const member = overlapOf(delegated, new Set(keys.map(({ key }) => key)), parent);
  if (member !== null)
    return refused(
      member.own === member.other
        ? `${member.own} is delegated by a domain object. Delete one of both, or two registries answer for it.`
        : `${overlapWords(member, 'is delegated by a domain object')}. Only the upper one would be answered.`,
    );
  const others = await db.read
    .selectFrom('rdnsFragment')
    .select(['source', 'text'])
    .where('parent', '=', parent)
    .where('source', '<>', source)
    .orderBy('source')
    .execute();
  for (const other of others) {
    const theirs = new Set(other.text.split('\n').flatMap(line => (/ IN NS /.exec(line) ? [line.slice(0, line.indexOf('. '))] : [])));
    const overlap = overlapOf(delegated, theirs, parent);
    if (overlap !== null)
      return refused(
        overlap.own === overlap.other
          ? `${other.source} delegates some of these zones already.`
          : `${overlapWords(overlap, `${other.source} delegates`)}. Only the upper one would be answered.`,
      );
  }
  await db.change(ownActivity('reverseDns.importFragment', `Imported delegations of ${source}`), change =>
    change.rows(sql`insert into rdns_fragment (source, parent, text, imported_at) values (${source}, ${parent}, ${records.join('')}, ${change.now}::timestamptz)
      on conflict (source, parent) do update set text = excluded.text, imported_at = excluded.imported_at`),
  );
  return { records: records.length, problem: null };
}
