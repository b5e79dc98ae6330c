import { checkObject, normalise, parseObject, serverPlaceProblem, valuesOf } from '@portal/rpsl';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headProblem, recordProblem, recordsOf } from './delegation-records.ts';

const parent = '198.in-addr.arpa';
const COUNT = 10_000;

/** Numbers that are the same in every run (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const next = numbersFrom(20_261_124);
const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(next() * values.length)]!;
const digits = (count: number): string => Array.from({ length: count }, () => Math.floor(next() * 16).toString(16)).join('');

const goodServers = [
  () => `ns${Math.floor(next() * 50)}.example.net`,
  () => `NS1.Example-${Math.floor(next() * 9)}.ORG.`,
  () => 'ns1.xn--e1afmkfd.example',
  () => `${'a'.repeat(63)}.example.net`,
  (zone: string) => `ns1.${zone} 192.0.2.${Math.floor(next() * 255)}`,
  (zone: string) => `ns2.${zone} 2001:db8::${Math.floor(next() * 255)}`,
  (zone: string) => `${zone} 192.0.2.7`,
];
const badServers = [
  () => 'ns_1.example.net',
  () => '_dns.example.net',
  () => '-ns.example.net',
  () => 'ns-.example.net',
  () => 'ns..example.net',
  () => 'ns1',
  () => '192.0.2.1',
  () => 'ns1.example.7',
  () => 'nsü.example.net',
  () => `${'a'.repeat(64)}.example.net`,
  () => `${'a.'.repeat(130)}example.net`,
  () => 'ns1.example.net;',
  () => '$INCLUDE.example.net',
  () => 'ns"1.example.net',
  () => '*.example.net',
  (zone: string) => `ns1.bad.${zone}`,
  (zone: string) => `ns1.worse.${zone} 192.0.2.300`,
  (zone: string) => `ns_9.${zone} 192.0.2.9`,
  () => `ns1.example.net.${parent}`,
];
const goodDs = [
  () => `${Math.floor(next() * 65_536)} ${oneOf([8, 10, 13, 14, 15, 16])} 2 ${digits(64)}`,
  () => `${Math.floor(next() * 65_536)} 13 4 ${digits(96)}`,
  () => `${Math.floor(next() * 65_536)} 8 1 ( ${digits(20)} ${digits(20)} )`,
];
const badDs = [
  () => '0 0 0 00',
  () => `1 13 9 ${digits(64)}`,
  () => `1 13 3 ${digits(64)}`,
  () => `1 99 2 ${digits(64)}`,
  () => `1 3 2 ${digits(64)}`,
  () => `70000 13 2 ${digits(64)}`,
  () => `1 13 2 ${digits(62)}`,
  () => `1 13 2 ${digits(63)}g`,
  () => '1 13 2',
];

type Case = { zone: string; text: string; isBad: boolean };
function randomCase(index: number): Case {
  const isPart = next() < 0.02;
  const zone = `${isPart ? '0-127.' : ''}${index & 255}.${index >> 8}.${parent}`;
  const lines = [`domain: ${zone}`, 'descr: Random', 'admin-c: ENO1-EX', 'tech-c: ENO1-EX', 'zone-c: ENO1-EX'];
  let isBad = isPart;
  const add = (attribute: string, good: readonly ((zone: string) => string)[], bad: readonly ((zone: string) => string)[]): void => {
    const wrong = next() < 0.15;
    isBad ||= wrong;
    lines.push(`${attribute}: ${oneOf(wrong ? bad : good)(zone)}`);
  };
  for (let left = 1 + Math.floor(next() * 4); left > 0; left--) add('nserver', goodServers, badServers);
  for (let left = Math.floor(next() * 3); left > 0; left--) add('ds-rdata', goodDs, badDs);
  return { zone, text: `${lines.join('\n')}\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`, isBad };
}

const head = `$ORIGIN ${parent}.\n$TTL 86400\n${parent}. IN SOA ns1.registry.example. hostmaster.registry.example. 1 14400 3600 1209600 3600\n${parent}. IN NS ns1.registry.example.\n${parent}. IN NS ns2.registry.example.\n`;
const has = (program: string): boolean => fs.existsSync(program);

describe('zones of 10,000 random delegations, right and wrong', () => {
  const cases = Array.from({ length: COUNT }, (_, index) => randomCase(index));
  const results = cases.map(({ zone, text }) => recordsOf(zone, text));
  let folder = '';
  let file = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'zones-'));
    file = path.join(folder, 'zone');
    await writeFile(file, head + results.map(({ text }) => text).join(''));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('leave out exactly the wrong records, with a sentence for each', () => {
    const silent = cases.filter(({ isBad }, index) => isBad && results[index]!.leftOut.length === 0 && results[index]!.text !== '');
    const unjust = cases.filter(({ isBad }, index) => !isBad && results[index]!.leftOut.length > 0);
    expect([silent, unjust].map(list => list.slice(0, 3))).toEqual([[], []]);
    expect(cases.filter(({ isBad }) => isBad).length).toBeGreaterThan(COUNT / 4);
    expect(results.flatMap(({ leftOut }) => leftOut).every(sentence => sentence.length > 10)).toBe(true);
  });

  test('records left out of a zone are refused on every input, because all use the same rule', () => {
    const taken = cases.filter(({ text }, index) => {
      if (results[index]!.leftOut.length === 0 || /^\d+-\d+\./.test(cases[index]!.zone)) return false;
      const { object } = normalise(parseObject(text).object!);
      // What the rules of whois refuse beyond the syntax.
      const isLost = valuesOf(object, 'nserver').some(
        value => serverPlaceProblem(cases[index]!.zone, value.split(' ')[0]!, { hasAddress: true }) !== null,
      );
      return !isLost && !checkObject(object, 'create').some(({ severity }) => severity === 'error');
    });
    expect(taken.slice(0, 3)).toEqual([]);
  });

  test.skipIf(!has('/usr/bin/named-checkzone'))('are loaded by BIND', async () => {
    const conf = path.join(folder, 'named.conf');
    await writeFile(conf, `zone "${parent}" { type primary; file "${file}"; };\n`);
    execFileSync('/usr/bin/named-checkzone', ['-i', 'local', '-k', 'fail', parent, file], { stdio: 'pipe' });
    execFileSync('/usr/bin/named-checkconf', ['-z', conf], { stdio: 'pipe' });
  });
  test.skipIf(!has('/usr/sbin/nsd-checkzone'))('are loaded by NSD', () => {
    execFileSync('/usr/sbin/nsd-checkzone', [parent, file], { stdio: 'pipe' });
  });
  test.skipIf(!has('/usr/sbin/knotc'))('are loaded by Knot', async () => {
    const conf = path.join(folder, 'knot.conf');
    await writeFile(
      conf,
      `server:\n  rundir: "${folder}"\ndatabase:\n  storage: "${folder}"\nzone:\n  - domain: ${parent}\n    file: "${file}"\n    semantic-checks: off\n`,
    );
    execFileSync('/usr/sbin/knotc', ['-c', conf, 'zone-check', parent], { stdio: 'pipe' });
  });
});

describe('one delegation', () => {
  const two = 'nserver: ns1.example.net\nnserver: ns_2.example.net\n';
  test('is published without the server because of which BIND would refuse the zone', () => {
    expect(recordsOf('31.18.198.in-addr.arpa', two)).toEqual({
      text: '31.18.198.in-addr.arpa. 86400 IN NS ns1.example.net.\n',
      leftOut: ['ns_2.example.net. has an underscore, which names of servers can’t have (RFC 1123)'],
    });
  });
  test('without a valid server is left out completely, including its DS', () => {
    const text = `nserver: ns_2.example.net\nds-rdata: 1 13 2 ${'AB'.repeat(32)}\n`;
    expect(recordsOf('31.18.198.in-addr.arpa', text)).toMatchObject({ text: '', leftOut: [expect.stringContaining('underscore')] });
  });
  test('of a part of a /24, or of one address, is left out completely', () => {
    for (const zone of ['0-127.11.18.198.in-addr.arpa', '1.11.18.198.in-addr.arpa'])
      expect(recordsOf(zone, 'nserver: ns1.example.net\nnserver: ns2.example.net\n')).toMatchObject({
        text: '',
        leftOut: [expect.stringContaining(zone)],
      });
  });
  test('includes a server inside the zone only with its address', () => {
    const records = recordsOf('31.18.198.in-addr.arpa', 'nserver: ns1.31.18.198.in-addr.arpa\nnserver: ns1.example.net\n');
    expect(records.leftOut).toEqual(['ns1.31.18.198.in-addr.arpa is inside the zone and has no address']);
    expect(records.text).toBe('31.18.198.in-addr.arpa. 86400 IN NS ns1.example.net.\n');
  });
  test('includes no server in a zone around it, which has no address for it', () => {
    const records = recordsOf('20.18.198.in-addr.arpa', 'nserver: any1.example.net.18.198.in-addr.arpa\nnserver: ns1.example.net\n');
    expect(records).toEqual({
      text: '20.18.198.in-addr.arpa. 86400 IN NS ns1.example.net.\n',
      leftOut: [
        'any1.example.net.18.198.in-addr.arpa lies inside 18.198.in-addr.arpa and has no address. If its name is any1.example.net, enter just that',
      ],
    });
    const beside = 'nserver: ns.21.18.198.in-addr.arpa\nnserver: ns1.example.net\n';
    expect(recordsOf('20.18.198.in-addr.arpa', beside).leftOut).toEqual([]);
  });
  test('has only records of the four types, each on one line', () => {
    expect(recordProblem('a.example. 60 IN TXT "x"')).toContain('isn’t a record');
    expect(recordProblem('$INCLUDE /etc/passwd')).toContain('isn’t a record');
    expect(recordProblem('ns1.2.198.in-addr.arpa. 86400 IN A 2001:db8::1')).toContain('isn’t an IPv4 address');
    expect(recordProblem('ns1.2.198.in-addr.arpa. 86400 IN AAAA 2001:db8::1')).toBeNull();
  });
});

test('a zone isn’t written from a profile that name servers would refuse', () => {
  const servers = ['ns1.registry.example', 'ns2.registry.example'];
  expect(headProblem(parent, servers, 'host.master@registry.example')).toBeNull();
  expect(headProblem(parent, ['ns_1.registry.example'], 'a@registry.example')).toContain('underscore');
  expect(headProblem(parent, [`ns1.${parent}`], 'a@registry.example')).toContain('no address for it');
  expect(headProblem(parent, servers, 'nobody')).toContain('isn’t an e-mail address');
});
