import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { coverRange, type NumberResource, parseResource, printAddress } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Module } from '../../platform/module.ts';
import type { Profile } from '../../profile.ts';
import { exportStatistics } from '../resources/index.ts';
import { todayOf } from './account-facts.ts';
import { requestRows, type Row } from './request-row.ts';

type Pages = Parameters<NonNullable<Module['pages']>>[0];
type Deps = { db: Database; profile: Profile; clock: () => Date };

/** `/statistics/`: the files registries publish of their ledger, each with its MD5, and the public log of transfers. */
export function publishedFiles(http: Pages, { db, profile, clock }: Deps): void {
  const registry = profile.statisticsRegistry;
  const files: Record<string, () => Promise<{ text: string; type: string }>> = {
    [`delegated-${registry}-latest`]: () => statistics('delegated'),
    [`delegated-${registry}-extended-latest`]: () => statistics('delegated-extended'),
    'transfers_latest.json': async () => ({
      text: `${JSON.stringify(await transferLog(db, profile, clock()), null, 1)}\n`,
      type: 'application/json',
    }),
  };
  async function statistics(format: 'delegated' | 'delegated-extended'): Promise<{ text: string; type: string }> {
    const blocks: string[] = [];
    const out = new Writable({
      write(block: Buffer, _encoding, done) {
        blocks.push(block.toString());
        done();
      },
    });
    await exportStatistics(db, { ownRegistry: registry, registry, format, date: todayOf(profile, clock()), out });
    return { text: blocks.join(''), type: 'text/plain; charset=utf-8' };
  }
  http.get('/statistics/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    const isSum = name.endsWith('.md5');
    const file = files[isSum ? name.slice(0, -4) : name];
    if (!file) throw refuse('NOT_FOUND', { what: 'This file' });
    const { text, type } = await file();
    void reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=300');
    if (isSum)
      return reply.type('text/plain; charset=utf-8').send(`MD5 (${name.slice(0, -4)}) = ${createHash('md5').update(text).digest('hex')}\n`);
    return reply.type(type).send(text);
  });
}

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
    source_organization: { name: row.orgName, ...country(row.economy) },
    ...(row.recipientOrg !== null && { recipient_organization: { name: row.recipientOrg, ...country(row.recipientEconomy) } }),
    source_rir: rir,
    recipient_rir: row.recipientName === null ? (row.otherRegistry ?? rir) : rir,
    transfer_date: row.resolvedAt,
    type: row.kind === 'acquisition' ? 'MERGER_ACQUISITION' : 'RESOURCE_TRANSFER',
  };
}

/** The public log of completed transfers, in the format 4.0 of the NRO. */
async function transferLog(db: Database, profile: Profile, now: Date): Promise<object> {
  const rows = await requestRows(db.read, sql`r.kind in ('transfer', 'acquisition') and r.state = 'completed' order by r.resolved_at`);
  const recipients = await db.read.rows<{ accountName: string; orgName: string; economy: string | null }>(
    sql`select account_name, org_name, economy from account where account_name = any(${rows.flatMap(({ recipientName }) => recipientName ?? [])}::text[])`,
  );
  const named = new Map(recipients.map(recipient => [recipient.accountName, recipient]));
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
