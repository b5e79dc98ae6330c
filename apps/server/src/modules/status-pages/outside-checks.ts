import { Resolver } from 'node:dns/promises';
import { createConnection } from 'node:net';
import { SECOND_MS } from '@portal/contract/days';
import type { State } from './service-states.ts';

/** Places that a watcher asks; those that are null are not asked. */
export type WatchedPlaces = {
  portal: string | null;
  whois: { host: string; port: number } | null;
  /** A network that whois, RDAP and the name server are asked about: one that the registry holds. */
  network: string;
  rdap: string | null;
  dns: { server: string; zone: string } | null;
  rrdp: string | null;
  rsync: string | null;
};

export type OutsideCheck = { service: OutsideName; state: State; milliseconds: number; note: string };
/** One round of a watcher, as it writes it and the status page reads it. */
export type OutsideReport = { version: 1; at: string; checks: OutsideCheck[] };

/** Services as seen from outside, by the names of their days. */
export const outsideServices = {
  'outside-portal': 'Member portal',
  'outside-whois': 'Whois, port 43',
  'outside-rdap': 'RDAP',
  'outside-dns': 'Reverse DNS',
  'outside-rrdp': 'RPKI repository, RRDP',
  'outside-rsync': 'RPKI repository, rsync',
} as const;
export type OutsideName = keyof typeof outsideServices;
export const outsideNames = Object.keys(outsideServices) as OutsideName[];

/** How long, in ms, an answer may take; after the first of these it is late. */
const LATE_MS = 3 * SECOND_MS;
const ANSWER_MS = 10 * SECOND_MS;
/** Bytes of an answer that are read at most. */
const MAX_BYTES = 1024 * 1024;

/** An answer that a check can’t accept, in words for the status page. */
class WrongAnswer extends Error {}

/** Sends a line to a TCP server and returns what it answers: until it closes the connection, or until `isEnough`. */
function askLine({ host, port }: { host: string; port: number }, line: string, isEnough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port });
    let text = '';
    const timer = setTimeout(() => socket.destroy(new WrongAnswer('No answer within 10 seconds.')), ANSWER_MS);
    socket.setEncoding('utf8');
    socket.on('connect', () => {
      if (line !== '') socket.write(line);
    });
    socket.on('data', (part: string) => {
      text += part;
      if (isEnough(text) || text.length > MAX_BYTES) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

/** Reads the beginning of an answer: what follows is not waited for. */
export async function boundedText(answer: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > most) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Asks a web address; a redirect is no answer, because calls go out to named hosts alone. */
async function askWeb(url: string, accept: string): Promise<string> {
  const answer = await fetch(url, { headers: { accept }, signal: AbortSignal.timeout(ANSWER_MS), redirect: 'manual' });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new WrongAnswer(`Status ${answer.status}.`);
  }
  return boundedText(answer, MAX_BYTES);
}

const mustHave = (text: string, pattern: RegExp, what: string): void => {
  if (!pattern.test(text)) throw new WrongAnswer(`The answer isn’t ${what}.`);
};

/** The checks, each by the protocol that its readers speak. */
const checks: Readonly<Record<OutsideName, (places: WatchedPlaces) => (() => Promise<void>) | null>> = {
  'outside-portal': ({ portal }) => (portal === null ? null : async () => mustHave(await askWeb(portal, 'text/html'), /<html/i, 'a page')),
  'outside-whois': ({ whois, network }) =>
    whois &&
    (async () => {
      const text = await askLine(whois, `-r ${network}\r\n`, () => false);
      mustHave(text, /^inet6?num:/m, 'a network');
    }),
  'outside-rdap': ({ rdap, network }) =>
    rdap === null
      ? null
      : async () =>
          mustHave(await askWeb(`${rdap}/ip/${network}`, 'application/rdap+json'), /"objectClassName":\s*"ip network"/, 'a network'),
  'outside-dns': ({ dns }) =>
    dns &&
    (async () => {
      const resolver = new Resolver({ timeout: LATE_MS, tries: 2 });
      resolver.setServers([dns.server]);
      await resolver.resolveSoa(dns.zone);
    }),
  'outside-rrdp': ({ rrdp }) =>
    rrdp === null
      ? null
      : async () => {
          const text = await askWeb(rrdp, 'application/xml');
          mustHave(text, /<notification\b[^>]*\bserial="\d+"/, 'a notification file');
          const snapshot = /<snapshot\b[^>]*\buri="([^"]+)"/.exec(text)?.[1];
          if (snapshot === undefined || !URL.canParse(snapshot) || new URL(snapshot).origin !== new URL(rrdp).origin)
            throw new WrongAnswer('The notification file names no snapshot of this server.');
          const answer = await fetch(snapshot, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS), redirect: 'manual' });
          if (!answer.ok) throw new WrongAnswer(`The snapshot has status ${answer.status}.`);
        },
  'outside-rsync': ({ rsync }) =>
    rsync === null
      ? null
      : async () => {
          const { hostname, port, pathname } = new URL(rsync);
          const place = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 873) };
          // The greeting of both sides, then the name of the module: the server says that it is there (OK, or its digests), or why not (@ERROR).
          const text = await askLine(place, `@RSYNCD: 27.0\n${pathname.split('/')[1] ?? ''}\n`, answer =>
            /^@(?:ERROR|RSYNCD: (?:OK|EXIT))/m.test(answer),
          );
          mustHave(text, /^@RSYNCD: \d/, 'of an rsync server');
          const error = /^@ERROR:? *(.{1,100})/m.exec(text)?.[1];
          if (error !== undefined) throw new WrongAnswer(`The server says: ${error}`);
          mustHave(text, /^@RSYNCD: OK/m, 'of this module');
        },
};

