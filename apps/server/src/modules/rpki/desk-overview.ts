import { objectKinds, type RootAuthority, type RpkiOverview } from '@portal/contract/rpki/desk';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Read } from '../../platform/database/index.ts';
import { lastRound } from '../../platform/periodic-work.ts';
import type { Authority } from './authorities/authorities.ts';
import { poolSize } from './authorities/pool-size.ts';
import { isInModule } from './authorities/signer.ts';
import { countTroubled } from './repository/troubled-authorities.ts';
import { offlineMark } from './authorities/trust-anchor-messages.ts';
import { placesOf } from './places.ts';
import { rpkiAlarms } from './repository/alarms.ts';
import { isPublished } from './suspensions.ts';
import { type PublisherNotes, publisherRounds } from './publisher-rounds.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { rpkiDesk } from '@portal/contract/rpki/desk';

type Settings = Pick<Config, 'rpkiRsyncBase' | 'rpkiRrdpBase' | 'rpkiTrustAnchor' | 'rpkiKeyPool' | 'appUrl'>;

/** Returns the state of the registry's RPKI, for registry staff: only from the database, so that any process can answer. */
export async function getOverview({ read, registry: { config, now } }: Act<typeof rpkiDesk.getOverview>): Promise<RpkiOverview> {
  const roots = await rootAuthoritiesOf(read);
  const rootOf = (kind: Authority['kind']): Root | undefined => roots.find(root => root.kind === kind);
  const { rsync, notification } = placesOf(config);
  const [awaited] = await read.rows<{ since: string | null }>(
    sql`select response_awaited_since as since from rpki_ca where kind = 'trust-anchor'`,
  );
  const [published] = await read.rows<{ anchors: Authority['kind'][] }>(sql`select coalesce(array_agg(c.kind), '{}') as anchors
    from rpki_object o join rpki_key k using (key_id) join rpki_ca c using (ca_id) where o.kind = 'trust-anchor'`);
  const isPublished = (kind: Authority['kind']): boolean => published!.anchors.includes(kind);
  const troubled = await countTroubled(read, now);
  return {
    alarms: await rpkiAlarms(read, now),
    trustAnchor: {
      setting: config.rpkiTrustAnchor,
      authority: rootOf('trust-anchor')?.authority ?? null,
      responseAwaitedSince: awaited?.since ?? null,
      locator: isPublished('trust-anchor') ? `${config.appUrl}/rpki/registry.tal` : null,
      as0Locator: isPublished('as0') ? `${config.appUrl}/rpki/as0.tal` : null,
    },
    registry: rootOf('registry')?.authority ?? null,
    publication: { ...(await publicationOf(read)), notification, rsync },
    keys: await keysReady(read, config),
    members: { ...(await membersByState(read)), attention: troubled.reduce((sum, { count }) => sum + count, 0) },
  };
}

type Root = { kind: Authority['kind']; authority: RootAuthority };

async function rootAuthoritiesOf(read: Pick<Read, 'rows'>): Promise<Root[]> {
  const rows = await read.rows<{
    kind: Authority['kind'];
    keyIdentifier: string;
    sealedPrivate: Buffer;
    notBefore: string | null;
    notAfter: string | null;
    resources: string[];
    number: number | null;
    thisUpdate: string | null;
    nextUpdate: string | null;
  }>(sql`select c.kind, k.key_identifier, k.sealed_private, k.not_before, k.not_after, k.resources, m.number, m.this_update, m.next_update
    from rpki_ca c join rpki_key k using (ca_id) left join rpki_manifest m using (key_id)
    where c.kind in ('trust-anchor', 'registry') and k.state = 'current'`);
  return rows.map(({ kind, keyIdentifier, sealedPrivate, notBefore, notAfter, resources, number, thisUpdate, nextUpdate }) => ({
    kind,
    authority: {
      keyIdentifier,
      keyPlace: sealedPrivate.equals(Buffer.from(offlineMark)) ? 'offline' : isInModule(sealedPrivate) ? 'module' : 'here',
      certificate: notBefore === null || notAfter === null ? null : { notBefore, notAfter, resources },
      manifest: number === null ? null : { number, thisUpdate: thisUpdate!, nextUpdate: nextUpdate! },
    },
  }));
}

