import fs from 'node:fs';
import path from 'node:path';
import { type AddressRange, containsRange, parseAsRange, parseRange } from '@portal/number-resources';
import * as z from 'zod/mini';

/** The RDAP services responsible for resources, from IANA's bootstrap files (RFC 9224). */
export type Bootstrap = {
  /** Base address, with a final slash, of the service for a range of addresses; the most specific entry that contains all of it. */
  ofAddresses(range: AddressRange): string | null;
  ofAsNumber(asNumber: number): string | null;
  /** Returns the service of the longest matching suffix of a domain name. */
  ofDomain(name: string): string | null;
  /** The service of another registry, by its name in statistics files. */
  ofRegistry(name: string): string | null;
};

/** The regional registries by their names in statistics files: their names, and the hosts of their services and pages; RDAP hosts as in IANA's files. */
const registries: Readonly<Record<string, { name: string; rdap: string; whois: string; web: string }>> = {
  afrinic: { name: 'AFRINIC', rdap: 'rdap.afrinic.net', whois: 'whois.afrinic.net', web: 'https://afrinic.net/' },
  apnic: { name: 'APNIC', rdap: 'rdap.apnic.net', whois: 'whois.apnic.net', web: 'https://www.apnic.net/' },
  arin: { name: 'ARIN', rdap: 'rdap.arin.net', whois: 'whois.arin.net', web: 'https://www.arin.net/' },
  lacnic: { name: 'LACNIC', rdap: 'rdap.lacnic.net', whois: 'whois.lacnic.net', web: 'https://www.lacnic.net/' },
  ripencc: { name: 'the RIPE NCC', rdap: 'rdap.db.ripe.net', whois: 'whois.ripe.net', web: 'https://www.ripe.net/' },
};

/** The name of another registry in a sentence, by its name in statistics files: `the RIPE NCC` of `ripencc`. */
export const registryName = (name: string): string => (Object.hasOwn(registries, name) ? registries[name]!.name : name.toUpperCase());

/** The regional registry of an RDAP service, or null. */
export const registryOfService = (service: string): { name: string; whois: string; web: string } | null =>
  Object.values(registries).find(({ rdap }) => rdap === new URL(service).hostname) ?? null;

const File = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) });

/** Base address of a service: https before http, with one final slash (RFC 9224, section 3). */
function baseOf(addresses: readonly string[]): string | null {
  const chosen = addresses.find(address => address.startsWith('https:')) ?? addresses[0];
  return chosen === undefined || !URL.canParse(chosen) ? null : `${chosen.replace(/\/+$/, '')}/`;
}

const names = ['ipv4', 'ipv6', 'asn', 'dns'] as const;

/** The files of folders as they were read, with the times at which they had been written. */
const known = new Map<string, { written: string; bootstrap: Bootstrap }>();

/**
 * Reads `ipv4.json`, `ipv6.json`, `asn.json` and `dns.json` of a folder, again only where one of them was replaced: each answer that is read back asks for them, and a
 * process of tests has many portals.
 * @throws Error naming the file that is missing or is not as RFC 9224 says.
 */
export function readBootstrap(folder: string): Bootstrap {
  const written = names
    .map(name => fs.statSync(path.join(folder, `${name}.json`), { throwIfNoEntry: false }))
    .map(file => `${file?.ino} ${file?.mtimeMs} ${file?.size}`)
    .join();
  const before = known.get(folder);
  if (before?.written === written) return before.bootstrap;
  const bootstrap = readFiles(folder);
  known.set(folder, { written, bootstrap });
  return bootstrap;
}

function readFiles(folder: string): Bootstrap {
  const read = (name: (typeof names)[number]): { entries: string[]; base: string }[] => {
    const file = path.join(folder, `${name}.json`);
    try {
      return File.parse(JSON.parse(fs.readFileSync(file, 'utf8'))).services.flatMap(([entries, addresses]) => {
        const base = baseOf(addresses);
        return base === null ? [] : [{ entries, base }];
      });
    } catch (error) {
      throw new Error(`The RDAP bootstrap file ${file} cannot be read (RFC 9224): ${(error as Error).message}`);
    }
  };
  const blocks = (['ipv4', 'ipv6'] as const)
    .flatMap(read)
    .flatMap(({ entries, base }) => entries.map(entry => ({ range: parseRange(entry), base })))
    // Most specific first.
    .sort((a, b) => (a.range.last - a.range.first < b.range.last - b.range.first ? -1 : 1));
  const numbers = read('asn')
    .flatMap(({ entries, base }) => entries.map(entry => ({ ...parseAsRange(entry), base })))
    .sort((a, b) => a.first - b.first);
  const zones = new Map(read('dns').flatMap(({ entries, base }) => entries.map(entry => [entry.toLowerCase(), base] as const)));
  const bases = new Set([...blocks, ...numbers].map(({ base }) => base));

  return {
    ofAddresses: range => blocks.find(block => containsRange(block.range, range))?.base ?? null,
    ofAsNumber: asNumber => {
      let low = 0;
      for (let high = numbers.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (numbers[middle]!.first <= asNumber) low = middle + 1;
        else high = middle;
      }
      const before = numbers[low - 1];
      return before !== undefined && asNumber <= before.last ? before.base : null;
    },
    ofDomain: name => {
      const labels = name.toLowerCase().replace(/\.$/, '').split('.');
      for (let from = 0; from < labels.length; from++) {
        const base = zones.get(labels.slice(from).join('.'));
        if (base !== undefined) return base;
      }
      return null;
    },
    ofRegistry: name => [...bases].find(base => new URL(base).hostname === registries[name]?.rdap) ?? null,
  };
}
