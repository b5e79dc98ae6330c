import type { Client } from 'pg';

export type NotificationHandler = (payload: string) => void;

/** The listening connection of a process. If lost, it reconnects automatically and reports both events. */
export interface Listening {
  /** True while notifications arrive; false from the loss of the connection until all channels are listened to again. */
  readonly listening: boolean;
  /** Starts listening on a channel and returns a function that stops it. Handlers are called in the order of their registration. */
  listen(channel: string, handler: NotificationHandler): Promise<() => Promise<void>>;
  /** Calls back whenever `listening` changes, so that caches can be bypassed meanwhile. Returns a function that stops it. */
  onListening(callback: (listening: boolean) => void): () => void;
  close(): Promise<void>;
}

const CHECK_EVERY = 15_000;
const ANSWER_WITHIN = 5_000;

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function listenThrough(connect: () => Promise<Client>, onError: (error: Error) => void): Listening {
  const handlers = new Map<string, Set<NotificationHandler>>();
  let client: Client | null = null;
  let connecting: Promise<void> | null = null;
  const state = watchedState();
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let check: NodeJS.Timeout | undefined;
  let statements = statementQueue();

  const lose = (lost: Client): void => {
    if (client !== lost) return;
    client = null;
    clearInterval(check);
    state.set(false);
    lost.end().catch(() => {});
    if (!closed && handlers.size > 0) reconnect(250);
  };

  const reconnect = (delay: number): void => {
    retry = setTimeout(() => {
      start().catch((error: unknown) => {
        onError(error as Error);
        if (!closed) reconnect(Math.min(delay * 2, 10_000));
      });
    }, delay);
    retry.unref();
  };

  const start = (): Promise<void> => {
    connecting ??= (async () => {
      const fresh = await connect();
      // A lost connection may never answer.
      statements = statementQueue();
      try {
        fresh.on('notification', ({ channel, payload }) => dispatch(handlers.get(channel) ?? [], channel, payload ?? '', onError));
        for (const channel of handlers.keys()) await statements.run(fresh, `listen ${identifier(channel)}`);
        if (closed) throw new Error('The database is closed.');
      } catch (error) {
        await fresh.end().catch(() => {});
        throw error;
      }
      client = fresh;
      fresh.on('error', () => lose(fresh));
      fresh.on('end', () => lose(fresh));
      check = probe(
        () => statements.run(fresh, 'select 1'),
        () => lose(fresh),
      );
      state.set(true);
    })().finally(() => {
      connecting = null;
    });
    return connecting;
  };

  return {
    get listening() {
      return state.get();
    },
    listen: async (channel, handler) => {
      if (closed) throw new Error('The database is closed.');
      const known = handlers.get(channel);
      if (known) known.add(handler);
      else handlers.set(channel, new Set([handler]));
      try {
        if (connecting) await connecting.catch(() => {});
        if (client) await statements.run(client, `listen ${identifier(channel)}`);
        else await start();
      } catch (error) {
        handlers.get(channel)?.delete(handler);
        throw error;
      }
      return async () => {
        const left = handlers.get(channel);
        left?.delete(handler);
        if (left?.size === 0) {
          handlers.delete(channel);
          if (client) await statements.run(client, `unlisten ${identifier(channel)}`).catch(() => {});
        }
      };
    },
    onListening: callback => state.watch(callback),
    close: async () => {
      closed = true;
      clearTimeout(retry);
      clearInterval(check);
      await connecting?.catch(() => {});
      const last = client;
      client = null;
      state.set(false);
      await last?.end().catch(() => {});
    },
  };
}

/** Queues statements: modules start and stop listening concurrently, and pg 9 refuses two statements at a time. */
function statementQueue() {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    run(on: Client, statement: string): Promise<unknown> {
      const result = turn.then(() => on.query(statement));
      turn = result.catch(() => {});
      return result;
    },
  };
}

/**
 * Calls the handlers of a channel. Any program with access to the database can notify, including another version of this one: an unreadable message
 * must not end the process.
 */
function dispatch(handlers: Iterable<NotificationHandler>, channel: string, payload: string, onError: (error: Error) => void): void {
  for (const handler of handlers)
    try {
      handler(payload);
    } catch (error) {
      onError(new Error(`A notification on ${channel} could not be read`, { cause: error }));
    }
}

/** Asks a connection now and then, since it can die silently (a firewall, a pulled cable). Returns the interval, which keeps no process alive. */
function probe(ask: () => Promise<unknown>, lost: () => void): NodeJS.Timeout {
  const check = setInterval(() => {
    const overdue = setTimeout(lost, ANSWER_WITHIN);
    ask().then(
      () => clearTimeout(overdue),
      () => {
        clearTimeout(overdue);
        lost();
      },
    );
  }, CHECK_EVERY);
  return check.unref();
}

/** Whether notifications arrive, for those who watch it. */
function watchedState() {
  const watchers = new Set<(listening: boolean) => void>();
  let listening = false;
  return {
    get: () => listening,
    set(now: boolean): void {
      if (listening === now) return;
      listening = now;
      for (const watcher of watchers) watcher(now);
    },
    watch(watcher: (listening: boolean) => void): () => void {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}
