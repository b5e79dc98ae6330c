import { isUtf8 } from 'node:buffer';
import type { Database } from '../../../platform/database/index.ts';
import { type LineServer, openLineServer, type Peer, type Reply } from '../../../platform/line-server.ts';
import type { Log } from '../../../platform/log.ts';
import { Durations } from '../../../platform/telemetry/durations.ts';
import { beginTrace } from '../../../platform/telemetry/spans.ts';
import { answerImmediately, answerQuery } from './answer.ts';
import { type FollowedCopy, openFollowedCopy } from './copy/followed-copy.ts';
import { answerIrr, type IrrSession, printRefusal } from './irr.ts';
import type { ConfiguredSource } from '../../foreign-sources/index.ts';
import { sourcesWithout } from './foreign-answer.ts';
import { type PersonalLimit, personalLimitOf } from './personal-limit.ts';
import { type QueryLine, readQueryLine } from './query-line.ts';
import type { AnswerPart, FindElsewhere, QueryPlace } from './query-place.ts';
import { printProblem, problems, QueryProblem } from './query-problem.ts';
import { openRouteOrigins } from './route-origins.ts';

export type Port43Options = {
  /** The primary, where the copy in memory and the origins of routes follow every change. */
  db: Database;
  /** Returns the database that one query reads, where the copy in memory doesn't answer it. */
  dbForQuestion: () => Database;
  host: string;
  port: number;
  /** The registry profile itself, not a copy: its limit of personal data is shared with RDAP and the pages of whois. */
  registry: { source: string; whoisHost: string; whoisTermsUrl: string; personalLookupsPerDay: number; irrRpkiFilter: boolean };
  release: string;
  /** Addresses that may ask for others (`-V tag,address`) and open many connections. */
  trustedProxies: readonly string[];
  /** Memory for the copy of objects with addresses; 0: the database is asked each time. */
  memoryMegabytes: number;
  /** Sources of other registries that are mirrored here. */
  foreign?: readonly ConfiguredSource[] | undefined;
  /** Says where to ask for what other registries have. */
  elsewhere?: FindElsewhere | undefined;
  /** Answers what mirrors ask with `-g`, piece by piece. */
  mirror: (asked: string) => AsyncIterable<string>;
  log: Log;
  clock?: () => Date;
};

export type Port43 = {
  readonly port: number;
  /** Counts since the start: answers by kind of query, problems by number, and connections. */
  statistics(): { queries: Record<string, number>; problems: Record<string, number>; connections: LineServer['connections'] };
  /** The copy in memory; null while it is not there or behind. */
  copy(): ReturnType<FollowedCopy['state']>;
  /** The same as lines of Prometheus text. */
  metrics(): string[];
  close(): Promise<void>;
};

const LONGEST_LINE = 1024;
const IDLE = 30_000;
const CONNECTIONS = { all: 5_000, ofAddress: 200 };

/** The whois service: queries with flags (`query-flags.ts`) and the IRRd protocol (`irr.ts`) on one port. */
export async function openPort43(options: Port43Options): Promise<Port43> {
  const { db, registry, release, log, clock = () => new Date() } = options;
  const origins = await openRouteOrigins(db, log);
  const place: QueryPlace = {
    db,
    source: registry.source,
    host: registry.whoisHost,
    get termsUrl() {
      return registry.whoisTermsUrl;
    },
    release,
    elsewhere: options.elsewhere,
    foreign: options.foreign ?? [],
    origins: () => origins.index(),
  };
  const trusted = new Set(options.trustedProxies);
  const counts: Counts = { queries: {}, problems: {}, durations: new Durations('whois_query_duration_seconds') };
  const copy = await openFollowedCopy(db, { maxBytes: options.memoryMegabytes * 2 ** 20, log });
  const service: Service = {
    place,
    placeOfQuestion: () => ({ ...place, db: options.dbForQuestion() }),
    rpkiFilter: registry.irrRpkiFilter,
    trusted,
    limit: personalLimitOf(registry, clock),
    mirror: options.mirror,
    irrPeers: new WeakSet(),
    counts,
    get banner() {
      return `% [${place.host}]\n% Whois data copyright terms    ${place.termsUrl}\n\n`;
    },
    closing: `% This query was served by the ${place.source} Whois Service version ${release} (${place.host})\n\n\n`,
  };

  const server = await openLineServer({
    host: options.host,
    port: options.port,
    longestLine: LONGEST_LINE,
    idle: IDLE,
    connections: { all: CONNECTIONS.all, ofAddress: address => (trusted.has(address) ? CONNECTIONS.all : CONNECTIONS.ofAddress) },
    converse: peer => converse(service, peer),
    refusals: {
      lineTooLong: peer =>
        service.irrPeers.has(peer)
          ? printRefusal(`A command has at most ${LONGEST_LINE} bytes`)
          : `${service.banner}${printProblem(problems.lineTooLong(LONGEST_LINE))}\n\n`,
      idle: `${printProblem(problems.idle())}\n\n`,
      tooMany: `${service.banner}${printProblem(problems.tooManyConnections())}\n\n`,
      failed: peer =>
        service.irrPeers.has(peer)
          ? printRefusal('Internal error: the command could not be answered')
          : `${printProblem(problems.internal())}\n\n`,
    },
    onError: error => log.error('whois query failed', { error }),
  });
  return {
    get port() {
      return server.port;
    },
    statistics: () => ({ queries: { ...counts.queries }, problems: { ...counts.problems }, connections: server.connections }),
    copy: () => copy.state(),
    metrics: () => metricsOf(counts, server.connections, copy.state()),
    close: async () => {
      await server.close();
      await copy.stop();
      await origins.stop();
    },
  };
}

