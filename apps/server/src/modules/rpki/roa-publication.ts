import fs from 'node:fs/promises';
import path from 'node:path';
import { printAsNumber } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { notificationName } from './repository/repository-files.ts';
import { versionOf } from './repository/rrdp.ts';

type Pair = { prefix: string; asn: number };

/** The publication state of a ROA. `serial`: of the publication with its object; null before that. `isLeaving`: removed, but still found by validators. */
export type RoaPublication = Pair & { isWanted: boolean; serial: number | null; isLeaving: boolean };

/** Returns the publication state of ROAs by prefix and AS number, in the given order. */
export async function roaPublications(read: Pick<Read, 'rows'>, pairs: readonly Pair[]): Promise<RoaPublication[]> {
  const rows = await read.rows<{ isWanted: boolean; serial: number | null; isThere: boolean }>(sql`
    select r.roa_id is not null as is_wanted, max(o.published_in) as serial,
      exists (select from rpki_object l where l.kind = 'roa' and l.subject = w.subject) as is_there
    from unnest(${pairs.map(({ prefix }) => prefix)}::cidr[], ${pairs.map(({ asn }) => asn)}::bigint[],
      ${pairs.map(({ prefix, asn }) => `${printAsNumber(asn)} ${prefix}`)}::text[]) with ordinality as w (prefix, asn, subject, place)
    left join roa r on r.prefix = w.prefix and r.asn = w.asn
    left join rpki_object o on o.kind = 'roa' and o.roa_ids @> array[r.roa_id]
    group by w.place, w.subject, r.roa_id order by w.place`);
  return pairs.map((pair, index) => {
    const { isWanted, serial, isThere } = rows[index]!;
    return { ...pair, isWanted, serial, isLeaving: !isWanted && isThere };
  });
}

/** The serial that RRDP clients find now; null if this process has no files of the repository. */
export async function servedSerial(rpkiDir: string): Promise<number | null> {
  const notification = await fs.readFile(path.join(rpkiDir, 'rrdp', notificationName), 'latin1').catch(() => null);
  return notification === null ? null : (versionOf(notification)?.serial ?? null);
}
