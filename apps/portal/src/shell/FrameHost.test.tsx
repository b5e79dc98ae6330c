import { MINUTE_MS } from '@portal/contract/days';
import { createHeldConfirmations, type HeldConfirmation } from '@portal/app-kit/step-up/held-confirmations';
import { createReturnedCalls, createWatched } from '@portal/app-kit';
import { anEnvironment, aRouter, show } from '@portal/app-kit/testing';
import { leftBefore } from '@portal/app-kit/step-up/left-before';
import { findPage } from '@portal/contract/pages';
import { act, fireEvent, screen } from '@testing-library/react';
import { useSyncExternalStore } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Portal } from '../portal.ts';
import { FrameHost } from './FrameHost.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  sessionStorage.clear();
});

const base = 'https://manager.example.net/rm';

/** The frame at `/resources/ipv4`, with pages at this base, whose window only records its navigations. */
function open(resourceManagerUrl: string) {
  const location = { replace: vi.fn(), reload: vi.fn() };
  const inside = { location, postMessage: vi.fn() };
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(inside as never);
  // The frame of these tests loads nothing, and reports that.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const href = createWatched('/resources/ipv4');
  const reloads = createWatched(0);
  const user = createWatched({ user: {} });
  const auth = { subscribe: user.subscribe, state: user.get };
  const router = aRouter('/resources/ipv4');
  const returnedInFrame = createReturnedCalls(router);
  const confirmations = createHeldConfirmations();
  const stepUp = vi.fn(() => Promise.resolve<HeldConfirmation | null>(null));
  const notify = vi.fn();
  const portal = {
    returnedInFrame,
    confirmations,
    stepUp,
    notify,
    environment: anEnvironment({ resourceManagerUrl }),
    reloads,
    noteRead: vi.fn(),
    whole: createWatched(false),
    frameWhole: createWatched(false),
    intended: createWatched<string | null>(null),
    router,
    auth,
  } as unknown as Portal;
  function Stage() {
    const at = useSyncExternalStore(href.subscribe, href.get);
    return <FrameHost portal={portal} shown={{ page: findPage(at, 'Registry').page, href: at }} />;
  }
  show(<Stage />);
  const frame = () => document.querySelector('iframe')!;
  const load = () => {
    fireEvent.load(frame());
    act(() => void vi.advanceTimersByTime(1000));
  };
  const say = (data: object, origin: string) =>
    act(() => {
      const event = new MessageEvent('message', { data: { portal: 'portal-frame/1', ...data }, origin });
      Object.defineProperty(event, 'source', { value: inside });
      window.dispatchEvent(event);
    });
  const renew = (token: string) =>
    act(() => {
      sessionStorage.setItem('id_token', token);
      user.set({ user: {} });
    });
  return {
    confirmations,
    stepUp,
    notify,
    returnedInFrame,
    renew,
    location,
    inside,
    frame,
    load,
    say,
    go: (to: string) => act(() => href.set(to)),
    reload: () => act(() => reloads.set(1)),
  };
}

it('a silent page of another host is as high as the window, and reloaded for each address', () => {
  const { frame, load, location, go, reload } = open(base);
  expect(frame().hasAttribute('data-painted')).toBe(false);
  expect(frame().inert).toBe(true);
  load();
  expect(frame().inert).toBe(false);
  expect(frame().hasAttribute('data-painted')).toBe(true);
  expect(frame().hasAttribute('data-silent')).toBe(true);
  expect(frame().style.height).toBe('');
  expect(screen.queryByText('Loading IPv4')).toBeNull();

  go('/resources/ipv6?sort=size');
  expect(location.replace).toHaveBeenLastCalledWith(`${base}/resources/ipv6.html?sort=size`);
  load();
  reload();
  expect(location.replace).toHaveBeenCalledTimes(2);
  expect(location.reload).not.toHaveBeenCalled();
});

it.each(['before', 'after'])(
  'a page of another host that reports ready %s it is loaded gets its own height, and the next address',
  when => {
    const { frame, load, location, inside, say, go } = open(base);
    if (when === 'after') load();
    say({ type: 'ready' }, 'https://manager.example.net');
    say({ type: 'height', height: 812 }, 'https://manager.example.net');
    if (when === 'before') load();
    expect(frame().style.height).toBe('812px');
    go('/resources/ipv6');
    expect(location.replace).not.toHaveBeenCalled();
    expect(inside.postMessage).toHaveBeenCalledWith(
      expect.objectContaining({ type: 'navigate', href: '/resources/ipv6' }),
      'https://manager.example.net',
    );
  },
);

it('a page of another origin is given the token, and each new one', () => {
  sessionStorage.setItem('id_token', 'aa.bb.cc');
  const { inside, say, renew } = open(base);
  say({ type: 'ready' }, 'https://manager.example.net');
  expect(inside.postMessage).toHaveBeenCalledWith(
    expect.objectContaining({ type: 'session', token: 'aa.bb.cc' }),
    'https://manager.example.net',
  );
  renew('dd.ee.ff');
  expect(inside.postMessage).toHaveBeenLastCalledWith(
    expect.objectContaining({ type: 'session', token: 'dd.ee.ff' }),
    'https://manager.example.net',
  );
});

