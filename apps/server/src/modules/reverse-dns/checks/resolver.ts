import dns from 'node:dns';
import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import type { DnsClient } from '../../../adapters/dns/client.ts';
import { addressIn, codeName, nameIn, recordTypes } from '../../../adapters/dns/message.ts';

/** Looks names up through a resolver. */
export type Resolver = {
  addressesOf: (host: string) => Promise<{ addresses: string[]; alias: string | null; failure: string | null }>;
  /** The PTR of a reverse name; null without one. `failure`: why it couldn’t be looked up, or null. */
  nameOf: (reverseName: string) => Promise<{ name: string | null; failure: string | null }>;
  /** Zones from the root to the parent of a zone, as far as the resolver knows them. */
  chainTo: (zone: string) => Promise<CheckReport['chain']>;
  /** Returns the parent's delegation of a zone: its servers and DS records; null if there is none. */
  delegationOf: (zone: string) => Promise<{ servers: string[]; ds: string[] } | null>;
};

/** `192.0.2.53` or `192.0.2.53:5353`, `[2001:db8::53]:5353`. */
export function readTarget(text: string): { address: string; port: number } {
  const [, six, sixPort] = /^\[([^\]]+)\](?::(\d+))?$/.exec(text) ?? [];
  if (six !== undefined) return { address: six, port: Number(sixPort ?? 53) };
  const [, four, fourPort] = /^([\d.]+)(?::(\d+))?$/.exec(text) ?? [];
  return four === undefined ? { address: text, port: 53 } : { address: four, port: Number(fourPort ?? 53) };
}

/** @param resolvers addresses of resolvers; none: those of this machine */
export function openResolver(client: DnsClient, resolvers: readonly string[], timeoutMs: number): Resolver {
  const targets = (resolvers.length > 0 ? resolvers : dns.getServers()).map(readTarget);
  const query = async (name: string, type: 'A' | 'AAAA' | 'PTR' | 'NS' | 'DS' | 'SOA') => {
    let failure = 'no resolver is configured';
    for (const { address, port } of targets.slice(0, 2)) {
      const result = await client.query(address, { name, type, recursive: true }, { transport: 'udp', port, timeoutMs });
      if (result.message && (result.message.code === 0 || result.message.code === 3)) return { message: result.message, failure: null };
      failure = result.message ? codeName(result.message.code) : result.failure.detail;
    }
    return { message: null, failure };
  };
  return {
    async addressesOf(host) {
      const answers = await Promise.all((['A', 'AAAA'] as const).map(type => query(host, type)));
      const records = answers.flatMap(({ message }) => message?.answers ?? []);
      const alias = records.find(({ type, name }) => type === recordTypes.CNAME && name === host);
      const addresses = records.filter(({ type }) => type === recordTypes.A || type === recordTypes.AAAA).map(addressIn);
      return {
        addresses: [...new Set(addresses)],
        alias: alias ? nameIn(alias) : null,
        failure: answers.find(each => each.failure !== null)?.failure ?? null,
      };
    },
    async nameOf(reverseName) {
      const { message, failure } = await query(reverseName, 'PTR');
      const record = message?.answers.find(({ type }) => type === recordTypes.PTR);
      return { name: record ? nameIn(record) : null, failure };
    },
    async chainTo(zone) {
      const labels = zone.split('.');
      const names = ['', ...labels.map((_, index) => labels.slice(labels.length - 1 - index).join('.'))].slice(0, -1).slice(0, 8);
      const [root, ...others] = await Promise.all(
        names.map(async name => {
          const [ns, ds] = await Promise.all([query(name, 'NS'), name === '' ? null : query(name, 'DS')]);
          const servers = ns.message?.answers.filter(({ type, name: owner }) => type === recordTypes.NS && owner === name).length ?? 0;
          return {
            zone: name,
            servers,
            signed: name === '' ? servers > 0 : (ds?.message?.answers.some(({ type }) => type === recordTypes.DS) ?? false),
          };
        }),
      );
      return [root, ...others].flatMap(each => (each && each.servers > 0 ? [each] : []));
    },
    async delegationOf(zone) {
      const [ns, ds] = await Promise.all([query(zone, 'NS'), query(zone, 'DS')]);
      const servers = ns.message?.answers.filter(({ type, name }) => type === recordTypes.NS && name === zone).map(nameIn) ?? [];
      if (servers.length === 0) return null;
      const records = ds.message?.answers.filter(({ type }) => type === recordTypes.DS) ?? [];
      return {
        servers: servers.toSorted(),
        ds: records.map(({ data }) => `${data.readUInt16BE(0)} ${data[2]} ${data[3]} ${data.subarray(4).toString('hex').toUpperCase()}`),
      };
    },
  };
}
