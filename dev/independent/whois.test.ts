import { execFile } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../../apps/server/src/modules/whois/submit/submit.ts';
import { entryOf, mirroringRegistry, publishingRegistry } from '../../apps/server/test/mirrored-registry.ts';
import { testPortal } from '../../apps/server/test/portal.ts';
import { exampleObjects, whoisServer } from '../../apps/server/test/whois-server.ts';
import { isInstalled, startWhois, type WhoisProduct } from './whois-product.ts';

const run = promisify(execFile);
/** A set with more members than bgpq3 requests together, each with a route. */
const members = Array.from({ length: 500 }, (_, place) => 65_000 + place);
const big = [
  `as-set: AS-BIG\ndescr: Many\nmembers: ${members.map(number => `AS${number}`).join(', ')}\nadmin-c: PP1-EX\ntech-c: PP1-EX\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n`,
  ...members.map(
    (number, place) =>
      `route: 10.${place >> 8}.${place & 255}.0/24\ndescr: One\norigin: AS${number}\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n`,
  ),
].join('\n');

/** Tests our port 43 with third-party programs and hostile clients. */
describe('port 43 of the product', () => {
  let product: WhoisProduct;
  beforeAll(async () => {
    product = await startWhois(`${exampleObjects}\n${big}`);
  }, 60_000);
  afterAll(() => product.stop());

  // -p: the AS numbers of these objects are for documentation, which both leave out otherwise.
  const host = (): string => `127.0.0.1:${product.port}`;
  const prefixesOf = (json: string): string[] => (JSON.parse(json) as { x: { prefix: string }[] }).x.map(({ prefix }) => prefix);
  const send = (bytes: string | Buffer, localAddress = '127.0.0.1'): Promise<string> => {
    const socket = net.connect({ port: product.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    socket.end(bytes);
    return text(socket);
  };

  test.runIf(isInstalled('bgpq4'))('bgpq4 builds filters of sets, families and AS numbers', async () => {
    const bgpq4 = async (...args: string[]): Promise<string> => (await run('bgpq4', ['-h', host(), '-p', '-l', 'x', '-j', ...args])).stdout;
    expect(prefixesOf(await bgpq4('AS-OUTER'))).toEqual(['198.18.0.0/16', '198.18.4.0/22']);
    expect(prefixesOf(await bgpq4('-6', 'AS-OUTER'))).toEqual(['2001:db8::/32']);
    expect(prefixesOf(await bgpq4('AS64501'))).toEqual(['198.18.4.0/22']);
    expect(prefixesOf(await bgpq4('AS-BIG'))).toHaveLength(500);
    expect(prefixesOf(await bgpq4('AS-NOWHERE'))).toEqual([]);
    expect(prefixesOf(await bgpq4('EXAMPLE::AS-OUTER'))).toHaveLength(2);
    // One command a round trip, and the AS numbers of a set.
    expect(prefixesOf(await bgpq4('-T', 'AS-OUTER'))).toHaveLength(2);
    expect((JSON.parse(await bgpq4('-t', 'AS-OUTER')) as { x: number[] }).x).toEqual([64_500, 64_501]);
  });

  test.runIf(isInstalled('bgpq3'))('bgpq3 builds the same', async () => {
    const bgpq3 = async (...args: string[]): Promise<string> =>
      (await run('bgpq3', ['-h', host(), '-3', '-p', '-l', 'x', '-j', ...args])).stdout;
    expect(prefixesOf(await bgpq3('AS-OUTER'))).toEqual(['198.18.0.0/16', '198.18.4.0/22']);
    expect(prefixesOf(await bgpq3('-6', 'AS-OUTER'))).toEqual(['2001:db8::/32']);
    expect(prefixesOf(await bgpq3('AS-BIG'))).toHaveLength(500);
  });

  test.runIf(isInstalled('whois'))('whois shows objects, and closes when they are shown', async () => {
    const whois = async (...words: string[]): Promise<string> =>
      (await run('whois', ['-h', '127.0.0.1', '-p', String(product.port), '--', ...words])).stdout;
    expect(await whois('198.18.5.9')).toMatch(/^inetnum: +198\.18\.4\.0 - 198\.18\.7\.255$/m);
    expect(await whois('-r -T aut-num AS64500')).toMatch(/^aut-num: +AS64500$/m);
    expect(await whois('203.0.113.1')).toContain('%ERROR:101: no entries found');
    // Space of other registries gives a comment, and no query to them.
    expect(await whois('193.0.6.139')).toContain('% 193.0.6.139 is registered with the RIPE NCC: ask whois.ripe.net');
    expect(await whois('AS64505-AS64500')).toContain('did you mean AS64500 - AS64505?');
    expect(await whois('-b 198.18.4.50')).toContain('abuse-c@holder.example');
    expect(await whois('-b -F 198.18.4.50')).toContain('%ERROR:109: invalid combination of flags passed');
  });

  test('a query of 1 MB, binary, NUL and a flood of commands are answered, and others are served meanwhile', async () => {
    const noise = Buffer.alloc(10_000_000);
    for (let at = 0; at < noise.length; at++) noise[at] = (at * 193) % 251;
    const good = (): Promise<string> => send('-r AS64500\n', '127.0.0.2');
    const answers = await Promise.all([
      send('x'.repeat(1_000_000)),
      send(Buffer.from('\0\0\0\n')),
      send(Buffer.from([0xff, 0xfe, 0x80, 0x0a])),
      send(`!!\n${'!z\n'.repeat(2_000)}!q\n`),
      good(),
    ]);
    expect(answers[0]).toContain('%ERROR:107');
    expect(answers[1]).toContain('%ERROR:106');
    expect(answers[2]).toContain('%ERROR:101');
    expect(answers[3]!.match(/^F /gm)).toHaveLength(2_000);
    // Whether it reads the refusal before it has sent everything is up to the client.
    await send(noise).catch(() => '');
    for (const answer of [answers[4], await good()]) expect(answer).toMatch(/^aut-num: +AS64500$/m);
    expect(product.running()).toBe(true);
  });

  test('1,000 half-open connections do not keep others out', async () => {
    const sockets = Array.from({ length: 1_000 }, () => {
      const socket = net.connect({ port: product.port, host: '127.0.0.1' }).on('error', () => {});
      socket.resume();
      return socket;
    });
    await Promise.all(sockets.map(socket => once(socket, 'connect')));
    expect(await send('-r AS64500\n', '127.0.0.2')).toMatch(/^aut-num: +AS64500$/m);
    for (const socket of sockets) socket.destroy();
    expect(product.running()).toBe(true);
  });
});

test.runIf(isInstalled('bgpq4'))(
  'bgpq4 has the AS number that the registry maintains for a holder in a set that trusts the holder',
  async () => {
    await using portal = await testPortal();
    const write = async (text: string): Promise<string[]> => {
      const credentials = {
        maintainers: new Set(['maint-au-example']),
        holder: 'EXAMPLE-AU',
        mayWriteDomains: true,
        registry: false,
        who: 'Tess',
      };
      const activity = { action: 'test', summary: 'Claimed a membership', traceId: '0'.repeat(32) };
      const [outcome] = await portal.db.change(activity, change =>
        submit(change, [{ operation: 'auto', text }], { credentials, mode: 'best-effort', profile: portal.context.profile }),
      );
      return outcome!.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    };
    const end = 'admin-c: ENO1-EX\ntech-c: ENO1-EX\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
    expect(await write(`as-set: AS64500:AS-CLAIMED\ndescr: By reference\nmbrs-by-ref: MAINT-AU-EXAMPLE\n${end}`)).toEqual([]);
    const { text: autNum } = await portal.db.read
      .selectFrom('whoisObject')
      .select('text')
      .where('key', '=', 'as64500')
      .executeTakeFirstOrThrow();
    expect(await write(autNum.replace(/^source:/m, 'member-of: AS64500:AS-CLAIMED\nsource:'))).toEqual([]);
    await using port43 = await whoisServer({ on: portal.db });
    const host = `127.0.0.1:${port43.port43.port}`;
    const { stdout } = await run('bgpq4', ['-h', host, '-p', '-l', 'x', '-j', '-t', 'AS64500:AS-CLAIMED']);
    expect((JSON.parse(stdout) as { x: number[] }).x).toEqual([64_500]);
    const routes = await run('bgpq4', ['-h', host, '-p', '-l', 'x', '-j', 'AS64500:AS-CLAIMED']);
    expect((JSON.parse(routes.stdout) as { x: { prefix: string }[] }).x.map(({ prefix }) => prefix)).toContain('203.0.113.0/24');
  },
);

test.runIf(isInstalled('bgpq4'))('bgpq4 builds filters of another registry that is mirrored here, by its source', async () => {
  const now = new Date('2026-03-01T12:00:00Z');
  await using other = await publishingRegistry(exampleObjects, now);
  const own =
    'as-set: AS-OUTER\ndescr: Ours\nmembers: AS64503\nmnt-by: MAINT-X\nsource: MIRROR\n\nroute: 203.0.113.0/24\norigin: AS64503\nmnt-by: MAINT-X\nsource: MIRROR\n';
  await using mirror = await mirroringRegistry([entryOf(other, 'nrtm4')], { objects: own });
  await mirror.load(now);
  const bgpq4 = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await run('bgpq4', ['-h', `127.0.0.1:${mirror.whois.port43.port}`, '-p', '-l', 'x', '-j', ...args]);
    return (JSON.parse(stdout) as { x: { prefix: string }[] }).x.map(({ prefix }) => prefix);
  };
  expect(await bgpq4('AS-OUTER')).toEqual(['203.0.113.0/24']);
  expect(await bgpq4('-S', 'EXAMPLE', 'AS-OUTER')).toEqual(['198.18.0.0/16', '198.18.4.0/22']);
  expect(await bgpq4('-S', 'EXAMPLE', '-6', 'AS-OUTER')).toEqual(['2001:db8::/32']);
  // The set is that of the first source; the routes of its members are of both.
  expect(await bgpq4('-S', 'MIRROR,EXAMPLE', 'AS-OUTER')).toEqual(['203.0.113.0/24']);
  expect(await bgpq4('-S', 'EXAMPLE,MIRROR', 'AS-OUTER')).toEqual(['198.18.0.0/16', '198.18.4.0/22']);
  // It asks for the set alone in the source before its name, and for all else in those that are selected.
  expect(await bgpq4('-S', 'EXAMPLE,MIRROR', 'MIRROR::AS-OUTER')).toEqual(['203.0.113.0/24']);
});
