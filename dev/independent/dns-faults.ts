import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';

/** The worst that a checker says of a zone, as far as it decides anything: an error keeps a zone from being delegated. */
export type Verdict = 'error' | 'warning' | 'fine';

/** A zone as one server has it. `null`: the server doesn't have the zone; `'broken'`: it has a file that it can't load. */
export type Version = {
  soa?: { serial?: number; mname?: string; rname?: string; timers?: string };
  /** NS records of the zone; those of the delegation without it. */
  ns?: string[];
  /** More lines of the zone file. */
  more?: string;
  /** Without PTR records. */
  empty?: boolean;
} | null;

export type Signing = {
  /** Algorithm of the key, as dnssec-keygen names it; `none` for a zone without signatures. */
  algorithm?: string;
  bits?: number;
  nsec3?: { iterations: number };
  /** Start and end of signatures, as dnssec-signzone reads them. */
  start?: string;
  end?: string;
  /** A second key of this algorithm in the key set, which signs nothing; the DS leads to both, or to it alone. */
  idle?: { algorithm: string; ds: 'both' | 'only' };
  /** The signed file, changed. */
  edit?: (text: string) => string;
  /** Digest type of the DS; 2 without it. */
  digest?: 1 | 2;
  /** A CDS record for a key that the zone doesn't have. */
  strayCds?: boolean;
};

/** A zone with what is wrong with it, in the terms of real servers. */
export type DnsCase = {
  title: string;
  /** The checks that name the fault; none for a healthy zone. */
  finds: DnsCheck[];
  verdict: Verdict;
  /** Zonemaster's verdict and why it differs; without it, both agree. */
  zonemaster?: [verdict: Verdict, why: string];
  /** The zone, if it isn't one of the next free /24. */
  zone?: string;
  /** Servers of the delegation, by the names in `dns-lab.ts`; a server inside the zone is `inside`. */
  servers?: string[];
  first?: Version | 'broken';
  second?: Version | 'broken';
  signing?: Signing;
  /** DS records of the delegation; those of the zone's key without it. */
  ds?: string[];
  /** Tested before the delegation, with servers and DS records given. */
  undelegated?: boolean;
  /** Not in the parent zone. */
  missing?: boolean;
};

const healthy = (title: string, signing: Signing, more: Partial<DnsCase> = {}): DnsCase => ({
  title,
  finds: [],
  verdict: 'fine',
  signing,
  ...more,
});
const unsigned: Signing = { algorithm: 'none' };
const over = (type: string) => new RegExp(`^\\S+\\s+\\d+\\s+IN\\s+RRSIG\\s+${type} .*$`, 'gm');
/** Changes the signature over records of a type, which then fits no key. */
const spoil =
  (type: string) =>
  (text: string): string =>
    text.replace(over(type), line =>
      line.replace(
        /([A-Za-z0-9+/]{8})([A-Za-z0-9+/= ]*)$/,
        (_, last: string, rest: string) => `${last.split('').toReversed().join('')}${rest}`,
      ),
    );
const timers = (first: string) => ({ soa: { timers: first } });
const longNames = Array.from({ length: 12 }, (_, n) => `a-rather-long-name-of-a-name-server-${n}`);

