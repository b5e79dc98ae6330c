import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { columnsOfObject, keysOf, objectOfRow, referencesOf } from '../store/object-facts.ts';
import type { StoredObject } from '../store/update.ts';

type Stored = StoredObject & ReturnType<typeof columnsOfObject> & { keys: string[]; references: string[] };

/**
 * Verifies the whois database: the journal has every serial and version, each object matches its last journal line, and its indexes match its text.
 * Returns the number of objects, and the first problems, a sentence each.
 */
export async function verifyWhois(read: Read, most = 20): Promise<{ objects: number; problems: string[] }> {
  const problems: string[] = [];
  const gaps = await read.rows<{ after: number; next: number }>(sql`
    select last as after, serial as next from (select serial, lag(serial, 1, 0::bigint) over (order by serial) as last from whois_journal) j
    where serial <> last + 1 order by serial limit ${most}`);
  for (const { after, next } of gaps) problems.push(`The whois journal has a gap: after serial ${after} comes ${next}.`);
  const [cut] = await read.rows<{ isWhole: boolean | null; last: number | null; lines: number | null; ends: number; there: number }>(sql`
    select e.digest = log_end_digest(e.log, e.lines, e.last, e.hash) as is_whole, e.last, e.lines, j.ends, j.there
    from (select coalesce(max(serial), 0) as ends, count(*)::int as there from whois_journal) j left join log_end e on e.log = 'whois_journal'`);
  if (cut!.last === null && cut!.there > 0) problems.push('The record of the end of the whois journal is gone.');
  else if (cut!.isWhole === false) problems.push('The record of the end of the whois journal is not what was written down.');
  else if (cut!.last !== null && (Number(cut!.last) !== Number(cut!.ends) || Number(cut!.lines) !== cut!.there))
    problems.push(
      `The whois journal was cut off: it has ${cut!.there} lines up to serial ${cut!.ends}, and ${cut!.lines} up to ${cut!.last} were written.`,
    );
  const altered = await read.rows<{ serial: number }>(sql`
    select serial from whois_journal j where digest is distinct from journal_digest(j) order by serial limit ${most}`);
  for (const { serial } of altered) problems.push(`The line of the whois journal with serial ${serial} is not what was written down.`);
  const versions = await read.rows<{ class: string; key: string; version: number }>(sql`
    select class, key, version from (select class, key, version, serial,
      lag(version, 1, 0) over (partition by class, key order by serial) as last from whois_journal) j
    where version <> last + 1 order by serial limit ${most}`);
  for (const { class: objectClass, key, version } of versions)
    problems.push(`The whois journal of ${objectClass} ${key} lacks the version before ${version}.`);
  const differing = await read.rows<{ class: string; key: string; there: boolean; says: string | null }>(sql`
    select coalesce(o.class, j.class) as class, coalesce(o.key, j.key) as key, o.object_id is not null as there, j.operation as says
    from whois_object o full join (select distinct on (class, key) * from whois_journal order by class, key, serial desc) j
      on j.class = o.class and j.key = o.key
    where case when o.object_id is null then j.operation = 'ADD'
      else j.operation is distinct from 'ADD' or o.text <> j.text or o.version <> j.version or o.shown <> j.shown end
    order by 1, 2 limit ${most}`);
  for (const { class: objectClass, key, there, says } of differing) {
    const which = `The whois object ${objectClass} ${key}`;
    if (!there) problems.push(`${which} is gone, and the journal does not say so.`);
    else if (says !== 'ADD') problems.push(`${which} is there, and the journal does not say so.`);
    else problems.push(`${which} is not what the journal says it became.`);
  }
  let objects = 0;
  const all = read.stream<Stored>(sql`select o.*, array(select key from whois_key k where k.object_id = o.object_id) as keys,
    array(select attribute || ' ' || value from whois_reference r where r.object_id = o.object_id) as "references" from whois_object o order by o.object_id`);
  for await (const batch of all)
    for (const row of batch) {
      objects++;
      const wrong = problems.length < 3 * most ? wrongIn(row) : null;
      if (wrong !== null) problems.push(`The whois object ${row.class} ${row.key} is not found by what its text says: ${wrong}.`);
    }
  const [lost] = await read.rows<{ keys: number; references: number }>(sql`select
    (select count(*) from whois_key k where not exists (select from whois_object o where o.object_id = k.object_id)) as keys,
    (select count(*) from whois_reference r where not exists (select from whois_object o where o.object_id = r.object_id)) as "references"`);
  if (lost && (lost.keys > 0 || lost.references > 0))
    problems.push(`${lost.keys} whois keys and ${lost.references} references are of objects that do not exist.`);
  return { objects, problems };
}

/** Returns which of an object's columns and rows don't match its text; null if all do. */
function wrongIn(row: Stored): string | null {
  const object = objectOfRow(row);
  const facts = columnsOfObject(object);
  const column = (Object.keys(facts) as (keyof typeof facts)[]).find(name => `${facts[name] ?? ''}` !== `${row[name] ?? ''}`);
  if (column !== undefined) return column;
  const same = (a: readonly string[], b: readonly string[]): boolean => a.toSorted().join('\n') === b.toSorted().join('\n');
  if (!same(keysOf(object, row.key), row.keys)) return 'its keys';
  const references = referencesOf(object).map(({ attribute, value }) => `${attribute} ${value}`);
  return same(references, row.references) ? null : 'its references';
}
