import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules } from '../../../../test/portal.ts';
import { type WhoisServer, whoisServer } from '../../../../test/whois-server.ts';

const framed = (data: string): string => `A${Buffer.byteLength(data) + 1}\n${data}\nC\n`;

describe.each(kindsForRules)('the IRRd protocol on %s', kind => {
  let whois: WhoisServer;
  beforeAll(async () => {
    whois = await whoisServer({ kind });
  });
  afterAll(() => whois[Symbol.asyncDispose]());

  test.each([
    ['!ntester 1.0', 'C\n'],
    ['!t60', 'C\n'],
    ['!s-lc', framed('EXAMPLE')],
    ['!sexample', 'C\n'],
    ['!fno-rpki-filter', framed('Filtering out RPKI invalids is disabled for the rest of this connection.')],
    ['!gas64500', framed('198.18.0.0/16 198.18.4.0/22')],
    ['!6AS64500', framed('2001:db8::/32')],
    ['!gAS64999', 'D\n'],
    ['!iAS-OUTER', framed('AS64501 AS-INNER AS-UNKNOWN')],
    ['!iEXAMPLE::as-outer,1', framed('AS64500 AS64501')],
    ['!iAS-NOWHERE', 'D\n'],
    ['!iRS-CLAIMED', framed('192.0.2.0/24^+ 198.18.4.0/22')],
    ['!iRS-CLAIMED,1', framed('192.0.2.0/24^+ 198.18.4.0/22')],
    ['!aAS-OUTER', framed('198.18.0.0/16 198.18.4.0/22 2001:db8::/32')],
    ['!a4AS-OUTER', framed('198.18.0.0/16 198.18.4.0/22')],
    ['!a6AS-OUTER', framed('2001:db8::/32')],
    ['!a4AS64501', framed('198.18.4.0/22')],
    ['!aAS-NOWHERE', 'D\n'],
    ['!a', 'F Missing required set name for A query\n'],
    ['!r198.18.4.0/22,o', framed('AS64500 AS64501')],
    ['!r198.18.5.0/24', 'D\n'],
    [
      '!r198.18.5.0/24,l',
      framed(
        'route:          198.18.4.0/22\ndescr:          Part\norigin:         AS64500\nmember-of:      RS-CLAIMED\nmnt-by:         MAINT-PIA-EX\nsource:         EXAMPLE\n\nroute:          198.18.4.0/22\ndescr:          Part, elsewhere\norigin:         AS64501\nmnt-by:         MAINT-PIA-EX\nsource:         EXAMPLE',
      ),
    ],
    ['-V tester !s-lc', framed('EXAMPLE')],
  ])('%s', async (line, answer) => {
    const got = await whois.send(`${line}\n`);
    // Dates the server adds are left out.
    expect(got.includes('last-modified') ? got.replace(/^last-modified:.*\n/gm, '').replace(/^A\d+/, 'A') : got).toBe(
      got.includes('last-modified') ? answer.replace(/^A\d+/, 'A') : answer,
    );
  });

  test.each(['!t0', '!t1001', '!sOTHER', '!gAS-X', '!rnonsense', '!r198.18.4.0/22,x', '!mnothing,x', '!z', '!o', '!i'])(
    '%s is refused with a sentence',
    async line => {
      expect(await whois.send(`${line}\n`)).toMatch(/^F .+\n$/);
    },
  );

  test('objects come by class and key, and by maintainer', async () => {
    expect(await whois.send('!maut-num,as64500\n')).toMatch(/^A\d+\naut-num: +AS64500\n[^]*\nC\n$/);
    expect(await whois.send('!mroute,198.18.4.0/22AS64501\n')).toContain('Part, elsewhere');
    const all = await whois.send('!oMAINT-PIA-EX\n');
    expect(all.match(/^route: .*$/gm)).toHaveLength(3);
    expect(Number(/^A(\d+)\n/.exec(all)![1])).toBe(Buffer.byteLength(all) - all.indexOf('\n') - 1 - 'C\n'.length);
  });

  test('serials', async () => {
    expect(await whois.send('!j-*\n')).toMatch(/^A\d+\nEXAMPLE:Y:1-\d+\nC\n$/);
    expect(await whois.send('!jOTHER\n')).toContain('OTHER:X:');
    const status = await whois.send('!J-*\n');
    expect(JSON.parse(status.split('\n')[1]!)).toMatchObject({ EXAMPLE: { authoritative: true } });
  });

  test('a connection takes one command, unless it asks to stay open', async () => {
    expect(await whois.send('!s-lc\n!s-lc\n')).toBe(framed('EXAMPLE'));
    expect(await whois.send('!!\n!s-lc\n!a\n!gAS64501\n!q\n!s-lc\n')).toBe(
      `${framed('EXAMPLE')}F Missing required set name for A query\n${framed('198.18.4.0/22')}`,
    );
  });

  test.each([
    ['with a line break', `!!\n!g${'x'.repeat(2_000)}\n`],
    ['without an end', `!!\n!g${'x'.repeat(2_000)}`],
  ])('a command that is too long is refused as its protocol does, %s', async (_, lines) => {
    expect(await whois.send(lines)).toMatch(/^F .+\n$/);
  });

  test('what the server itself breaks at is answered as the protocol of the connection does', async () => {
    await using broken = await whoisServer({ kind, memoryMegabytes: 0 });
    await sql`alter table whois_object rename to lost_object`.execute(broken.db.unrecorded);
    expect(await broken.send('!!\n!gAS64500\n!q\n')).toMatch(/^F Internal error.+\n$/);
    expect(await broken.send('!gAS64500\n')).toMatch(/^F Internal error.+\n$/);
    expect(await broken.send('-r AS64500\n')).toContain('%ERROR:100:');
  });

  test('hundreds of commands sent together are answered in order', async () => {
    const numbers = Array.from({ length: 300 }, (_, i) => 64_490 + (i % 15));
    const answer = await whois.send(`!!\n${numbers.map(number => `!gAS${number}\n`).join('')}!q\n`);
    const expected = numbers.map(number =>
      number === 64_500 ? framed('198.18.0.0/16 198.18.4.0/22') : number === 64_501 ? framed('198.18.4.0/22') : 'D\n',
    );
    expect(answer).toBe(expected.join(''));
  });

  test('range operators after sets and AS numbers apply to all their members, and mutually nested sets end', async () => {
    const answer = (await whois.send('!iRS-RANGES,1\n')).split('\n')[1]!.split(' ');
    expect(answer).toEqual(
      expect.arrayContaining([
        // 192.0.2.0/24^+ of RS-CLAIMED, of these the lengths 24 to 26; its route by claim is shorter.
        '192.0.2.0/24^24-26',
        '198.18.4.0/22^24-26',
        // The routes of AS64500 with length 20, and by AS-INNER all inside them.
        '198.18.0.0/16^20',
        '198.18.0.0/16^+',
        '198.18.4.0/22^+',
        '2001:db8::/32^+',
        '203.0.113.0/24^+',
        '192.0.2.128/25^+',
      ]),
    );
    expect(answer).not.toContain('198.18.4.0/22');
    expect(answer).not.toContain('198.18.4.0/22^20');
    expect(new Set(answer).size).toBe(answer.length);
    expect(answer.length).toBeLessThan(60);
  });

  test('a set that contains itself in many ways is followed in a few of them', async () => {
    const answer = (await whois.send('!iRS-MANY,1\n')).split('\n')[1]!.split(' ');
    expect(answer).toEqual(expect.arrayContaining(['203.0.113.0/24', '203.0.113.0/24^24-28', '203.0.113.0/24^-', '203.0.113.0/24^+']));
    // Two routes of IPv4 and one of IPv6, and the prefix, in sixteen ways each at most.
    expect(answer.length).toBeLessThanOrEqual(4 * 16);
    expect(answer).toEqual(expect.arrayContaining(['198.18.0.0/16^23-24', '198.18.4.0/22^+']));
  });

  test('!e leaves sets out', async () => {
    expect(await whois.send('!!\n!eAS-INNER\n!iAS-OUTER,1\n!e-lc\n!q\n')).toBe(`C\n${framed('AS64501')}${framed('AS-INNER')}`);
  });
});
