import { SECOND_MS } from '@portal/contract/days';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../../platform/http/caller.ts';
import { Failure, refuseWith } from '../../../platform/failure.ts';
import { type LiveEvent, opens } from './live-events.ts';
import type { SessionValidity } from './session-validity.ts';

export type SessionEventsOptions = {
  /** @throws Failure NOT_SIGNED_IN, SESSION_ENDED, UNAVAILABLE */
  verifyBearer: (authorization: string | undefined) => Promise<Caller>;
  validity: Pick<SessionValidity, 'of' | 'watch'>;
  clock: () => Date;
  /** Receives changes to people's screens; without it no such events are sent. */
  live?: (heard: (event: LiveEvent) => void) => Promise<() => Promise<unknown>>;
  /** The permissions of a person of registry staff at this moment, from the database. Without it staff hear only of what is theirs. */
  staffPermissionsOf?: ((loginId: string) => Promise<ReadonlySet<string>>) | undefined;
  /** Maximum concurrent streams of this process. */
  maxStreams?: number;
};

/** Maximum concurrent streams of one session; a sixth tab retries later. */
const MAX_STREAMS_OF_SESSION = 5;
/** Proxies cut connections that are silent for 30 or 60 seconds. */
const HEARTBEAT_MS = 25_000;
/** How long, in ms, a peer may take to read the last event. */
const CLOSE_TIMEOUT_MS = 5000;
const RETRY_SECONDS = '60';
const RECONNECT_MS = 1000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Stream = { caller: Caller; send: (text: string) => void; close: (event?: 'signed-out' | 'expired') => void; beat: () => void };

/**
 * GET /api/session-events: tells a tab when its session is over, in whichever process it ended, as server-sent events
 * (WHATWG HTML 9.2). `signed-out` with the `sid` when the session ended or the login was disabled, `expired` at the end of the bearer's
 * life; either is the last. `live` says in between that something on the person's screens has changed: what, and its id. With a provider on another site a tab has no other way to learn of it immediately (S11).
 */
export function sessionEventRoutes(
  app: FastifyInstance,
  { verifyBearer, validity, clock, live, staffPermissionsOf, maxStreams = 2000 }: SessionEventsOptions,
): void {
  const streams = new Set<Stream>();

  /** Checks whether the session is still open; if the database can't answer now, the next change checks again, as the API does at every call. */
  const look = async ({ caller, close }: Stream): Promise<void> => {
    try {
      if (await validity.of(caller.issuer, caller.subject, caller.sid)) return;
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'UNAVAILABLE') return;
    }
    close('signed-out');
  };
  const stopWatching = validity.watch(changed => {
    for (const stream of streams) {
      if (changed === 'all') void look(stream);
      else if ('sid' in changed) {
        if (stream.caller.sid === changed.sid) stream.close('signed-out');
      } else if (stream.caller.loginId === changed.login) void look(stream);
    }
  });
  const listening = live?.(event => passOn(event, streams, staffPermissionsOf));
  listening?.catch(() => undefined);
  const heart = setInterval(() => {
    for (const { beat } of streams) beat();
  }, HEARTBEAT_MS);
  heart.unref();
  app.addHook('preClose', async () => {
    clearInterval(heart);
    stopWatching();
    await listening?.then(
      stop => stop(),
      () => undefined,
    );
    for (const { close } of streams) close();
  });

  // A HEAD request would never end.
  app.get('/api/session-events', { exposeHeadRoute: false }, async (request, reply) => {
    const caller = await verifyBearer(request.headers.authorization);
    const owner = ownerOf(caller);
    const ofOwner = [...streams].filter(stream => ownerOf(stream.caller) === owner).length;
    const later = { 'retry-after': RETRY_SECONDS };
    if (ofOwner >= MAX_STREAMS_OF_SESSION) throw refuseWith(later, 'TOO_MANY_REQUESTS', { seconds: RETRY_SECONDS });
    if (streams.size >= maxStreams) throw refuseWith(later, 'UNAVAILABLE');

    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    raw.write(': open\n\n');

    let farewell: NodeJS.Timeout | undefined;
    const stream: Stream = {
      caller,
      // The next heartbeat ends a client that doesn't read.
      send: text => void (raw.writableLength === 0 && raw.write(text)),
      close: event => {
        if (!streams.delete(stream)) return;
        clearTimeout(expiry);
        // This process ends without an event, and another one answers within a second.
        raw.end(event ? `event: ${event}\ndata: ${JSON.stringify({ sid: caller.sid })}\n\n` : `retry: ${RECONNECT_MS}\n\n`);
        farewell = setTimeout(() => raw.destroy(), CLOSE_TIMEOUT_MS);
        farewell.unref();
      },
      beat: () => {
        // A client that didn't read the last heartbeat doesn't get the event either.
        if (raw.writableLength > 0) raw.destroy();
        else raw.write(':\n\n');
      },
    };
    const lives = Math.max(0, caller.expiresAt * SECOND_MS - clock().getTime());
    const expiry = setTimeout(() => stream.close('expired'), Math.min(lives, LONGEST_TIMER_MS));
    expiry.unref();
    raw.on('close', () => {
      streams.delete(stream);
      clearTimeout(expiry);
      clearTimeout(farewell);
    });
    streams.add(stream);
    // A session that ended between the check and now was announced before this stream listened.
    await look(stream);
  });
}

/**
 * Passes an event on to the streams of its people, and to those of registry staff that may read what it is about. Staff are asked about anew for each event, as at every call: a
 * role may have ended since the stream was opened. Without an answer nothing is sent.
 */
function passOn(event: LiveEvent, streams: ReadonlySet<Stream>, staffPermissionsOf: SessionEventsOptions['staffPermissionsOf']): void {
  const { what, id, logins } = event;
  const text = `event: live\ndata: ${JSON.stringify({ what, id })}\n\n`;
  const staff = new Set<string>();
  for (const { caller, send } of streams)
    if (logins.includes(caller.loginId)) send(text);
    else if (caller.staff && caller.mfa) staff.add(caller.loginId);
  const sendTo = async (loginId: string): Promise<void> => {
    const held = await staffPermissionsOf?.(loginId).catch(() => undefined);
    if (!held || !opens(event, held)) return;
    for (const { caller, send } of streams) if (caller.loginId === loginId && caller.mfa) send(text);
  };
  for (const loginId of staff) void sendTo(loginId);
}

const ownerOf = ({ issuer, subject, sid }: Caller): string => sid ?? `${issuer} ${subject}`;
