import { isIP } from 'node:net';
import { publicObject, valuesOf } from '@portal/rpsl';
import { type AnswerContext, type Domain, linkTo, type Network, type Redaction } from './answer.ts';
import { eventsOf, remarksOf, type Stamp } from './common-members.ts';
import { nestedEntities, type Referred } from './entities.ts';

/** A stored domain object; `first` and `last` are the ends of its addresses. */
export type DomainRow = Stamp & { shown: string; text: string; first: string | null; last: string | null };

const withDot = (name: string): string => `${name.replace(/\.+$/, '').toLowerCase()}.`;

/** A reverse zone with its name servers and DS records, without what it nests. */
export function plainDomain(context: AnswerContext, row: DomainRow): Domain {
  const object = publicObject(row.text) ?? { class: 'domain', attributes: [] };
  return {
    objectClassName: 'domain',
    handle: row.shown,
    ldhName: withDot(row.shown),
    nameservers: valuesOf(object, 'nserver').map(nameserverOf),
    secureDNS: secureDnsOf(valuesOf(object, 'ds-rdata')),
    ...remarksOf(object),
    ...eventsOf(object, row),
    links: [linkTo(context, 'self', `domain/${row.shown}`)],
    port43: context.profile.whoisHost,
  };
}

/** The requested reverse zone, with its network. */
export function domainOf(
  context: AnswerContext,
  row: DomainRow,
  referred: readonly Referred[],
  network: Network | null,
): { domain: Domain; redacted: Redaction[] } {
  const object = publicObject(row.text) ?? { class: 'domain', attributes: [] };
  const { entities, redacted } = nestedEntities(context, object, referred);
  return { domain: { ...plainDomain(context, row), ...(entities.length > 0 && { entities }), ...(network && { network }) }, redacted };
}

function nameserverOf(value: string): Domain['nameservers'][number] {
  const [name = '', ...addresses] = value.split(/\s+/);
  const v4 = addresses.filter(address => isIP(address) === 4);
  const v6 = addresses.filter(address => isIP(address) === 6);
  return {
    objectClassName: 'nameserver',
    ldhName: withDot(name),
    ...(v4.length + v6.length > 0 && { ipAddresses: { ...(v4.length > 0 && { v4 }), ...(v6.length > 0 && { v6 }) } }),
  };
}

function secureDnsOf(records: readonly string[]): Domain['secureDNS'] {
  const dsData = records.flatMap(record => {
    const parts = /^(\d+)\s+(\d+)\s+(\d+)\s+([0-9a-f\s]+)$/i.exec(record);
    if (!parts) return [];
    const [, keyTag, algorithm, digestType, digest] = parts;
    return [
      {
        keyTag: Number(keyTag),
        algorithm: Number(algorithm),
        digestType: Number(digestType),
        digest: digest!.replaceAll(/\s/g, '').toUpperCase(),
      },
    ];
  });
  return dsData.length > 0 ? { delegationSigned: true, dsData } : { delegationSigned: false };
}
