import type { Lite } from './lite.ts';
import { errorResponse, messagesOf, queryMessage, READY, READY_IDLE, readyStatus } from './lite-messages.ts';

/** A connection as the arbiter sees it. */
export interface LiteClient {
  /** Settings of the session, from the options of its startup packet. */
  readonly settings: ReadonlyMap<string, string>;
  readonly destroyed: boolean;
  /** Hands backend messages to the client; ignored when it is gone. */
  deliver(bytes: Uint8Array): void;
  destroy(error?: Error): unknown;
}

interface Round {
  client: LiteClient;
  bytes: Uint8Array;
  /** True if the round ends with a message that the backend answers with ReadyForQuery. */
  synced: boolean;
  since: number;
}

const NOTIFICATION = 0x41;
const COMMAND_COMPLETE = 0x43;
const IDLE = 0x49;
/** Command tags of statements that may leave the session in another mode than the arbiter put it in. */
const MODE_TAGS = /^(SET|RESET|DISCARD)\b/;

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const modeOf = (settings: ReadonlyMap<string, string>): string => JSON.stringify([...settings].sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Shares the one backend of the embedded database among many connections, with the semantics of a server:
 * - whole protocol rounds, first come first served;
 * - an open transaction keeps the backend to itself, and is rolled back when its connection dies;
 * - each connection's own settings are in force during its rounds;
 * - a notification reaches every connection;
 * - a round that waits more than `waitLimit` ms for an idle transaction of another connection is answered 57014:
 *   almost always it was sent from inside that transaction, and both would deadlock. A transaction that is busy is waited for six times as long.
 */
export class LiteArbiter {
  #lite: Lite;
  #waitLimit: number;
  #queue: Round[] = [];
  #clients = new Set<LiteClient>();
  #owner: LiteClient | null = null;
  #ownerSince = 0;
  #ownerIdleSince = 0;
  #running = false;
  #alarm: NodeJS.Timeout | null = null;
  /** The current mode of the backend; null if a connection has changed it itself. */
  #mode: string | null = modeOf(new Map());
  #settingsSeen = new Set<string>();
  #lost: Error | null = null;

  constructor(lite: Lite, waitLimit: number) {
    this.#lite = lite;
    this.#waitLimit = waitLimit;
    lite.onLost(error => {
      this.#lost = error;
      for (const client of this.#clients) client.destroy(error);
    });
  }

  join(client: LiteClient): void {
    if (this.#lost) {
      client.destroy(this.#lost);
      return;
    }
    this.#clients.add(client);
    for (const name of client.settings.keys()) this.#settingsSeen.add(name);
  }

  leave(client: LiteClient): void {
    this.#clients.delete(client);
    this.#queue = this.#queue.filter(round => round.client !== client);
    void this.#pump();
  }

  submit(client: LiteClient, bytes: Uint8Array, synced: boolean): void {
    this.#queue.push({ client, bytes, synced, since: performance.now() });
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      for (;;) {
        if (this.#owner?.destroyed) {
          await this.#lite.round(queryMessage('rollback')).catch(() => {});
          this.#owner = null;
        }
        const next = this.#owner ? this.#queue.findIndex(({ client }) => client === this.#owner) : 0;
        const round = next < 0 ? undefined : this.#queue.splice(next, 1)[0];
        if (!round) break;
        await this.#run(round);
      }
    } finally {
      this.#running = false;
      this.#watch();
    }
  }

  async #run({ client, bytes, synced }: Round): Promise<void> {
    const prelude = this.#owner ? null : this.#modeChange(client);
    let answer: Uint8Array;
    try {
      answer = await this.#lite.round(prelude ? Buffer.concat([prelude, bytes]) : bytes);
    } catch (error) {
      const failure = errorResponse('XX000', error instanceof Error ? error.message : 'The embedded database failed');
      client.deliver(synced ? Buffer.concat([failure, READY_IDLE]) : failure);
      return;
    }
    const kept: Uint8Array[] = [];
    let inPrelude = prelude !== null;
    let status: number | null = null;
    for (const message of messagesOf(answer)) {
      if (message[0] === NOTIFICATION) {
        for (const each of this.#clients) each.deliver(message);
      } else if (inPrelude) {
        inPrelude = message[0] !== READY;
      } else {
        if (message[0] === READY) status = readyStatus(message);
        else if (message[0] === COMMAND_COMPLETE && MODE_TAGS.test(Buffer.from(message.subarray(5, 14)).toString('latin1')))
          this.#mode = null;
        kept.push(message);
      }
    }
    // Without a ReadyForQuery the client is in the middle of its pipeline and keeps the backend until it synchronises.
    const keeps = status === null ? !synced : status !== IDLE;
    const now = performance.now();
    if (keeps && this.#owner !== client) this.#ownerSince = now;
    this.#ownerIdleSince = now;
    this.#owner = keeps ? client : null;
    client.deliver(Buffer.concat(kept));
  }

  /** The statement that applies the client's settings, if others are in force. */
  #modeChange(client: LiteClient): Uint8Array | null {
    const mode = modeOf(client.settings);
    if (mode === this.#mode) return null;
    this.#mode = mode;
    const statements = [...this.#settingsSeen].map(name => {
      const value = client.settings.get(name);
      return value === undefined ? `reset ${name}` : `set ${name} = ${literal(value)}`;
    });
    return queryMessage(statements.join('; '));
  }

  /** Fails the rounds that have waited too long for the backend's owner, and checks again when the next one is due. */
  #watch(): void {
    if (this.#alarm) clearTimeout(this.#alarm);
    this.#alarm = null;
    if (!this.#owner || this.#queue.length === 0) return;
    const now = performance.now();
    let nextLook = Infinity;
    const waiting: Round[] = [];
    for (const round of this.#queue) {
      const idle = Math.max(round.since, this.#ownerIdleSince) + this.#waitLimit - now;
      const busy = Math.max(round.since, this.#ownerSince) + 6 * this.#waitLimit - now;
      if (idle > 0 && busy > 0) {
        nextLook = Math.min(nextLook, idle, busy);
        waiting.push(round);
        continue;
      }
      const failure = errorResponse(
        '57014',
        `The embedded database waited ${Math.round((now - round.since) / 100) / 10} s for another connection's open transaction`,
        'Inside change, use change: a query on another connection waits for the transaction that waits for it.',
      );
      round.client.deliver(round.synced ? Buffer.concat([failure, READY_IDLE]) : failure);
    }
    this.#queue = waiting;
    if (nextLook < Infinity) this.#alarm = setTimeout(() => this.#watchIfIdle(), Math.ceil(nextLook));
  }

  #watchIfIdle(): void {
    if (!this.#running) this.#watch();
  }
}