/** Why a check failed, in a sentence without addresses of the watcher. */
function reasonOf(error: unknown): string {
  if (error instanceof WrongAnswer) return error.message;
  const { code, name, cause } = error as { code?: string; name?: string; cause?: { code?: string } };
  const known = cause?.code ?? code ?? name ?? '';
  if (/TIMEDOUT|TimeoutError|ETIMEOUT/.test(known)) return 'No answer within 10 seconds.';
  if (/REFUSED/.test(known)) return 'The connection is refused.';
  if (/ENOTFOUND|EAI_AGAIN/.test(known)) return 'The name isn’t found.';
  return /CERT|TLS|SSL/.test(known) ? 'The certificate isn’t accepted.' : 'No answer.';
}

/** Asks all places once, at the same time. It never fails. */
export async function watchOnce(places: WatchedPlaces, now: () => Date): Promise<OutsideReport> {
  const found = await Promise.all(
    outsideNames.map(async (service): Promise<OutsideCheck | null> => {
      const check = checks[service](places);
      if (!check) return null;
      const begun = performance.now();
      let note = '';
      try {
        await check();
      } catch (error) {
        note = reasonOf(error);
      }
      const milliseconds = Math.round(performance.now() - begun);
      if (note !== '') return { service, state: 'down', milliseconds, note };
      return milliseconds > LATE_MS
        ? { service, state: 'late', milliseconds, note: 'It answers slowly.' }
        : { service, state: 'working', milliseconds, note: '' };
    }),
  );
  return { version: 1, at: now().toISOString(), checks: found.filter(check => check !== null) };
}

/** Sends a report to the status page with the token of its watcher. @returns what it answered; without a status why it didn’t */
export async function sendReport(report: OutsideReport, url: string, token: string): Promise<{ status: number | null; words: string }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(report),
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'manual',
    });
    return { status: answer.status, words: (await boundedText(answer, 1_000)).slice(0, 300) };
  } catch (error) {
    return { status: null, words: reasonOf(error) };
  }
}