/** Healthy zones, and a zone for each fault that the checks know: those of the table in the specification. */
export const dnsCases: readonly DnsCase[] = [
  healthy('signed with ECDSA P-256', {}),
  healthy('signed with ECDSA P-384 and NSEC3', { algorithm: 'ECDSAP384SHA384', nsec3: { iterations: 0 } }),
  healthy('signed with Ed25519', { algorithm: 'ED25519' }),
  healthy('signed with Ed448', { algorithm: 'ED448' }),
  healthy('signed with RSA and SHA-256', { algorithm: 'RSASHA256', bits: 2048 }),
  healthy('signed with RSA and SHA-512', { algorithm: 'RSASHA512', bits: 2048 }, {
    zonemaster: ['warning', 'RFC 8624 doesn’t recommend it for new keys; resolvers have to validate it'],
  }),
  healthy('of IPv6', {}, { zone: '9.b.d.0.1.0.0.2.ip6.arpa' }),
  healthy('not signed', unsigned),

  { title: 'no delegation', finds: ['delegated'], verdict: 'error', missing: true },
  { title: 'no server that has the zone', finds: ['answers', 'authoritative'], verdict: 'error', first: null, second: null, signing: unsigned },
  { title: 'one server', finds: ['twoServers'], verdict: 'error', servers: ['ns-a'], undelegated: true },
  { title: 'two names of one machine', finds: ['distinctAddresses'], verdict: 'warning', servers: ['ns-a', 'ns-same'] },
  { title: 'a server without the zone (REFUSED)', finds: ['authoritative'], verdict: 'error', second: null },
  { title: 'a server that could not load the zone (SERVFAIL)', finds: ['authoritative'], verdict: 'error', second: 'broken' },
  { title: 'a server without authority', finds: ['authoritative'], verdict: 'error', servers: ['ns-noaa', 'ns-b'] },
  { title: 'a server that refers to the root', finds: ['authoritative', 'noUpwardReferral'], verdict: 'error', servers: ['ns-root', 'ns-b'] },
  { title: 'a server without the SOA', finds: ['soaExists'], verdict: 'error', servers: ['ns-nosoa', 'ns-b'] },
  { title: 'a zone that is a CNAME on one server', finds: ['apexAlias'], verdict: 'error', servers: ['ns-alias-of-zone', 'ns-b'] },
  { title: 'a name server that is a CNAME', finds: ['nsNotAlias'], verdict: 'error', servers: ['ns-alias', 'ns-b'] },
  { title: 'names of servers in a circle', finds: ['resolves'], verdict: 'error', servers: ['ns-a', 'ns-circle'] },
  { title: 'a server without an address', finds: ['resolves'], verdict: 'error', servers: ['ns-a', 'ns-gone'] },
  { title: 'a large referral', finds: ['referralSize'], verdict: 'warning', servers: longNames },
  { title: 'other NS records in the zone', finds: ['nsEqualsParent'], verdict: 'warning', first: { ns: ['ns-a', 'ns-same'] }, second: { ns: ['ns-a', 'ns-same'] } },
  { title: 'no server in common with the parent', finds: ['nsInCommon'], verdict: 'error', first: { ns: ['ns-same', 'ns-open'] }, second: { ns: ['ns-same', 'ns-open'] } },
  { title: 'no answer over UDP', finds: ['udp'], verdict: 'error', servers: ['ns-noudp', 'ns-b'] },
  { title: 'no answer over TCP', finds: ['tcp'], verdict: 'error', servers: ['ns-notcp', 'ns-b'] },
  { title: 'a server that is down', finds: ['authoritative', 'udp', 'tcp'], verdict: 'error', servers: ['ns-a', 'ns-down'] },
  { title: 'a server that stays silent', finds: ['authoritative', 'udp'], verdict: 'error', servers: ['ns-a', 'ns-silent'] },
  { title: 'servers in one network', finds: ['twoNetworks'], verdict: 'fine', servers: ['ns-a', 'ns-near'] },
  { title: 'an open resolver', finds: ['noRecursion'], verdict: 'warning', servers: ['ns-a', 'ns-open'] },
  { title: 'no EDNS', finds: ['edns'], verdict: 'warning', servers: ['ns-noedns', 'ns-b'], signing: unsigned },
  { title: 'a failure for AAAA', finds: ['aaaa'], verdict: 'warning', servers: ['ns-aaaa', 'ns-b'] },
  { title: 'a changed case of the question', finds: ['caseKept'], verdict: 'warning', servers: ['ns-case', 'ns-b'] },
  { title: 'a transfer for anyone', finds: ['transferClosed'], verdict: 'fine', servers: ['ns-a', 'ns-axfr'] },
  { title: 'answers from another address', finds: ['sameSource'], verdict: 'error', servers: ['ns-source', 'ns-b'], zonemaster: ['fine', 'its resolver takes answers from any address'] },
  { title: 'answers that are garbage', finds: ['wellFormed'], verdict: 'error', servers: ['ns-garbage', 'ns-b'] },
  { title: 'answers of 64 KB', finds: ['wellFormed'], verdict: 'error', servers: ['ns-flood', 'ns-b'] },
  { title: 'slow answers', finds: ['quick'], verdict: 'fine', servers: ['ns-slow', 'ns-b'] },
  { title: 'another serial', finds: ['serialEqual'], verdict: 'warning', second: { soa: { serial: 2026112100 } } },
  { title: 'another primary', finds: ['mnameEqual'], verdict: 'warning', second: { soa: { mname: 'ns-b.example.net.' } } },
  { title: 'another contact', finds: ['rnameEqual'], verdict: 'warning', second: { soa: { rname: 'root.example.net.' } } },
  { title: 'other timers', finds: ['timersEqual'], verdict: 'warning', second: timers('28800 3600 1209600 3600') },
  { title: 'other NS records on one server', finds: ['nsEqual'], verdict: 'warning', second: { ns: ['ns-a', 'ns-same'] }, zonemaster: ['error', 'it resolves no name that only one server has'] },
  { title: 'glue with another address', finds: ['glueEqual'], verdict: 'error', servers: ['inside', 'ns-b'], first: { more: 'ns IN A 45.10.1.99\n' }, second: { more: 'ns IN A 45.10.1.99\n' } },
  { title: 'no glue', finds: ['glueEqual'], verdict: 'error', servers: ['inside-without', 'ns-b'], undelegated: true },
  { title: 'a private address', finds: ['publicAddress'], verdict: 'error', servers: ['ns-a', 'ns-private'] },
  { title: 'an address without a name', finds: ['addressName'], verdict: 'fine', servers: ['ns-a', 'ns-unnamed'] },
  { title: 'an address with another name', finds: ['addressNameMatches'], verdict: 'fine', servers: ['ns-a', 'ns-misnamed'] },
  { title: 'a primary that is no full name', finds: ['mname'], verdict: 'warning', first: { soa: { mname: 'localhost.' } }, second: { soa: { mname: 'localhost.' } } },
  { title: 'no contact', finds: ['rname'], verdict: 'warning', first: { soa: { rname: '.' } }, second: { soa: { rname: '.' } } },
  { title: 'a short refresh', finds: ['refresh'], verdict: 'warning', first: timers('3600 1800 1209600 3600'), second: timers('3600 1800 1209600 3600') },
  { title: 'a retry longer than refresh', finds: ['retry'], verdict: 'warning', first: timers('14400 20000 1209600 3600'), second: timers('14400 20000 1209600 3600') },
  { title: 'an early expiry', finds: ['expire'], verdict: 'warning', first: timers('14400 3600 86400 3600'), second: timers('14400 3600 86400 3600') },
  { title: 'long negative answers', finds: ['minimum'], verdict: 'warning', first: timers('14400 3600 1209600 604800'), second: timers('14400 3600 1209600 604800') },
  { title: 'two SOA records', finds: ['singleSoa'], verdict: 'error', servers: ['ns-twosoa', 'ns-b'], signing: unsigned },
  { title: 'an unknown digest', finds: ['dsDigest'], verdict: 'error', undelegated: true, ds: ['own', '12345 13 9 00AA00AA'] },
  { title: 'a DS with SHA-1', finds: ['dsSha1'], verdict: 'warning', signing: { digest: 1 }, undelegated: true },
  { title: 'a DS of another key', finds: ['dsMatches'], verdict: 'error', ds: [`12345 13 2 ${'AB'.repeat(32)}`] },
  { title: 'a DS of a key that doesn’t sign', finds: ['dsMatches'], verdict: 'error', signing: { idle: { algorithm: 'ECDSAP256SHA256', ds: 'only' } } },
  { title: 'a DS of a zone without signatures', finds: ['dsSigned'], verdict: 'error', signing: unsigned, ds: [`12345 13 2 ${'AB'.repeat(32)}`] },
  { title: 'a broken signature of the keys', finds: ['keySignature', 'dsMatches'], verdict: 'error', signing: { edit: spoil('DNSKEY') } },
  { title: 'a broken signature of the SOA', finds: ['soaSignature'], verdict: 'error', signing: { edit: spoil('SOA') } },
  { title: 'no signature of the keys', finds: ['keySignature'], verdict: 'error', signing: { edit: text => text.replace(over('DNSKEY'), '') } },
  { title: 'expired signatures', finds: ['signatureTime'], verdict: 'error', signing: { start: 'now-2592000', end: 'now-86400' } },
  { title: 'signatures of tomorrow', finds: ['signatureTime'], verdict: 'error', signing: { start: 'now+86400', end: 'now+2592000' } },
  { title: 'signatures that end tomorrow', finds: ['signatureLife'], verdict: 'warning', signing: { start: 'now-86400', end: 'now+86400' } },
  { title: 'signatures of a year', finds: ['signatureLife'], verdict: 'warning', signing: { start: 'now-86400', end: 'now+31536000' } },
  { title: 'an algorithm without signatures', finds: ['algorithmComplete'], verdict: 'error', signing: { idle: { algorithm: 'ED25519', ds: 'both' } } },
  { title: 'an outdated algorithm', finds: ['algorithmAllowed'], verdict: 'error', signing: { algorithm: 'NSEC3RSASHA1', bits: 2048, nsec3: { iterations: 0 } }, zonemaster: ['warning', 'RFC 9905 forbids signing with SHA-1; Zonemaster follows RFC 8624'] },
  { title: 'a short RSA key', finds: ['keySize'], verdict: 'warning', signing: { algorithm: 'RSASHA256', bits: 1024 } },
  { title: 'no proof of missing names', finds: ['denial'], verdict: 'error', signing: { edit: text => text.replaceAll(/^\S+\s+\d+\s+IN\s+(NSEC|RRSIG\s+NSEC) .*$/gm, '') } },
  { title: 'iterations of NSEC3', finds: ['nsec3Iterations'], verdict: 'warning', signing: { nsec3: { iterations: 10 } }, zonemaster: ['fine', 'it warns of more than a hundred; RFC 9276 wants none'] },
  { title: 'a signed zone without DS', finds: ['signedHasDs'], verdict: 'fine', ds: [] },
  { title: 'a CDS of no key', finds: ['cds'], verdict: 'fine', signing: { strayCds: true } },
  { title: 'no names', finds: ['ptr'], verdict: 'fine', first: { empty: true }, second: { empty: true } },
]; // biome-ignore format: a table
