import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../src/platform/demo.ts';
import { callOf, drawSent, endpointOf, type Known, type Sent } from './writers.ts';

/** Answers that say that something has failed for now, or that it is enough for now. Of anything else a client learns nothing about what failed. */
const outages = new Set([429, 503, 504]);
/** Answers after which a client knows that nothing was saved. */
const refusals = new Set([412, 429]);
/** Time in ms that a client takes before it asks again: people read. */
const THINKS_MS = 60;
/** A client gives up after this, in ms, and doesn't know what became of its change. */
const GIVES_UP_MS = 15_000;
/** Findings that are kept: those that follow are the same. */
const MAX_FINDINGS = 10;
const WRITERS = 6;
const READERS = 4;

type Answer = { status: number | null; body: string };
type To = { ports: readonly number[]; whoisPort: number; host: string; known: Omit<Known, 'version'> };

/** Clients of a registry that is harmed meanwhile: they change things and keep what they were told, and read. */
export class ChaosLoad {
  readonly sent: Sent[] = [];
  /** Answers that no client should get. */
  readonly findings: string[] = [];
  answers = 0;
  readonly #to: To;
  readonly #random: Random;
  readonly #agent = new http.Agent({ keepAlive: true });
  #tokens = new Map<string, string>();
  #clients: Promise<unknown> = Promise.resolve();
  #isOver = true;
  #number = 0;
  readonly #thinks: number;
  constructor(to: To, random: Random, thinks = THINKS_MS) {
    this.#thinks = thinks;
    this.#to = to;
    this.#random = random;
  }

  /** Sends one request to one of the processes. No answer is one without a status. */
  call(path: string, { method = 'GET', headers = {}, body = '' as string | Buffer, port = this.#port() } = {}): Promise<Answer> {
    return new Promise(resolve => {
      const sent = { host: this.#to.host, 'content-length': Buffer.byteLength(body), ...headers };
      const failed = (error: Error): void => resolve({ status: null, body: error.message });
      const signal = AbortSignal.timeout(GIVES_UP_MS);
      http
        .request({ agent: this.#agent, host: '127.0.0.1', port, path, method, headers: sent, signal }, response => {
          text(response).then(said => resolve({ status: response.statusCode!, body: said }), failed);
        })
        .on('error', failed)
        .end(body);
    });
  }

  /** Reads a file that anyone may read. */
  async file(path: string): Promise<{ status: number | null; body: Buffer; headers: http.IncomingHttpHeaders }> {
    const sent = http.get({ agent: this.#agent, host: '127.0.0.1', port: this.#port(), path, headers: { host: this.#to.host } });
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    return { status: response.statusCode ?? null, body: await buffer(response), headers: response.headers };
  }

  #port(): number {
    return this.#to.ports[this.#random(this.#to.ports.length)]!;
  }

  #headers(person: string, more: Record<string, string> = {}): Record<string, string> {
    return { authorization: `Bearer ${this.#tokens.get(person)}`, 'content-type': 'application/json', ...more };
  }

  /** Asks whois. @returns what it said, or null where it gave no whole answer */
  async askWhois(query: string): Promise<string | null> {
    const socket = net.connect({ port: this.#to.whoisPort, host: '127.0.0.1', allowHalfOpen: true });
    socket.setTimeout(GIVES_UP_MS, () => socket.destroy());
    socket.write(`${query}\r\n`);
    const said = await text(socket).catch(() => '');
    socket.end();
    return said.includes('% This query was served by') ? said : null;
  }

  /** The version of the list of ROAs, which a change of them names. */
  async #roaVersion(): Promise<number | null> {
    const { status, body } = await this.call('/api/EXAMPLE-AU/rpki/roas?limit=1', { headers: this.#headers('corin') });
    this.#judge('the list of ROAs', { status, body });
    return status === 200 ? (JSON.parse(body) as { version: number }).version : null;
  }

  #judge(what: string, { status, body }: Answer): void {
    this.answers++;
    if (status !== null && status >= 400 && !outages.has(status)) this.#note(`${what}: ${status} ${body.slice(0, 400)}`);
  }

  #note(finding: string): void {
    if (this.findings.length < MAX_FINDINGS) this.findings.push(finding);
  }

  async #write(): Promise<void> {
    const change = drawSent(this.#number++, this.#random);
    const version = change.kind === 'roa' ? await this.#roaVersion() : 0;
    if (version === null) return;
    const { endpoint, path, body } = callOf(change, { version, ...this.#to.known });
    const isFile = Buffer.isBuffer(body);
    this.sent.push(change);
    const headers = this.#headers(change.person, {
      'idempotency-key': change.key,
      traceparent: `00-${change.traceId}-${change.traceId.slice(16)}-01`,
      ...(isFile && { 'content-type': 'application/octet-stream' }),
    });
    const answer = await this.call(path, { method: endpoint.method, headers, body: isFile ? body : JSON.stringify(body) });
    if (answer.status === 200) change.saved = true;
    else if (answer.status !== null && refusals.has(answer.status)) change.saved = false;
    // Another client changed the list of ROAs since.
    if (answer.status === 412 && change.kind === 'roa') this.answers++;
    else this.#judge(`a change (${change.kind} ${change.number})`, answer);
  }

  async #read(place: number): Promise<void> {
    const [path, person] = (
      [
        ['/api/me', 'corin'],
        ['/api/EXAMPLE-AU/whois/objects?limit=20', 'tess'],
        ['/api/EXAMPLE-AU/activity-log?limit=20', 'corin'],
        ['/resources/ipv4', null],
        ['/rdap/ip/198.18.0.0/24', null],
        ['/whois/198.18.0.0/24', null],
      ] as const
    )[place % 7] ?? [null, null];
    if (path === null) {
      this.answers += (await this.askWhois('198.18.0.0/24')) === null ? 0 : 1;
      return;
    }
    this.#judge(path, await this.call(path, { headers: person === null ? {} : this.#headers(person) }));
  }

  /** Starts the clients. @param tokens bearers by person */
  start(tokens: Map<string, string>): void {
    this.#tokens = tokens;
    this.#isOver = false;
    const client = async (work: (round: number) => Promise<void>): Promise<void> => {
      for (let round = 0; !this.#isOver; round++) {
        await work(round);
        await pause(this.#thinks);
      }
    };
    this.#clients = Promise.all([
      ...Array.from({ length: WRITERS }, () => client(() => this.#write())),
      ...Array.from({ length: READERS }, (_, n) => client(round => this.#read(n + round))),
    ]);
  }

  /** Stops them, each after its last answer. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }

  /** Asks what became of the changes of which that is not known. @returns those of which it still isn't */
  async settle(): Promise<Sent[]> {
    for (const change of this.sent.filter(({ saved }) => saved === null)) {
      const body = JSON.stringify({ endpoint: endpointOf(change).id, key: change.key });
      const { status, body: said } = await this.call('/api/change-outcomes', {
        method: 'POST',
        headers: this.#headers(change.person),
        body,
      });
      if (status === 200) change.saved = (JSON.parse(said) as { outcome: string }).outcome === 'saved';
    }
    return this.sent.filter(({ saved }) => saved === null);
  }

  /** Cuts the connections of all clients, in the middle of what they send and read. */
  cut(): void {
    this.#agent.destroy();
  }
}
