import { HOUR_MS } from '@portal/contract/days';
import { afterEach, expect, it, vi } from 'vitest';
import { pauseAfter, isSignOutEvent, watchSession } from './session-events.ts';
import { broadcastSignOut } from './sign-out-channel.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllGlobals();
});

/** One stream of the server, to which a test writes. */
function aStream() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: c => void (controller = c) });
  const send = (text: string) => controller.enqueue(new TextEncoder().encode(text));
  return { response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }), send, end: () => controller.close() };
}

/** The browser's locks: the first caller holds the lock until its promise settles. */
function locks() {
  const queues = new Map<string, Promise<unknown>>();
  return {
    request: (name: string, options: { signal?: AbortSignal }, act: () => Promise<unknown>) => {
      const turn = (queues.get(name) ?? Promise.resolve()).then(() => (options.signal?.aborted ? undefined : act()));
      queues.set(name, turn);
      return turn;
    },
  };
}

function watch(given: Partial<Parameters<typeof watchSession>[0]> = {}) {
  const onSignedOut = vi.fn();
  // The shortest possible pauses.
  const stop = watchSession({ session: 'sid-1', token: () => 'aa.bb.cc', onSignedOut, random: () => -1, ...given });
  stops.push(stop);
  return { onSignedOut, stop };
}

const refused = (status: number, code: string, headers = {}) =>
  Response.json({ errors: [{ code, message: 'no', traceId: 't' }] }, { status, headers });

it('an event of this session says that it is over; heartbeats and other sessions do not', () => {
  expect(isSignOutEvent('event: signed-out\ndata: {"sid":"sid-1"}', 'sid-1')).toBe(true);
  expect(isSignOutEvent('event: signed-out\r\ndata: {"sid":null}', 'sid-1')).toBe(true);
  expect(isSignOutEvent('event: signed-out\ndata: {"sid":"sid-2"}', 'sid-1')).toBe(false);
  expect(isSignOutEvent('event: expired\ndata: {"sid":"sid-1"}', 'sid-1')).toBe(false);
  expect(isSignOutEvent(': open', 'sid-1')).toBe(false);
});

it('the pauses grow up to a minute and are randomised', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 60].map(failures => pauseAfter(failures, () => 1));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect(pauseAfter(6, () => 0)).toBe(30_000);
});

it('what changed on the screens of the person reaches every tab', async () => {
  vi.stubGlobal('navigator', { locks: locks() });
  const stream = aStream();
  vi.stubGlobal('fetch', () => Promise.resolve(stream.response));
  const heard: unknown[] = [];
  const tab = new BroadcastChannel('portal-live');
  tab.onmessage = ({ data }) => heard.push(data);
  watch();
  stream.send('event: live\ndata: {"what":"ticket","id":"20001"}\n\n:\n\nevent: li');
  stream.send('ve\ndata: {"what":"ticket","id":"20002"}\n\n');
  await vi.waitFor(() =>
    expect(heard).toEqual([
      { what: 'ticket', id: '20001' },
      { what: 'ticket', id: '20002' },
    ]),
  );
  tab.close();
});

it('one tab listens, and every tab leaves when the session is over', async () => {
  vi.stubGlobal('navigator', { locks: locks() });
  const streams = [aStream(), aStream()];
  const [stream] = streams;
  const answers = [...streams];
  const asked = vi.fn((_url: string, _init: RequestInit) => Promise.resolve(answers.shift()!.response));
  vi.stubGlobal('fetch', asked);
  const tabs = [watch(), watch(), watch()];
  const stranger = watch({ session: 'sid-2' });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  expect(asked.mock.calls[0]![1].headers).toMatchObject({
    authorization: 'Bearer aa.bb.cc',
    'content-type': 'application/json',
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) as string,
  });

  stream!.send(': open\n\nevent: signed-');
  stream!.send('out\ndata: {"sid":"sid-1"}\n\n');
  await vi.waitFor(() => {
    for (const tab of tabs) expect(tab.onSignedOut).toHaveBeenCalledTimes(1);
  });
  expect(stranger.onSignedOut).not.toHaveBeenCalled();
});

it('when the tab that listens is closed, the next takes its place', async () => {
  vi.stubGlobal('navigator', { locks: locks() });
  const asked = vi.fn((_url: string, init: RequestInit) => {
    const stream = aStream();
    init.signal!.addEventListener('abort', () => stream.end());
    return Promise.resolve(stream.response);
  });
  vi.stubGlobal('fetch', asked);
  const first = watch();
  watch();
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  first.stop();
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
});

it('a stream that ends is reopened with the current token', async () => {
  const tokens = ['first', 'second', 'second'];
  const asked = vi.fn((_url: string, _init: RequestInit) => {
    const stream = aStream();
    stream.end();
    return Promise.resolve(stream.response);
  });
  vi.stubGlobal('fetch', asked);
  const { onSignedOut } = watch({ token: () => tokens.shift() ?? 'third' });
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(1), { timeout: 5000 });
  const bearers = asked.mock.calls.map(([, init]) => (init.headers as Record<string, string>)['authorization']);
  expect(bearers.slice(0, 2)).toEqual(['Bearer first', 'Bearer second']);
  expect(onSignedOut).not.toHaveBeenCalled();
});

it.each([
  ['a session that was ended in between', () => refused(401, 'SESSION_ENDED'), 1],
  ['a token that expired', () => refused(401, 'NOT_SIGNED_IN'), 0],
  ['a server that is busy', () => refused(503, 'UNAVAILABLE', { 'retry-after': '60' }), 0],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), 0],
])('%s: signed out or not', async (_, answer, times) => {
  const asked = vi.fn(() => Promise.resolve().then(answer));
  vi.stubGlobal('fetch', asked);
  const { onSignedOut } = watch();
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  if (times) await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalledTimes(times));
  else {
    // It goes on waiting and receives other tabs' messages.
    broadcastSignOut('sid-2');
    broadcastSignOut('sid-1');
    await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalledTimes(1));
  }
});

it('a server that offers no events is not asked again', async () => {
  const asked = vi.fn(() => Promise.resolve(refused(404, 'NOT_FOUND')));
  vi.stubGlobal('fetch', asked);
  vi.useFakeTimers();
  try {
    watch();
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(asked).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