type Publication = RpkiOverview['publication'];

async function publicationOf(read: Pick<Read, 'rows'>): Promise<Omit<Publication, 'notification' | 'rsync'>> {
  const [session] = await read.rows<NonNullable<Publication['session']>>(
    sql`select session_id, begun_at, reason, serial, published_at from rrdp_session where ended_at is null`,
  );
  const counted = await read.rows<{ kind: string; count: number }>(
    sql`select kind, count(*)::int as count from rpki_object where kind <> 'trust-anchor' group by kind`,
  );
  const [manifests] = await read.rows<{ count: number }>(
    sql`select count(*)::int as count from rpki_manifest m join rpki_key k using (key_id) where k.state <> 'destroyed' and k.certificate is not null`,
  );
  const [next] = await read.rows<NonNullable<Publication['manifests']['next']>>(sql`select c.kind as of, c.account_name, m.next_update
    from rpki_manifest m join rpki_key k using (key_id) join rpki_ca c using (ca_id) where k.state <> 'destroyed' and k.certificate is not null
    order by m.next_update limit 1`);
  const [waiting] = await read.rows<
    Publication['waiting']
  >(sql`select count(distinct account_name)::int as accounts, min(noticed_at) as since,
    (select count(*)::int from rpki_message where answer is null) as messages from rpki_due`);
  const round = await lastRound(read, publisherRounds);
  const tree = (round?.noted as PublisherNotes | null | undefined)?.tree ?? null;
  return {
    session: session ?? null,
    tree: tree && { serial: tree.serial, isPresent: tree.serial === session?.serial },
    objects: objectKinds.flatMap(kind => {
      const found = counted.find(each => each.kind === kind);
      return found ? [{ kind, count: found.count }] : [];
    }),
    manifests: { count: manifests!.count, next: next ?? null },
    waiting: waiting!,
    publisher: round && { succeededAt: round.succeededAt, failedAt: round.failedAt, failure: round.failure },
  };
}

async function keysReady(read: Pick<Read, 'rows'>, { rpkiKeyPool }: Settings): Promise<RpkiOverview['keys']> {
  const [pool] = await read.rows<{ ready: number }>(sql`select count(*)::int as ready from rpki_one_time_key`);
  return { ready: pool!.ready, wanted: await poolSize(read, rpkiKeyPool) };
}

/** Authorities of members by state. Suspended: enabled, but nothing is published, because the account is suspended or holds nothing. */
async function membersByState(read: Pick<Read, 'rows'>): Promise<Omit<RpkiOverview['members'], 'attention'>> {
  const [row] = await read.rows<Omit<RpkiOverview['members'], 'attention'>>(sql`with hosted as materialized (
      select c.ca_id, c.rollover_requested_at, not ${isPublished} or (c.ca_id not in (select k.ca_id from rpki_key k where k.certificate is not null)
        and c.account_name not in (select d.account_name from rpki_due d)) as is_suspended
      from rpki_ca c join account a using (account_name) where c.kind = 'member' and c.state = 'active')
    select count(*) filter (where not is_suspended)::int as hosted, count(*) filter (where is_suspended)::int as suspended,
      count(*) filter (where not is_suspended and (exists (select from rpki_key k where k.ca_id = h.ca_id and k.state in ('new', 'old'))
        or (rollover_requested_at is not null and not exists (select from rpki_key k where k.ca_id = h.ca_id and k.created_at >= h.rollover_requested_at))))::int as rollover,
      (select count(*)::int from rpki_child where state = 'active') as self_hosted
    from hosted h`);
  return row!;
}
