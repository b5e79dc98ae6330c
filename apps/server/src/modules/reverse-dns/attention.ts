import type { Attention } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { AttentionSubject } from '../../platform/attention.ts';
import { troubledZones } from './zones.ts';

/** Reverse zones with lame servers, and zones that validating resolvers refuse or soon will. */
export async function reverseDnsAttention({ read, account }: AttentionSubject): Promise<Attention[]> {
  if (account.asStaff || !account.permissions.has('whois-domain-objects-view')) return [];
  const rows = await troubledZones(read, account.accountName);
  const lame = rows.filter(({ state }) => state === 'lame');
  const chain = rows.filter(({ dnssec }) => dnssec === 'broken' || dnssec === 'ends-soon');
  const open = (search: string) => ({ label: 'Show zones', link: `/resources/ReverseDNSSummary?view=table&${search}` });
  const list: Attention[] = [];
  const leftOut = await read.rows<{ zone: string; reasons: string[]; whole: boolean }>(
    sql`select zone, reasons, whole from rdns_left_out where source is null and zone = any(${rows.map(({ zone }) => zone)}::text[]) order by zone`,
  );
  const [first] = leftOut;
  if (first)
    list.push({
      attentionId: 'rdns-left-out',
      urgency: leftOut.some(({ whole }) => whole) ? 'urgent' : 'soon',
      due: null,
      title:
        leftOut.length === 1
          ? `${first.zone} is ${first.whole ? 'not' : 'only partly'} published`
          : `${leftOut.length} reverse zones are not published, or only partly`,
      detail: `${first.reasons[0]!}. Correct the domain object.`,
      action: { label: 'Show zone', link: `/resources/ReverseDNS?zone=${encodeURIComponent(first.zone)}` },
      forWhom: 'account',
    });
  if (chain.length > 0)
    list.push({
      attentionId: 'rdns-dnssec',
      urgency: chain.some(({ dnssec }) => dnssec === 'broken') ? 'urgent' : 'soon',
      due: chain.map(({ signaturesEnd }) => signaturesEnd).find(each => each !== null) ?? null,
      title: chain.length === 1 ? `DNSSEC of ${chain[0]!.zone} needs attention` : `DNSSEC of ${chain.length} reverse zones needs attention`,
      detail: chain[0]!.problem ?? 'Signatures end soon, or the DS matches no key. Resolvers that validate then refuse the zone.',
      action: open(`dnssec=${chain[0]!.dnssec}`),
      forWhom: 'account',
    });
  if (lame.length > 0)
    list.push({
      attentionId: 'rdns-lame',
      urgency: 'soon',
      due: null,
      title:
        lame.length === 1
          ? `A name server of ${lame[0]!.zone} doesn’t answer for it`
          : `${lame.length} reverse zones have servers that don’t answer`,
      detail: lame[0]!.problem ?? 'Lookups of these addresses are slow, or fail.',
      action: open('state=lame'),
      forWhom: 'account',
    });
  return list;
}
