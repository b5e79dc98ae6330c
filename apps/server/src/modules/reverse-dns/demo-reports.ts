import { dnsChecks, type DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import type { CheckedServer, CheckReport, Finding } from '@portal/contract/reverse-dns/checks';
import { DAY_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';

/** The example key of RFC 6605 has this tag. */
const keyTag = 55_648;
const servers = [
  { server: 'ns1.example.net', address: '192.0.2.53' },
  { server: 'ns2.example.net', address: '192.0.2.54' },
] as const;
const serial = 2_026_112_001;
const parents: CheckReport['chain'] = [
  { zone: '', servers: 13, signed: true },
  { zone: 'arpa', servers: 12, signed: true },
  { zone: 'in-addr.arpa', servers: 6, signed: true },
  { zone: '198.in-addr.arpa', servers: 7, signed: true },
  { zone: '18.198.in-addr.arpa', servers: 4, signed: true },
];

/** Checks that a working zone passes, in the order of the catalogue. */
const passing: readonly DnsCheck[] = [
  'boundary',
  'delegated',
  'answers',
  'twoServers',
  'distinctAddresses',
  'authoritative',
  'nsNotAlias',
  'soaExists',
  'referralSize',
  'nsEqualsParent',
  'nsInCommon',
  'udp',
  'tcp',
  'everyAddress',
  'ipv4Server',
  'noRecursion',
  'edns',
  'aaaa',
  'noUpwardReferral',
  'sameSource',
  'caseKept',
  'transferClosed',
  'resolves',
  'wellFormed',
  'quick',
  'serialEqual',
  'mnameEqual',
  'rnameEqual',
  'timersEqual',
  'nsEqual',
  'nsAtApex',
  'publicAddress',
  'mname',
  'rname',
  'refresh',
  'retry',
  'expire',
  'minimum',
  'singleSoa',
  'held',
  'ptr',
];
const signedPassing: readonly DnsCheck[] = ['dsDigest', 'dsMatches', 'dsSigned', 'keySignature', 'soaSignature', 'signatureTime', 'denial'];

type Problem = { check: DnsCheck; server?: string; detail: string };
type Scene = {
  zone: string;
  signed: boolean;
  lame?: boolean;
  serials?: readonly [number, number];
  endsInDays?: number;
  problems: readonly Problem[];
};

const scenes: readonly Scene[] = [
  { zone: '0.18.198.in-addr.arpa', signed: true, problems: [] },
  { zone: '1.18.198.in-addr.arpa', signed: true, problems: [] },
  {
    zone: '3.18.198.in-addr.arpa',
    signed: false,
    lame: true,
    problems: [
      { check: 'authoritative', server: 'ns2.example.net', detail: 'ns2.example.net (192.0.2.54) refuses the zone (REFUSED)' },
      { check: 'twoNetworks', detail: 'All addresses are in 192.0.2.0/24' },
      { check: 'signedHasDs', detail: 'The zone isn’t signed' },
    ],
  },
  { zone: '4.18.198.in-addr.arpa', signed: true, problems: [] },
  { zone: '5.18.198.in-addr.arpa', signed: true, problems: [] },
  {
    zone: '6.18.198.in-addr.arpa',
    signed: true,
    endsInDays: 2,
    problems: [{ check: 'signatureLife', server: 'ns1.example.net', detail: 'Signatures on ns1.example.net end in two days' }],
  },
  {
    zone: '7.18.198.in-addr.arpa',
    signed: true,
    serials: [2_026_112_201, 2_026_112_103],
    problems: [{ check: 'serialEqual', detail: 'Different serials: 2026112103 and 2026112201' }],
  },
];

const finding = (check: DnsCheck, state: Finding['state'], detail = '', server: string | null = null): Finding => ({
  check,
  state,
  severity: dnsChecks[check].severity,
  group: dnsChecks[check].group,
  server,
  detail,
});

function reportOf(
  { zone, signed, lame = false, serials, endsInDays = 12, problems }: Scene,
  today: Date,
  ds: readonly string[],
): CheckReport {
  const checked: CheckedServer[] = servers.map(({ server, address }, index) => {
    const isLame = lame && index === 1;
    return {
      server,
      address,
      state: isLame ? 'lame' : 'authoritative',
      said: isLame ? 'refuses the zone (REFUSED)' : 'Answers with authority',
      udpMs: isLame ? 27 : 12 + 15 * index,
      tcpMs: isLame ? 31 : 24 + 20 * index,
      serial: isLame ? null : (serials?.[index] ?? serial),
    };
  });
  const failed = new Set(problems.map(({ check }) => check));
  const begins = instantBefore(today, (14 - endsInDays) * DAY_MS);
  const ends = instantAfter(today, endsInDays * DAY_MS);
  return {
    findings: [
      ...problems.map(({ check, detail, server }) => finding(check, 'failed', detail, server ?? null)),
      ...[...passing, ...(signed ? signedPassing : [])].filter(check => !failed.has(check)).map(check => finding(check, 'passed')),
    ],
    servers: checked,
    chain: parents,
    keys: signed ? [{ tag: keyTag, algorithm: 13, flags: 257, inDs: true }] : [],
    ds: [...ds],
    cds: [],
    signatures: signed ? ['DNSKEY', 'SOA', 'NS'].map(covered => ({ covered, tag: keyTag, begins, ends, valid: true })) : [],
    signaturesEnd: signed ? ends : null,
    raw: checked.map(({ server, address, state, udpMs, serial: at }) => ({
      server,
      question: `SOA ${zone} @${address} UDP`,
      milliseconds: udpMs ?? 0,
      text:
        state === 'authoritative'
          ? `;; status: NOERROR, flags: qr aa\n${zone}. 86400 IN SOA ns1.example.net. hostmaster.example.net. ${at} 14400 3600 604800 3600`
          : ';; status: REFUSED, flags: qr\n;; QUERY: 1, ANSWER: 0, AUTHORITY: 0, ADDITIONAL: 0',
    })),
  };
}

/** Adds reports of checks to the demo registry, whose name servers don't exist: one of each kind of finding. */
export async function addDemoReports(change: Change, today: Date): Promise<void> {
  for (const scene of scenes) {
    const [object] = await change.rows<{ text: string }>(sql`select text from whois_object where class = 'domain' and key = ${scene.zone}`);
    const ds = object ? [...object.text.matchAll(/^ds-rdata:\s*(.+)$/gim)].map(([, value]) => value!.trim().toUpperCase()) : [];
    const report = reportOf({ ...scene, signed: scene.signed && ds.length > 0 }, today, ds);
    const failed = report.findings.filter(({ state }) => state === 'failed').map(({ severity }) => severity);
    const grade = (['error', 'warning', 'notice'] as const).find(severity => failed.includes(severity)) ?? 'ok';
    const checkId = crypto.randomUUID();
    await change.rows(sql`insert into rdns_check (check_id, zone, servers, ds, undelegated, login_id, asked_at, done_at, grade, report)
      values (${checkId}::uuid, ${scene.zone}, ${servers.map(({ server }) => server)}::text[], ${ds}::text[], false, null, ${change.now}::timestamptz,
        ${change.now}::timestamptz, ${grade}, ${JSON.stringify(report)}::jsonb)`);
    await change.rows(sql`update rdns_zone set check_id = ${checkId}::uuid where zone = ${scene.zone}`);
  }
}
