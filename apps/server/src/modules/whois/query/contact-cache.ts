import type { ClassName } from '@portal/rpsl';
import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import type { Shown } from './shown-object.ts';

/** Contacts kept in memory; beyond that the oldest go. */
const MOST = 50_000;

const CONTACTS = preparedQuery<Shown & { n: number }>(`
select a.n, o.object_id, o.class, o.key, o.shown, o.text
from unnest((select $1::int[]), (select $2::text[]), (select $3::text[])) as a(n, class, key)
cross join lateral (select object_id, class, key, shown, text from whois_object where class = a.class and key = a.key offset 0) o`);

const classesOf = (attribute: string): readonly ClassName[] =>
  attribute === 'mnt-irt' ? ['irt'] : attribute === 'org' ? ['organisation'] : ['role', 'person'];

const fetchContacts = inBatches(async (db: Database, asked: readonly { attribute: string; key: string }[]): Promise<(Shown | null)[]> => {
  const wanted = asked.flatMap(({ attribute, key }, n) => classesOf(attribute).map(name => ({ n, name, key })));
  const rows = await db.read.rows(
    CONTACTS(
      wanted.map(({ n }) => n),
      wanted.map(({ name }) => name),
      wanted.map(({ key }) => key),
    ),
  );
  const answers: (Shown | null)[] = asked.map(() => null);
  for (const row of rows) answers[row.n] = row;
  return answers;
});

type Cache = { generation: number; kept: Map<string, Shown | null>; watched: boolean };
const caches = new WeakMap<Database, Cache>();

/**
 * Keeps contacts in memory, which stand behind many objects each, until the database says that something in whois changed. What was read while it said
 * so is not kept, and nothing is while notifications do not arrive. Answers with how to stop.
 */
export async function keepContacts(db: Database): Promise<() => Promise<void>> {
  const cache: Cache = { generation: 0, kept: new Map(), watched: db.listening };
  const forget = (): void => {
    cache.generation++;
    cache.kept.clear();
  };
  const unwatch = db.onListening(listening => {
    cache.watched = listening;
    forget();
  });
  const unlisten = await db.listen('whois', forget);
  cache.watched = db.listening;
  caches.set(db, cache);
  return async () => {
    caches.delete(db);
    unwatch();
    await unlisten();
  };
}

/** The contact that is named in an attribute; null when there is none of that key. */
export function readContact(db: Database, attribute: string, key: string): Shown | null | Promise<Shown | null> {
  const cache = caches.get(db);
  if (!cache?.watched) return fetchContacts(db, { attribute, key });
  const name = `${classesOf(attribute)[0]} ${key}`;
  const kept = cache.kept.get(name);
  if (kept !== undefined) return kept;
  const { generation } = cache;
  return fetchContacts(db, { attribute, key }).then(contact => {
    if (generation === cache.generation && cache.watched) {
      if (cache.kept.size >= MOST) cache.kept.delete(cache.kept.keys().next().value!);
      cache.kept.set(name, contact);
    }
    return contact;
  });
}
