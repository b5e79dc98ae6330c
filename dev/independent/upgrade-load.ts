import { randomBytes } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { api } from '@portal/contract/api';

/** Time in ms that a client takes before it asks again: people read. Without it fifty programs would load the machine, and starts be slow. */
const THINKS_MS = 250;

export type Answer = { status: number | null; body: string; by: string };
type Asked = { method?: string; headers?: Record<string, string>; body?: string; port?: number };

/** Clients that read and change through the portal, and ask whois, until they are stopped. */
export class UpgradeLoad {
  /** Trace ids of acknowledged changes. */
  readonly acknowledged: string[] = [];
  /** Requests that were answered with anything but success, in words. */
  readonly failures: string[] = [];
  /** Number of answers of each server, by its name. */
  readonly answers: Record<string, number> = {};
  readonly #agent: http.Agent;
  readonly #to: { people: number; lines: number; host: string };
  #isOver = false;
  #clients: Promise<unknown> = Promise.resolve();
  constructor(to: { people: number; lines: number; host: string }) {
    this.#to = to;
    this.#agent = new http.Agent({ keepAlive: true });
  }

  /** Sends one request. A connection that breaks is an answer without a status. */
  call(url: string, { method = 'GET', headers = {}, body = '', port = this.#to.people }: Asked = {}): Promise<Answer> {
    return new Promise(resolve => {
      const sent = { host: this.#to.host, 'content-length': Buffer.byteLength(body), ...headers };
      const failed = (error: Error): void => resolve({ status: null, body: error.message, by: '' });
      http
        .request({ agent: this.#agent, host: '127.0.0.1', port, path: url, method, headers: sent }, response => {
          const by = String(response.headers['x-server']);
          text(response).then(said => resolve({ status: response.statusCode!, body: said, by }), failed);
        })
        .on('error', failed)
        .end(body);
    });
  }

  /** Asks whois for a network. */
  async askWhois(): Promise<Answer> {
    const socket = net.connect({ port: this.#to.lines, host: '127.0.0.1', allowHalfOpen: true });
    socket.write('2001:db8::/32\r\n');
    const said = await text(socket).catch(String);
    socket.end();
    return { status: said.includes('% This query was served by') ? 200 : null, body: said, by: 'whois' };
  }

  async #change(token: string, round: number): Promise<Answer> {
    const traceId = randomBytes(16).toString('hex');
    const { method, path } = api.people.savePreferences;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${traceId.slice(16)}-01`,
    };
    const answer = await this.call(path, { method, headers, body: JSON.stringify({ hourCycle: round % 3 === 0 ? 'h12' : 'h23' }) });
    if (answer.status === 200) this.acknowledged.push(traceId);
    return answer;
  }

  #ask(kind: number, token: string, round: number): Promise<Answer> {
    if (kind === 0) return this.askWhois();
    if (kind === 1) return this.call('/rdap/help');
    if (kind === 2) return this.call('/resources/ipv4');
    if (kind < 5) return this.call('/api/me', { headers: { authorization: `Bearer ${token}` } });
    return this.#change(token, round);
  }

  /** Starts clients. @param tokens bearers of the people that they are in turn */
  start(clients: number, tokens: readonly string[]): void {
    const client = async (n: number): Promise<void> => {
      for (let round = 0; !this.#isOver; round++) {
        const kind = (n + round) % 8;
        const { status, body, by } = await this.#ask(kind, tokens[n % tokens.length]!, round);
        if (status === 200) this.answers[by] = (this.answers[by] ?? 0) + 1;
        else this.failures.push(`kind ${kind}, ${status} of ${by}: ${body.slice(0, 300)}`);
        await pause(THINKS_MS);
      }
    };
    this.#clients = Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
  }

  /** Stops them, each after its last answer. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
    this.#agent.destroy();
  }
}
