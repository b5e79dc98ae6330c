import type { Module } from '../../../platform/module.ts';
import { nameIn, recordTypes, soaOf } from '../../../adapters/dns/message.ts';
import { dnsClient } from '../checks/name-servers.ts';
import { readTarget } from '../checks/resolver.ts';
import { delegationIn } from '../domain-objects.ts';

/** Reverse DNS as a place of the publication receipt: queries a name server of the registry, like a resolver. */
export const zonePlace: NonNullable<Module['publishing']>[number] = {
  place: 'dns',
  name: 'Reverse DNS',
  ask: async (versions, { read, config, outside }) => {
    const last = versions.at(-1)!;
    if (last.class !== 'domain') return null;
    const [row] = await read.selectFrom('rdnsPublished').select(['parent', 'version', 'serial']).where('zone', '=', last.key).execute();
    const [left] = await read
      .selectFrom('rdnsLeftOut')
      .select(['reasons', 'whole'])
      .where('zone', '=', last.key)
      .where('source', 'is', null)
      .where('version', '>=', versions[0]!.version)
      .execute();
    const isGone = last.operation === 'DEL';
    const inFile = isGone ? !row : row !== undefined && row.version >= versions[0]!.version;
    if (!isGone && left?.whole) return { query: null, state: 'waiting', answer: `Left out of the zone: ${left.reasons[0]!}` };
    const since = row ? `in zone ${row.parent} since serial ${row.serial}` : 'not in the zone';
    const [server] = config.dnsServers;
    if (server === undefined)
      return {
        query: null,
        ...(inFile
          ? { state: 'elsewhere' as const, answer: `Written: ${since}` }
          : { state: 'waiting' as const, answer: 'Not in the zone file yet' }),
      };
    const { address, port } = readTarget(server);
    const query = `${last.key} NS at ${server}`;
    const client = outside(dnsClient);
    const options = { transport: 'udp' as const, port, timeoutMs: 2_000 };
    const [ns, soa] = await Promise.all([
      client.query(address, { name: last.key, type: 'NS' }, options),
      row ? client.query(address, { name: row.parent, type: 'SOA' }, options) : null,
    ]);
    if (!ns.message) return { query, state: 'waiting', answer: `No answer from ${server}` };
    const seen = [...ns.message.authority, ...ns.message.answers]
      .filter(({ type, name }) => type === recordTypes.NS && name === last.key)
      .map(nameIn)
      .toSorted();
    const fits = (text: string): boolean =>
      [...new Set(delegationIn(text).servers.map(each => each.split(' ')[0]!))].toSorted().join() === seen.join();
    const right = isGone ? seen.length === 0 : inFile && versions.some(({ operation, text }) => operation === 'ADD' && fits(text));
    const record = soa?.message?.answers.find(({ type }) => type === recordTypes.SOA);
    const serial = record ? `, serial ${soaOf(record).serial} answers` : '';
    return right
      ? { query, state: 'done', answer: isGone ? 'Removed' : `${since.charAt(0).toUpperCase()}${since.slice(1)}${serial}` }
      : { query, state: 'waiting', answer: seen.length === 0 ? 'Not answered yet' : 'An older version is answered' };
  },
};
