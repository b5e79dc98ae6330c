import type { Asked, LegalVersion } from '@portal/contract/legal/legal';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';

/** A version of a text as it is stored, or its draft, with the names of its people. */
export type VersionRow = {
  legalVersionId: number;
  text: string;
  version: number | null;
  edition: number;
  title: string;
  body: string;
  changes: string;
  asks: Asked[];
  renews: boolean;
  graceDays: number;
  blocks: boolean;
  validFrom: string;
  beginsAt: string;
  reason: string;
  preparedBy: string;
  preparedAt: string;
  proposedBy: string | null;
  confirmedBy: string | null;
  confirmedAt: string | null;
  endedAt: string | null;
};

/** Versions and drafts where a condition on `v` holds, by text, the newest first. */
export const versionRows = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>): Promise<VersionRow[]> =>
  read.rows<VersionRow>(sql`
    select v.legal_version_id, v.text, v.version, v.edition, v.title, v.body, v.changes, v.asks, v.renews, v.grace_days, v.blocks, v.valid_from, v.begins_at, v.reason,
      p.full_name as prepared_by, v.prepared_at, a.full_name as proposed_by, s.full_name as confirmed_by, v.confirmed_at, v.ended_at
    from legal_version v join login p on p.login_id = v.prepared_by left join login a on a.login_id = v.proposed_by left join login s on s.login_id = v.confirmed_by
    where ${where} order by v.text, v.version desc nulls first, v.legal_version_id desc`);

/** Versions and the draft of one text, the newest first. @throws Failure NOT_FOUND */
export async function rowsOfText(read: Pick<Read, 'rows'>, text: string): Promise<VersionRow[]> {
  const rows = await versionRows(read, sql`v.text = ${text}`);
  if (rows.length === 0) throw refuse('NOT_FOUND', { what: 'The text' });
  return rows;
}

/** The versions of one text in their states, by its rows. */
export function stateOfText(rows: readonly VersionRow[], now: Date) {
  const counted = rows.filter(({ version, endedAt }) => version !== null && endedAt === null);
  const hasBegun = ({ beginsAt }: VersionRow): boolean => Date.parse(beginsAt) <= now.getTime();
  return {
    draft: rows.find(({ version, endedAt }) => version === null && endedAt === null) ?? null,
    coming: counted.find(row => !hasBegun(row)) ?? null,
    inForce: counted.find(hasBegun) ?? null,
    latest: counted[0] ?? null,
  };
}

/** Returns a version as the contract has it. */
export function versionOf(row: VersionRow, { inForce, now }: { inForce: VersionRow | null; now: Date }): LegalVersion {
  const { legalVersionId, text: _, edition: _edition, body: _body, beginsAt, endedAt, ...rest } = row;
  const state =
    row.version === null
      ? 'draft'
      : endedAt !== null
        ? 'withdrawn'
        : Date.parse(beginsAt) > now.getTime()
          ? 'coming'
          : legalVersionId === inForce?.legalVersionId
            ? 'in-force'
            : 'old';
  return { ...rest, state };
}

/**
 * SQL: since when versions ask a kind of people on the terms of `v`, without a break: the days to accept count from then, so that who is asked anew, or on harder terms,
 * has all of them.
 */
const askedSince = (kind: Asked): RawBuilder<unknown> => sql`
  (select min(w.begins_at) from legal_version w where w.text = v.text and w.version between n.version and v.version and w.ended_at is null
    and not exists (select from legal_version x where x.text = v.text and x.version between w.version and v.version and x.ended_at is null
      and (x.grace_days <> v.grace_days or x.blocks <> v.blocks or not ${kind} = any (x.asks))))`;

/**
 * SQL: the version in force of each text, `v`, with the version from which an acceptance is enough (`needed`), and since when people with a login and corporate contacts are
 * asked on its terms (`logins_since`, `corporate_since`).
 * @param now ISO 8601
 */
export const textsInForce = (now: string): RawBuilder<unknown> => sql`
  select distinct on (v.text) v.text, v.version, v.title, v.changes, v.body, v.asks, v.grace_days, v.blocks, v.valid_from, v.begins_at, n.version as needed,
    ${askedSince('logins')} as logins_since, ${askedSince('corporate')} as corporate_since
  from legal_version v cross join lateral (select w.version from legal_version w where w.text = v.text and w.version <= v.version and w.ended_at is null
    and (w.renews or w.version = (select min(f.version) from legal_version f where f.text = v.text and f.ended_at is null)) order by w.version desc limit 1) n
  where v.version is not null and v.ended_at is null and v.begins_at <= ${now}::timestamptz order by v.text, v.version desc`;
