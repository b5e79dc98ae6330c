import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { formatObject, objectOf, parseObject } from '@portal/rpsl';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { actOverLocks } from '../../resources/index.ts';
import { errorsOf, findObjects, submit } from '../../whois/index.ts';
import { findDelegatedZone } from '../domain-objects.ts';
import { holderOfZone, notifyZoneContacts } from './zone-notices.ts';
import { reverseDnsTexts } from '../mail-texts.ts';

/** The DS records already match, or can't be changed: the change is rolled back. `why`: the reason if whois refused the records. */
class NotFollowed extends Error {
  readonly why: string | null;
  constructor(why: string | null = null) {
    super(why ?? 'not followed');
    this.why = why;
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  [...one]
    .map(each => each.toUpperCase())
    .toSorted()
    .join() ===
  [...other]
    .map(each => each.toUpperCase())
    .toSorted()
    .join();

/** The text of a domain object with other DS records, placed after its name servers. */
function withDs(text: string, ds: readonly string[]): string {
  const { object } = parseObject(text);
  if (!object) throw new NotFollowed();
  const kept = object.attributes.filter(({ name }) => name !== 'ds-rdata' && name !== 'last-modified');
  const last = kept.findLastIndex(({ name }) => name === 'nserver');
  const pairs = kept.flatMap(({ name, value }, index): [string, string][] => [
    [name, value],
    ...(index === last ? ds.map((each): [string, string] => ['ds-rdata', each]) : []),
  ]);
  return formatObject(objectOf(pairs));
}

/**
 * Changes the DS records of a delegated zone to those that it asks for with CDS or CDNSKEY (RFC 7344, RFC 8078 section 4), or removes them. Only for
 * zones that already have a DS: the CDS is signed with one of its keys on every server (`cdsSince` of the report), the new records match a signing
 * key, and the CDS is newer than the last one followed. The object is written through whois; the contacts are notified. Returns whether anything changed.
 */
export async function followCds(db: Database, zone: string, { ds, cds, cdsSince }: CheckReport, profile: Profile): Promise<boolean> {
  if (!profile.followCds || ds.length === 0 || cds.length === 0 || !cdsSince) return false;
  const wanted = cds.length === 1 && cds[0] === '0 0 0 00' ? [] : cds;
  if (isSame(ds, wanted)) return false;
  const holder = await holderOfZone(db.read, zone);
  try {
    await db.change(ownActivity('reverseDns.followCds', 'Changed DS records as the zone asks', holder ?? undefined), change =>
      follow(change, { zone, ds, wanted, cdsSince, holder, profile }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof NotFollowed)) throw error;
    if (error.why !== null) await notifyWhyNot(db, { zone, wanted, holder, why: error.why });
    return false;
  }
}

/** Notifies the contacts of records that whois refused, once per CDS and reason, because every check sees them. */
async function notifyWhyNot(
  db: Database,
  { zone, wanted, holder, why }: Pick<Wish, 'zone' | 'wanted' | 'holder'> & { why: string },
): Promise<void> {
  const action = 'reverseDns.refuseCds';
  const details = { zone, wanted, why };
  const [known] = await db.read.rows(
    sql`select 1 from activity where account_name is not distinct from ${holder} and action = ${action} and details @> ${JSON.stringify(details)}::jsonb limit 1`,
  );
  if (known) return;
  await db.change(ownActivity(action, 'Did not store the DS records that the zone asks for', holder ?? undefined), async change => {
    await change.note(details);
    await notifyZoneContacts(change, zone, holder, reverseDnsTexts.written('dsNotChanged', { zone, why }));
  });
}

type Wish = { zone: string; ds: readonly string[]; wanted: readonly string[]; cdsSince: string; holder: string | null; profile: Profile };

/** @throws NotFollowed */
async function follow(change: Change, { zone, ds, wanted, cdsSince, holder, profile }: Wish): Promise<void> {
  const own = await findDelegatedZone(change, zone);
  const [object] = await findObjects(change, [{ class: 'domain', key: zone }]);
  const [before] = await change.selectFrom('rdnsZone').select('cdsSince').where('zone', '=', zone).forUpdate().execute();
  if (!own || !object || !isSame(own.ds, ds) || (before?.cdsSince && Date.parse(before.cdsSince) >= Date.parse(cdsSince)))
    throw new NotFollowed();
  const update = { operation: 'modify' as const, text: withDs(object.text, wanted), expectedVersion: own.version };
  const credentials = {
    maintainers: new Set<string>(),
    holder: null,
    mayWriteDomains: true,
    registry: true,
    who: `${profile.registryName}, as ${zone} asks with CDS records`,
  };
  await actOverLocks(change, 'delegationSigner');
  const [outcome] = await submit(change, [update], { credentials, mode: 'atomic', profile });
  if (outcome?.state !== 'ok') throw new NotFollowed(outcome ? errorsOf(outcome) : null);
  await change.rows(sql`update rdns_zone set cds_since = ${cdsSince}::timestamptz where zone = ${zone}`);
  await change.note({ zone, before: { ds }, after: { ds: wanted } });
  await notifyZoneContacts(
    change,
    zone,
    holder,
    reverseDnsTexts.written('dsFollowed', {
      howMany: wanted.length === 0 ? `${zone}: DS removed` : `${zone}: DS changed`,
      asksWithIts:
        wanted.length === 0
          ? `${zone} asks with its CDS records to have no DS. Its DS records are removed, and resolvers no longer validate it.`
          : `${zone} asks with its CDS records for other DS records: ${wanted.join('; ')}. They replace ${ds.join('; ')}.`,
    }),
  );
}
