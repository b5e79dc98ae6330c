import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { openCallerAddress, readTrustedProxies } from './caller-address.ts';

/** Returns the caller address that a setting derives for a request from `peer` with this X-Forwarded-For. */
const callerOf = (setting: string, peer: string | undefined, forwarded?: string): string =>
  openCallerAddress(readTrustedProxies(setting)!)({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

test.each([
  ['no', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['yes', '192.0.2.1', '198.51.100.7', '198.51.100.7'],
  ['yes', '192.0.2.1', undefined, '192.0.2.1'],
  // The client's own entry precedes the one that the proxy appended.
  ['yes', '192.0.2.1', '203.0.113.66, 198.51.100.7', '198.51.100.7'],
  ['1', '192.0.2.1', '203.0.113.66, 198.51.100.7', '198.51.100.7'],
  ['2', '192.0.2.1', '203.0.113.66, 198.51.100.7, 192.0.2.9', '198.51.100.7'],
  ['2', '192.0.2.1', '198.51.100.7', '198.51.100.7'],
  ['192.0.2.0/28', '192.0.2.1', '203.0.113.66, 198.51.100.7, 192.0.2.9', '198.51.100.7'],
  ['192.0.2.1, 2001:db8::/64', '2001:db8::5', '203.0.113.66, 2001:db8:1::7', '2001:db8:1::7'],
  // A caller who bypasses the proxy can't claim an address.
  ['192.0.2.0/28', '203.0.113.66', '198.51.100.7', '203.0.113.66'],
  // No address ends the walk at the proxy that wrote it.
  ['yes', '192.0.2.1', 'unknown', '192.0.2.1'],
  ['yes', '192.0.2.1', "198.51.100.7, '; drop table", '192.0.2.1'],
  ['2', '192.0.2.1', '198.51.100.7, unknown, 192.0.2.9', '192.0.2.9'],
  // Ports and mapped forms.
  ['yes', '::ffff:192.0.2.1', '198.51.100.7:4711', '198.51.100.7'],
  ['yes', '192.0.2.1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['no', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
  // The connection is gone before its address was read.
  ['yes', undefined, '198.51.100.7', '198.51.100.7'],
  ['no', undefined, '198.51.100.7', '0.0.0.0'],
])('BEHIND_PROXY=%s, called by %s with X-Forwarded-For %s: the caller is %s', (setting, peer, forwarded, caller) => {
  expect(callerOf(setting, peer, forwarded)).toBe(caller);
});

test.each(['maybe', '10', '192.0.2.0/33', '192.0.2.0/28,proxy', 'localhost', '-1'])('BEHIND_PROXY=%s is refused', value => {
  expect(readTrustedProxies(value)).toBeNull();
});
