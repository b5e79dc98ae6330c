import { describe, expect, it } from 'vitest';
import {
  type FrameMessage,
  frameAddress,
  postMessage,
  readFrameMessage,
  readShellMessage,
  shellOrigin,
  type ShellMessage,
} from './frame-protocol.ts';
import { framedPath } from '../first/early-frame.ts';

const origin = 'https://portal.example.net';
const frame = {};
const shell = {};

/** Returns what the other side receives when a message is posted. */
function posted(message: ShellMessage | FrameMessage): unknown {
  let sent: unknown;
  postMessage({ postMessage: (data: unknown) => (sent = data) } as never, origin, message);
  return sent;
}

it.each([
  ['no environment', null, 'https://portal.example.net', 'https://portal.example.net'],
  ['no other manager', { resourceManagerUrl: '' }, 'https://other.example.net', 'https://other.example.net'],
  ['a manager of the portal’s own', { resourceManagerUrl: '/rm' }, 'https://portal.example.net', 'https://portal.example.net'],
  [
    'the manager that is configured',
    { resourceManagerUrl: 'https://manager.example.net' },
    'https://manager.example.net',
    'https://portal.example.net',
  ],
  [
    'a manager elsewhere',
    { resourceManagerUrl: 'https://manager.example.net' },
    'https://portal.example.net',
    'https://portal.example.net',
  ],
])('with %s a framed page knows who may frame it', (_, given, own, expected) => {
  expect(shellOrigin(given && { appUrl: 'https://portal.example.net', ...given }, own)).toBe(expected);
});

describe('messages between shell and frame', () => {
  it('arrive as they were sent', () => {
    const data = posted({ type: 'height', height: 812 });
    expect(readFrameMessage({ data, origin, source: frame as never }, frame, origin)).toMatchObject({ type: 'height', height: 812 });
  });

  it('are posted to one origin only', () => {
    let target = '';
    postMessage({ postMessage: (_: unknown, to: string) => (target = to) } as never, origin, { type: 'ready' });
    expect(target).toBe(origin);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example', source: frame }],
    ['another window', { origin, source: {} }],
  ])('from %s are not read', (_, from) => {
    expect(readFrameMessage({ data: posted({ type: 'sign-out' }), ...from } as never, frame, origin)).toBeNull();
  });

  it.each([
    ['no message', null],
    ['text', 'sign-out'],
    ['another protocol', { type: 'sign-out' }],
    ['an unknown type', { portal: 'portal-frame/1', type: 'eval' }],
  ])('%s is not read', (_, data) => {
    expect(readFrameMessage({ data, origin, source: frame as never }, frame, origin)).toBeNull();
  });

  it('have a direction: neither side accepts its own kind', () => {
    expect(readFrameMessage({ data: posted({ type: 'focus' }), origin, source: frame as never }, frame, origin)).toBeNull();
    expect(readShellMessage({ data: posted({ type: 'sign-out' }), origin, source: shell as never }, shell, origin)).toBeNull();
  });
});

describe('the address of a framed page', () => {
  it.each([
    ['/resources/ipv4', '', '/resources/ipv4.html'],
    ['/resources/ipv4?q=198#map', '', '/resources/ipv4.html?q=198#map'],
    ['/resources/ipv4#a?b', '', '/resources/ipv4.html#a?b'],
    ['/task/MyRegistry/Echo/1/details', 'https://rm.example.net', 'https://rm.example.net/task/MyRegistry/Echo/1/details.html'],
  ])('of %s at "%s" is %s', (href, base, address) => {
    expect(frameAddress(href, base)).toBe(address);
  });

  it('leads back to the page', () => {
    expect(framedPath('/resources/ipv4.html')).toBe('/resources/ipv4');
  });
});
