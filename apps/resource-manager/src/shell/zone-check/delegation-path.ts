import type { CheckedServer, CheckReport } from '@portal/contract/reverse-dns/checks';
import { formatCount } from '@portal/ui';

/** How a link of the path holds: `signed` with a chain of trust, `plain` without, `broken`: the path ends there. */
export type PathLink = 'signed' | 'plain' | 'broken' | 'none';
export type PathNode = { zone: string; note: string | null; trust: string | null; link: PathLink };
export type PathServer = {
  id: string;
  server: string;
  address: string | null;
  state: 'good' | 'fault' | 'unknown';
  said: string;
  note: string;
};

/** Steps of a resolver from the root to the name servers of a zone, with the place where it ends. */
export type Path = {
  zone: string;
  nodes: readonly PathNode[];
  /** Between the zone and its servers. */
  servers: readonly PathServer[];
  /** The step that fails, in a sentence. */
  words: string;
};

const chainChecks = new Set(['dsMatches', 'dsSigned', 'keySignature', 'signatureTime']);
const milliseconds = (value: number | null): string => (value === null ? 'none' : `${Math.round(value)} ms`);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The path that a check saw. `since` says since when a server hasn't answered. */
export function pathOfReport(zone: string, report: CheckReport, since: (server: string) => string | null = () => null): Path {
  const { chain, servers, ds, findings } = report;
  const isDelegated = !findings.some(({ check, state }) => check === 'delegated' && state === 'failed');
  const broken = findings.find(({ check, state }) => state === 'failed' && chainChecks.has(check));
  // A link that no server was asked about is drawn as unsigned: what wasn't checked is not good.
  const isChecked = findings.some(({ check, state }) => check === 'dsMatches' && state === 'passed');
  const last: PathLink = !isDelegated ? 'broken' : broken && ds.length > 0 ? 'broken' : ds.length > 0 && isChecked ? 'signed' : 'plain';
  const nodes = (chain.length > 0 ? chain : [{ zone: '', signed: null, servers: null }]).map(
    ({ zone: name, signed, servers: count }, index, all): PathNode => ({
      zone: name === '' ? (chain.length > 0 ? '. (root)' : 'Zones above') : name,
      note: count === null ? null : `${formatCount(count)} ${count === 1 ? 'server' : 'servers'}`,
      trust: name === '' && signed ? 'trust anchor' : signed ? 'signed' : null,
      link: index < all.length - 1 ? (all[index + 1]!.signed ? 'signed' : 'plain') : last,
    }),
  );
  const drawn = servers.map(each => serverOf(each, since(each.server)));
  return {
    zone,
    nodes,
    servers: drawn,
    words: inWords(zone, { isDelegated, broken: last === 'broken' ? (broken?.detail ?? null) : null, servers: drawn }),
  };
}

function serverOf({ server, address, state, said, serial, udpMs, tcpMs }: CheckedServer, since: string | null): PathServer {
  const base = { id: `${server} ${address}`, server, address };
  if (state === 'authoritative')
    return {
      ...base,
      state: 'good',
      said: 'Answers with authority',
      note: `serial ${serial ?? 'unknown'} · UDP ${milliseconds(udpMs)} · TCP ${milliseconds(tcpMs)}`,
    };
  const note = [state === 'silent' ? 'UDP and TCP' : `UDP ${milliseconds(udpMs)}, TCP ${milliseconds(tcpMs)}`, since]
    .filter(Boolean)
    .join(' · ');
  return { ...base, state: state === 'unreached' ? 'unknown' : 'fault', said: capital(said), note };
}

function inWords(
  zone: string,
  { isDelegated, broken, servers }: { isDelegated: boolean; broken: string | null; servers: readonly PathServer[] },
): string {
  if (!isDelegated) return `The path ends at the parent zone: it doesn’t delegate ${zone}.`;
  if (broken !== null) return `The chain of trust breaks at ${zone}: ${broken}. Resolvers that validate stop there.`;
  const faults = servers.filter(({ state }) => state === 'fault');
  const good = servers.filter(({ state }) => state === 'good');
  if (faults.length === 0)
    return servers.length === 0 ? 'No name server was found.' : 'Every step holds, from the root to each name server.';
  const names = [...new Set(faults.map(({ server }) => server))].join(' and ');
  return good.length === 0
    ? `Everything down to ${zone} holds, then no name server answers: lookups fail.`
    : `Everything down to ${zone} holds. The path breaks at ${names}, so lookups that try it first wait, then try another.`;
}
