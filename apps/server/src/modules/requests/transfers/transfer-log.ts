import { coverRange, type NumberResource, parseResource, printAddress } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { accountRows } from '../../accounts/index.ts';
import { type Row, requestRows } from '../request-row.ts';

const endsOf = (resource: NumberResource) =>
  resource.family === 'asn'
    ? { start: resource.first, end: resource.last }
    : {
        start_address: printAddress({ family: resource.family, value: resource.first }),
        end_address: printAddress({ family: resource.family, value: resource.last }),
        cidrs: coverRange(resource).map(prefix => ({
          prefix: printAddress({ family: prefix.family, value: prefix.first }),
          length: prefix.length,
        })),
      };

const setNames = { asn: 'asns', ipv4: 'ip4nets', ipv6: 'ip6nets' } as const;

function entryOf(row: Row & { recipientOrg: string | null; recipientEconomy: string | null }, rir: string): object {
  const resources = (row.outcome?.resources ?? []).map(text => parseResource(text));
  const sets = Object.fromEntries(
    (['asn', 'ipv4', 'ipv6'] as const).flatMap(family => {
      const own = resources.filter(resource => resource.family === family);
      return own.length === 0 ? [] : [[setNames[family], { transfer_set: own.map(endsOf) }]];
    }),
  );
  const country = (economy: string | null) => (economy === null ? {} : { country_code: economy });
  return {
    ...sets,
    ...(row.form.incoming
      ? {
          source_organization: { name: row.form.legalName },
          recipient_organization: { name: row.orgName, ...country(row.economy) },
          source_rir: row.otherRegistry ?? rir,
          recipient_rir: rir,
        }
      : {
          source_organization: { name: row.orgName, ...country(row.economy) },
          ...(row.recipientOrg !== null && { recipient_organization: { name: row.recipientOrg, ...country(row.recipientEconomy) } }),
          source_rir: rir,
          recipient_rir: row.recipientName === null ? (row.otherRegistry ?? rir) : rir,
        }),
    transfer_date: row.resolvedAt,
    type: row.kind === 'acquisition' ? 'MERGER_ACQUISITION' : 'RESOURCE_TRANSFER',
  };
}

/** The public log of completed transfers, in the format 4.0 of the NRO. */
export async function transferLog(db: Database, profile: Profile, now: Date): Promise<object> {
  const rows = await requestRows(db.read, sql`r.kind in ('transfer', 'acquisition') and r.state = 'completed' order by r.resolved_at`);
  const named = await accountRows(
    db.read,
    rows.flatMap(({ recipientName }) => recipientName ?? []),
  );
  const produced = now.toISOString();
  return {
    version: {
      stats_version: '4.0',
      producer: profile.transferLogRegistry,
      UTC_offset: 0,
      production_date: produced,
      records_interval: { start_date: rows[0]?.resolvedAt ?? produced, end_date: rows.at(-1)?.resolvedAt ?? produced },
      remarks: [`Transfers of ${profile.registryName}.`],
    },
    transfers: rows.map(row => {
      const recipient = row.recipientName === null ? undefined : named.get(row.recipientName);
      return entryOf(
        { ...row, recipientOrg: recipient?.orgName ?? null, recipientEconomy: recipient?.economy ?? null },
        profile.transferLogRegistry,
      );
    }),
  };
}