/** Answers since the start: by kind of query, problems by number, and how long answers took by kind, without what the client took to read them. */
type Counts = { queries: Record<string, number>; problems: Record<string, number>; durations: Durations };

const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** The service as its conversations see it. */
type Service = {
  /** With the copy in memory, which has every change. */
  place: QueryPlace;
  /** For one query that the copy doesn't answer alone: both together would show an object that is not behind its reference. */
  placeOfQuestion: () => QueryPlace;
  /** Whether a conversation begins without routes that ROAs make invalid. */
  rpkiFilter: boolean;
  trusted: ReadonlySet<string>;
  limit: PersonalLimit;
  mirror: Port43Options['mirror'];
  /** Clients whose last line was a command of the IRRd protocol, or that keep their connection open for such. */
  irrPeers: WeakSet<Peer>;
  counts: Counts;
  /** Before the first answer of a conversation, and after each. */
  banner: string;
  closing: string;
};

/** Writes a problem, and counts it. */
function refusalOf({ counts }: Service, problem: QueryProblem): string {
  count(counts.problems, String(problem.code));
  return `${printProblem(problem)}\n`;
}

/** Returns what answers the lines of one connection. */
function converse(service: Service, peer: Peer): (line: Buffer) => Reply {
  const { place, placeOfQuestion, limit, trusted, counts, closing } = service;
  const session: IrrSession & { greeted: boolean } = {
    sources: sourcesWithout(place),
    keepOpen: false,
    rpkiFilter: service.rpkiFilter,
    without: new Set(),
    persistent: false,
    greeted: false,
  };
  const greet = (): string => {
    if (session.greeted) return '';
    session.greeted = true;
    return service.banner;
  };
  return bytes => {
    const line = textOfLine(bytes).trim();
    const irr = /^(?:-V\s*\S+\s+)?(!.*)$/s.exec(line)?.[1];
    if (irr !== undefined) {
      service.irrPeers.add(peer);
      return measured(counts, `irr ${/^![a-z6!]/i.test(irr) ? irr.slice(0, 2) : '!?'}`, () =>
        answerIrr({ ...placeOfQuestion(), limit }, session, peer, irr),
      );
    }
    if (!session.keepOpen) service.irrPeers.delete(peer);
    if (session.persistent && (line === '' || line === '-k')) return { answer: '', close: true };
    if (session.keepOpen && line === '') return { answer: '', close: false };
    const slice = /^-g\s*(\S.*)$/.exec(line)?.[1];
    if (keptMirror.test(line)) return { answer: `${greet()}${refusalOf(service, problems.mirrorNotKept())}${closing}`, close: true };
    if (slice !== undefined) {
      const close = !session.persistent && !session.keepOpen;
      return measured(counts, 'nrtm', () => ({ answer: service.mirror(slice), close }));
    }
    let query: QueryLine;
    try {
      query = readQueryLine(line, place);
      if (query.flags.has('persistent')) {
        session.persistent = true;
        if (query.key === '' && query.flags.size === 1) return { answer: greet(), close: false };
      }
    } catch (error) {
      if (!(error instanceof QueryProblem)) throw error;
      return { answer: `${greet()}${refusalOf(service, error)}${closing}`, close: !session.persistent && !session.keepOpen };
    }
    const client = clientOf(query, peer, trusted);
    const start = greet();
    const close = !session.persistent && !session.keepOpen;
    return measured(counts, kindOf(query), () => {
      if (client === null) return { answer: `${start}${refusalOf(service, problems.noProxy(peer.address))}${closing}`, close };
      const parts = answerTo(service, query, client);
      const answer =
        'text' in parts ? encoded(start + parts.text + closing, query.encoding) : joined(start, parts, closing, query.encoding);
      return { answer, close };
    });
  };
}

/** Counts a question, and measures and traces its answer: what is answered without waiting is measured alone, and a long answer until its last piece is there. */
function measured(counts: Counts, kind: string, answer: () => Reply): Reply {
  count(counts.queries, kind);
  const began = performance.now();
  const span = beginTrace(
    () => ({ name: `whois ${kind}`, kind: 'server', attributes: { 'whois.question': kind } }),
    () => ({}),
  );
  const note = (failure?: unknown): void => {
    counts.durations.note(`kind="${kind}"`, performance.now() - began);
    span?.end(failure);
  };
  const reply = span ? span.run(answer) : answer();
  const { answer: found } = reply;
  if (found instanceof Promise)
    return {
      ...reply,
      answer: found.then(
        whole => noted(whole, note),
        (error: unknown) => {
          note(error);
          throw error;
        },
      ),
    };
  return { ...reply, answer: noted(found, note) };
}

