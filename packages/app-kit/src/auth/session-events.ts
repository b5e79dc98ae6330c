import { MINUTE_MS } from '@portal/contract/days';
import { newTraceparent } from '@portal/contract/trace';
import { liveChannel, readLiveMessage } from './live-channel.ts';
import { signOutChannel } from './sign-out-channel.ts';

/** Result of one connection to the stream: it reported the sign-out, ended like any connection, or is not offered here. */
type Outcome = { kind: 'signed-out' | 'ended' | 'absent' } | { kind: 'refused'; retryAfterMs: number };

const firstPauseMs = 1000;
const longestPauseMs = MINUTE_MS;
/** After a stream that lasted this long the next pause is short again. */
const goodStreamMs = 30_000;
/** The server sends a heartbeat every 25 seconds; after this long without one the connection is dead. */
const silenceMs = 90_000;

const noLonger = (signal: AbortSignal): boolean => signal.aborted;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/**
 * Returns the pause before the next attempt: doubled after each failure, and randomised so that browsers don't all reconnect to a restarted server at
 * the same moment.
 */
export const pauseAfter = (failures: number, random: () => number = Math.random): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10)) * (0.5 + random() / 2);

/**
 * Waits for the registry to say that the session is over (GET /api/session-events, server-sent events). One tab of a browser listens, the
 * others hear it from that tab; when it closes, the next takes its place.
 * @param session what the tabs of one sign-in have in common: its `sid`, or the person
 * @param token the bearer, read at every attempt
 * @param onSignedOut called once in every tab
 * @returns a function that stops waiting, and with `over` tells the other tabs that the session is over
 */
export function watchSession({
  session,
  token,
  onSignedOut,
  random = Math.random,
}: {
  session: string;
  token: () => string | null;
  onSignedOut: () => void;
  random?: () => number;
}): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const tabs = new BroadcastChannel(signOutChannel);
  const live = new BroadcastChannel(liveChannel);
  const end = () => {
    stop.abort();
    tabs.close();
    live.close();
  };
  const leave = () => {
    if (noLonger(signal)) return;
    end();
    onSignedOut();
  };
  tabs.onmessage = ({ data }: MessageEvent<{ signedOut?: string }>) => {
    if (data.signedOut === session) leave();
  };

  const listen = async (): Promise<void> => {
    let failures = 0;
    while (!noLonger(signal)) {
      const began = performance.now();
      const bearer = token();
      const outcome: Outcome = bearer ? await lookAt(bearer, { session, signal, live }) : { kind: 'ended' };
      if (noLonger(signal) || outcome.kind === 'absent') return;
      if (outcome.kind === 'signed-out') {
        tabs.postMessage({ signedOut: session });
        leave();
        return;
      }
      failures = performance.now() - began > goodStreamMs ? 0 : failures + 1;
      const wait = pauseAfter(failures, random);
      await pause(outcome.kind === 'refused' ? Math.max(wait, outcome.retryAfterMs) : wait, signal);
    }
  };
  // Without locks (no secure context) every tab listens for itself.
  if (navigator.locks) navigator.locks.request(`portal-session:${session}`, { signal }, listen).catch(() => undefined);
  else void listen();
  return end;
}

async function lookAt(
  bearer: string,
  { session, signal, live }: { session: string; signal: AbortSignal; live: BroadcastChannel },
): Promise<Outcome> {
  const timedOut = new AbortController();
  const both = AbortSignal.any([signal, timedOut.signal]);
  let silence = setTimeout(() => timedOut.abort(), silenceMs);
  try {
    const response = await fetch('/api/session-events', {
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${bearer}`,
        traceparent: newTraceparent(),
      },
      cache: 'no-store',
      signal: both,
    });
    if (response.status === 401) {
      const { errors } = (await response.json()) as { errors?: { code?: string }[] };
      return { kind: errors?.[0]?.code === 'SESSION_ENDED' ? 'signed-out' : 'ended' };
    }
    if (response.status === 404) return { kind: 'absent' };
    if (!response.ok || !response.body)
      return { kind: 'refused', retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1000 || 0 };
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { kind: 'ended' };
      clearTimeout(silence);
      silence = setTimeout(() => timedOut.abort(), silenceMs);
      text += value;
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop() ?? '';
      for (const event of events) {
        const changed = readLiveMessage(event);
        if (changed && !signal.aborted) live.postMessage(changed);
      }
      if (events.some(event => isSignOutEvent(event, session))) {
        await reader.cancel();
        return { kind: 'signed-out' };
      }
    }
  } catch {
    return { kind: 'ended' };
  } finally {
    clearTimeout(silence);
  }
}

/** Returns whether one event of the stream (WHATWG HTML 9.2.6) reports the end of this session. */
export function isSignOutEvent(event: string, session: string): boolean {
  const fields = event.split(/\r?\n/).map(line => /^(\w*): ?(.*)$/.exec(line) ?? ['', '', '']);
  const value = (name: string) => fields.flatMap(([, field, text]) => (field === name ? [text!] : [])).join('\n');
  if (value('event') !== 'signed-out') return false;
  try {
    const { sid } = JSON.parse(value('data') || '{}') as { sid?: string | null };
    // A provider that names no session is matched by the bearer the stream was opened with.
    return !sid || sid === session;
  } catch {
    return true;
  }
}
