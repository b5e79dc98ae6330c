import type { ReverseZone } from '@portal/contract/reverse-dns/reverse-dns';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { DelegatedZone } from './domain-objects.ts';

/** Results of checks and publication of a delegated zone. `dnssec` null: not checked. */
export type ZoneFacts = Pick<ReverseZone, 'state' | 'checkedAt' | 'checkId' | 'problem' | 'signaturesEnd' | 'lame' | 'sinceSerial'> & {
  dnssec: ReverseZone['dnssec'] | null;
};

export const noFacts: ZoneFacts = {
  state: 'unchecked',
  checkedAt: null,
  checkId: null,
  problem: null,
  signaturesEnd: null,
  lame: [],
  sinceSerial: null,
  dnssec: null,
};

type Row = Omit<ZoneFacts, 'state'> & { zone: string; state: ZoneFacts['state'] | null; publishedVersion: number | null };

/** Returns the last results for these zones by name; zones without results are left out. A check from before the last change of the object doesn't count. */
export async function zoneFacts(read: Pick<Read, 'rows'>, zones: readonly DelegatedZone[]): Promise<Map<string, ZoneFacts>> {
  if (zones.length === 0) return new Map();
  const rows =
    await read.rows<Row>(sql`select w.zone, z.state, z.checked_at, z.check_id::text as check_id, z.problem, z.signatures_end, z.dnssec,
      coalesce((select json_agg(json_build_object('server', l.server, 'since', to_char(l.since at time zone 'UTC', 'YYYY-MM-DD'),
        'disabledOn', to_char(l.disabled_at at time zone 'UTC', 'YYYY-MM-DD')) order by l.server) from rdns_lame_server l where l.zone = w.zone and l.answered_at is null), '[]') as lame,
      p.serial as since_serial, p.version as published_version
    from unnest(${zones.map(({ zone }) => zone)}::text[], ${zones.map(({ changedAt }) => changedAt)}::timestamptz[]) as w (zone, changed_at)
    left join rdns_zone z on z.zone = w.zone and z.checked_at >= w.changed_at left join rdns_published p on p.zone = w.zone`);
  const versions = new Map(zones.map(({ zone, version }) => [zone, version]));
  return new Map(
    rows.map(({ zone, state, publishedVersion, sinceSerial, ...facts }) => [
      zone,
      {
        ...facts,
        state: state ?? 'unchecked',
        sinceSerial: publishedVersion !== null && publishedVersion >= versions.get(zone)! ? Number(sinceSerial) : null,
      },
    ]),
  );
}