/** Calls `note` when an answer is whole, or its client is gone. */
function noted(answer: string | Buffer | AsyncIterable<string | Buffer>, note: () => void): typeof answer {
  if (typeof answer === 'string' || Buffer.isBuffer(answer)) {
    note();
    return answer;
  }
  return (async function* () {
    try {
      yield* answer;
    } finally {
      note();
    }
  })();
}

function metricsOf(
  { queries, problems: failures, durations }: Counts,
  connections: LineServer['connections'],
  copy: ReturnType<Port43['copy']>,
): string[] {
  const { objects = 0, bytes = 0 } = copy ?? {};
  const { open, refused, idled } = connections;
  return [
    '# TYPE whois_queries_total counter',
    ...Object.entries(queries).map(([kind, total]) => `whois_queries_total{kind="${kind}"} ${total}`),
    ...durations.lines(),
    '# TYPE whois_problems_total counter',
    ...Object.entries(failures).map(([code, total]) => `whois_problems_total{code="${code}"} ${total}`),
    '# TYPE whois_connections gauge',
    `whois_connections ${open}`,
    '# TYPE whois_connections_closed_total counter',
    `whois_connections_closed_total{why="refused"} ${refused}`,
    `whois_connections_closed_total{why="idle"} ${idled}`,
    '# TYPE whois_copy_objects gauge',
    `whois_copy_objects ${objects}`,
    '# TYPE whois_copy_bytes gauge',
    `whois_copy_bytes ${bytes}`,
  ];
}

/** A query of mirrors, `-g`, on a connection that it asks to keep open: in NRTM version 3 for changes as they come. */
const keptMirror = /^(?:-k(?:\s+-)?|--persistent-connection\s+-)g|^-g\s*\S+\s+(?:-k|--persistent-connection)$/;

/** UTF-8 if valid, else Latin-1, which old clients still send. */
const textOfLine = (bytes: Buffer): string => bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');

function kindOf({ flags, key }: QueryLine): string {
  if (flags.has('template') || flags.has('verbose')) return 'template';
  if (flags.has('inverse')) return 'inverse';
  if (/^[\da-f]*[.:][\da-f.:/ -]*$/i.test(key)) return 'address';
  if (/^as\d+( *- *as\d+)?$/i.test(key)) return 'as';
  return key === '' ? 'about' : 'name';
}

/** The address that asks: the connection's, or the one a trusted proxy names; null when the proxy is not trusted. */
function clientOf({ client }: QueryLine, peer: Peer, trusted: ReadonlySet<string>): string | null {
  if (!client?.address) return peer.address;
  return trusted.has(peer.address) ? client.address : null;
}

/** Returns the answer for this address, synchronously if possible; its problems appear where they occurred. */
function answerTo(service: Service, query: QueryLine, client: string): AnswerPart | AsyncGenerator<AnswerPart> {
  const { place, limit } = service;
  try {
    const refused = limit.refuses(client);
    if (refused) throw problems.denied(client, refused.forGood);
    const whole = answerImmediately(place, query);
    if (whole === null) return writeProblems(service, query, client);
    limit.count(client, whole.personal);
    return whole;
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    return { text: refusalOf(service, error), personal: 0 };
  }
}

async function* writeProblems(service: Service, query: QueryLine, client: string): AsyncGenerator<AnswerPart> {
  const { placeOfQuestion, limit } = service;
  try {
    for await (const part of answerQuery(placeOfQuestion(), query)) {
      limit.count(client, part.personal);
      yield part;
    }
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    yield { text: refusalOf(service, error), personal: 0 };
  }
}

/** One text if the answer has one part, as nearly all have; otherwise its parts as they come. */
async function joined(
  start: string,
  parts: AsyncGenerator<AnswerPart>,
  end: string,
  encoding: QueryLine['encoding'],
): Promise<string | Buffer | AsyncIterable<string | Buffer>> {
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  const opening = start + (first.done ? '' : first.value.text);
  if (second.done) return encoded(opening + end, encoding);
  return (async function* () {
    yield encoded(opening, encoding);
    yield encoded(second.value.text, encoding);
    for await (const { text } of parts) yield encoded(text, encoding);
    yield encoded(end, encoding);
  })();
}

function encoded(text: string, encoding: QueryLine['encoding']): string | Buffer {
  if (encoding === 'utf8') return text;
  // oxlint-disable-next-line no-control-regex -- all that the encoding has
  return Buffer.from(text.replace(encoding === 'latin1' ? /[^\u0000-\u00ff]/gu : /[^\u0000-\u007f]/gu, '?'), 'latin1');
}