it('our own pages are awaited, and read the token themselves', () => {
  sessionStorage.setItem('id_token', 'aa.bb.cc');
  const { frame, load, inside, say } = open('');
  say({ type: 'ready' }, window.location.origin);
  expect(inside.postMessage).toHaveBeenCalledWith(expect.objectContaining({ type: 'session' }), window.location.origin);
  expect(JSON.stringify(inside.postMessage.mock.calls)).not.toContain('aa.bb.cc');
  load();
  expect(frame().hasAttribute('data-painted')).toBe(false);
  expect(frame().inert).toBe(true);
});

it('an interrupted change of the framed page is sent with the session, until the page reports a decision', () => {
  const { inside, say, returnedInFrame } = open('');
  const access = { who: 'signed-in' } as const;
  const call = {
    endpoint: { id: 'routes.saveRoutes', method: 'POST', path: '/api/:account/routes', access } as const,
    input: {},
    act: { name: 'Save routes' },
    userId: 'tess',
    address: '/resources/ipv4',
    redirect: 'r1',
    at: 0,
  };
  act(() => returnedInFrame.set(call as never));
  say({ type: 'ready' }, window.location.origin);
  expect(inside.postMessage).toHaveBeenCalledWith(expect.objectContaining({ type: 'session', returned: call }), window.location.origin);
  say({ type: 'returned-ended' }, window.location.origin);
  say({ type: 'ready' }, window.location.origin);
  expect(inside.postMessage.mock.calls.findLast(([{ type }]) => type === 'session')![0]).not.toHaveProperty('returned');
});

describe('a change of the framed page that needs a second factor', () => {
  const call = {
    endpoint: { id: 'routes.saveRoutes', method: 'POST', path: '/', access: { who: 'signed-in' }, effect: 'routing' },
    input: {},
    act: { name: 'Save routes' },
    from: '/resources/ipv4?q=198.18.0.0/20',
  };
  const challenge = { acrValues: null, maxAgeSeconds: 300, act: null, asked: null };
  const confirmed: HeldConfirmation = { confirmation: 'signed', effects: ['routing'], account: null, until: Date.now() + MINUTE_MS };
  const answersTo = (inside: { postMessage: ReturnType<typeof vi.fn> }, request: string) =>
    inside.postMessage.mock.calls
      .map(([message]) => message as { request?: string; confirmation?: unknown })
      .filter(message => message.request === request);

  it('is asked about by the portal, over the whole window, and answered to this request of the frame', async () => {
    const { inside, say, stepUp } = open('');
    stepUp.mockResolvedValueOnce(confirmed);
    say({ type: 'step-up', request: 'r1', challenge, call }, window.location.origin);
    await vi.waitFor(() => expect(answersTo(inside, 'r1')).toMatchObject([{ type: 'stepped-up', confirmation: confirmed }]));
    expect(stepUp).toHaveBeenCalledWith(challenge, call, false);
    say({ type: 'step-up', request: 'r2', challenge, call }, window.location.origin);
    await vi.waitFor(() => expect(answersTo(inside, 'r2')).toMatchObject([{ confirmation: null }]));
  });

  it('is not asked about again while a confirmation of its kind holds', async () => {
    const { inside, say, stepUp, confirmations } = open('');
    confirmations.hold(confirmed);
    say({ type: 'step-up', request: 'r1', challenge, call }, window.location.origin);
    await vi.waitFor(() => expect(answersTo(inside, 'r1')).toMatchObject([{ confirmation: confirmed }]));
    expect(stepUp).not.toHaveBeenCalled();
  });

  it('is asked about if the confirmation that holds is the one that was refused', async () => {
    const { inside, say, stepUp, confirmations } = open('');
    confirmations.hold(confirmed);
    say({ type: 'step-up', request: 'r1', challenge, call: { ...call, sentWith: 'signed' } }, window.location.origin);
    await vi.waitFor(() => expect(answersTo(inside, 'r1')).toMatchObject([{ confirmation: null }]));
    expect(stepUp).toHaveBeenCalledTimes(1);
  });

  it.each(['/resources/routes', undefined])('is given up if its page is not the one that is shown: %s', async from => {
    const { inside, say, stepUp, notify } = open('');
    say({ type: 'step-up', request: 'r1', challenge, call: { ...call, from } }, window.location.origin);
    await vi.waitFor(() => expect(answersTo(inside, 'r1')).toMatchObject([{ confirmation: null }]));
    expect(stepUp).not.toHaveBeenCalled();
    expect(notify).toHaveBeenCalledWith(leftBefore);
  });

  it('of another origin gets no confirmation that was not given for it, and is asked about as such', async () => {
    const { inside, say, stepUp, confirmations } = open(base);
    confirmations.hold(confirmed);
    say({ type: 'step-up', request: 'r1', challenge, call }, new URL(base).origin);
    await vi.waitFor(() => expect(answersTo(inside, 'r1')).toMatchObject([{ confirmation: null }]));
    expect(stepUp).toHaveBeenCalledWith(challenge, call, true);
  });

  it('of another origin than that of framed pages is not heard', () => {
    const { say, stepUp } = open('');
    say({ type: 'step-up', request: 'r1', challenge, call }, 'https://evil.example');
    expect(stepUp).not.toHaveBeenCalled();
  });
});
