import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  entryOf,
  type MirroringRegistry,
  mirroringRegistry,
  publishingRegistry,
  type PublishingRegistry,
} from '../../../../test/mirrored-registry.ts';
import { kindsForRules } from '../../../../test/portal.ts';
import { exampleObjects } from '../../../../test/whois-server.ts';

const now = new Date('2026-03-01T12:00:00Z');
const framed = (text: string): string => `A${Buffer.byteLength(text) + 1}\n${text}\nC\n`;
const ours = `
as-set:         AS-OUTER
descr:          Ours, of the same name
members:        AS64500, EXAMPLE::AS-INNER
mnt-by:         MAINT-M
source:         MIRROR

route:          198.18.4.0/22
descr:          Ours
origin:         AS64500
mnt-by:         MAINT-PIA-EX
source:         MIRROR

route:          203.0.113.0/24
descr:          Ours too
origin:         AS64500
mnt-by:         MAINT-M
source:         MIRROR
`;

describe.each(kindsForRules)('sources of other registries on %s', kind => {
  let other: PublishingRegistry;
  let mirror: MirroringRegistry;
  beforeAll(async () => {
    other = await publishingRegistry(exampleObjects, now);
    mirror = await mirroringRegistry([entryOf(other, 'nrtm4'), { name: 'EMPTY', dump: ['file:///nowhere/empty.db'] }], {
      kind,
      objects: ours,
    });
    await mirror.load(now);
  });
  afterAll(async () => {
    await mirror[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
  const query = (line: string): Promise<string> => mirror.whois.query(line);
  const send = (line: string): Promise<string> => mirror.whois.send(`${line}\n`);
  const routesIn = (answer: string): string[] => [...answer.matchAll(/^(?:route6?|source): +(\S+)$/gm)].map(([, value]) => value!);

  test('a query without a source is answered by ours alone', async () => {
    expect(routesIn(await query('198.18.4.0/22'))).toEqual(['198.18.4.0/22', 'MIRROR']);
    expect(await query('2001:db8::/32')).toContain('%ERROR:101: no entries found\n%\n% No entries found in source MIRROR.\n');
    expect(await query('--resource AS64501')).toContain('No entries found in source MIRROR.');
  });

  test('-s asks sources in the order in which they are named, -a asks all, each with its own source', async () => {
    expect(routesIn(await query('-s EXAMPLE -x 198.18.4.0/22'))).toEqual(['198.18.4.0/22', 'EXAMPLE', '198.18.4.0/22', 'EXAMPLE']);
    expect(routesIn(await query('-s example,mirror -x -T route 198.18.4.0/22')).filter(each => /^[A-Z]/.test(each))).toEqual([
      'EXAMPLE',
      'EXAMPLE',
      'MIRROR',
    ]);
    expect(routesIn(await query('-a -x -T route 198.18.4.0/22')).filter(each => /^[A-Z]/.test(each))).toEqual([
      'MIRROR',
      'EXAMPLE',
      'EXAMPLE',
    ]);
    expect(await query('-s EXAMPLE 2001:db8:1::1')).toMatch(
      /^% Objects of EXAMPLE, another registry, mirrored as of 2026-03-01T12:00:00\S* without contacts and remarks\. MIRROR doesn’t vouch for them\.\n\n% Information related to '2001:db8::\/32AS64500'\n\nroute6: /,
    );
  });

  test.each<[string, RegExp]>([
    ['-s EXAMPLE AS64501', /^aut-num: +AS64501$/m],
    ['-s EXAMPLE AS-INNER', /^as-set: +AS-INNER$/m],
    ['-s EXAMPLE maint-pia-ex', /^mntner: +MAINT-PIA-EX\ndescr: +Kept by her\nmnt-by/m],
    ['-s EXAMPLE 198.18.4.0/22AS64501', /^descr: +Part, elsewhere$/m],
    ['-s EXAMPLE -L 198.18.4.1', /route: +198\.18\.0\.0\/16[^]*route: +198\.18\.4\.0\/22/],
    ['-s EXAMPLE -l 198.18.4.0/22', /route: +198\.18\.0\.0\/16/],
    ['-s EXAMPLE -M 198.18.0.0/15', /route: +198\.18\.0\.0\/16[^]*route: +198\.18\.4\.0\/22/],
    ['-s EXAMPLE -i origin AS64501', /route: +198\.18\.4\.0\/22/],
    ['-s EXAMPLE -i mnt-by MAINT-PIA-EX', /aut-num: +AS64500/],
    ['-s EXAMPLE -i member-of AS-OUTER', /aut-num: +AS64501/],
    ['-s EXAMPLE 198.18.4.1', /inet-rtr: +r1\.holder\.example/],
    ['-s EXAMPLE -K AS-INNER', /^as-set: +AS-INNER\nmembers: +AS64500, AS-OUTER\n\n$/],
    ['-s EXAMPLE -F AS-INNER', /^\*as: /m],
  ])('%s', async (line, answer) => {
    expect(await query(line)).toMatch(answer);
  });

  test.each<[string, string]>([
    ['-s NOWHERE AS64500', '%ERROR:102: unknown source\n%\n% "NOWHERE" is not a known source; there are MIRROR, EXAMPLE, EMPTY.'],
    ['-s EMPTY AS64500', 'No entries found in source EMPTY.'],
    ['-a AS64999', 'No entries found in sources MIRROR, EXAMPLE, EMPTY.'],
    ['-s EXAMPLE -m 198.18.0.0/15 -T inetnum', 'No entries found in source EXAMPLE.'],
    ['-s EXAMPLE PP1-EX', 'No entries found in source EXAMPLE.'],
    ['-s EXAMPLE -b AS64500', '-b is for objects of MIRROR'],
    ['-s EXAMPLE --list-versions AS64500', 'The history is for objects of MIRROR'],
  ])('%s says what there isn’t', async (line, answer) => {
    expect(await query(line)).toContain(answer);
  });

  test('-q sources lists ours first, and of each other one how far it goes and what it is', async () => {
    expect(await query('-q sources')).toMatch(
      /^MIRROR:3:Y:1-3\nEXAMPLE:3:N:0-1\n% EXAMPLE is another registry’s, mirrored by NRTM 4: \d+ objects as of 2026-03-01T12:00:00\S*\nEMPTY:3:N:0-0\n% EMPTY is another registry’s, and is not loaded yet\n\n$/,
    );
    expect(await query('help')).toContain('Mirrored from others: EXAMPLE, EMPTY; -q sources says how far.');
  });

  test('the IRRd protocol asks the sources that are selected, for the rest of the connection', async () => {
    expect(await send('!s-lc')).toBe(framed('MIRROR'));
    expect(await send('!!\n!sexample,mirror\n!s-lc\n!q')).toBe(`C\n${framed('EXAMPLE,MIRROR')}`);
    expect(await send('!sNOWHERE')).toBe('F One or more selected sources are unavailable; there are MIRROR, EXAMPLE, EMPTY.\n');
    expect(await send('!!\n!gAS64500\n!sEXAMPLE\n!gAS64500\n!sMIRROR,EXAMPLE\n!gAS64500\n!6AS64500\n!q')).toBe(
      [
        framed('198.18.4.0/22 203.0.113.0/24'),
        'C\n',
        framed('198.18.0.0/16 198.18.4.0/22'),
        'C\n',
        framed('198.18.4.0/22 203.0.113.0/24 198.18.0.0/16'),
        framed('2001:db8::/32'),
      ].join(''),
    );
  });

  test('a set is taken from the first source that has it, one with its source from that one', async () => {
    expect(await send('!iAS-OUTER')).toBe(framed('AS64500 EXAMPLE::AS-INNER'));
    expect(await send('!!\n!sEXAMPLE\n!iAS-OUTER\n!q')).toBe(`C\n${framed('AS64501 AS-INNER AS-UNKNOWN')}`);
    expect(await send('!iEXAMPLE::AS-OUTER,1')).toBe(framed('AS64500 AS64501'));
    expect(await send('!iAS-OUTER,1')).toBe(framed('AS64500'));
    expect(await send('!!\n!sEXAMPLE\n!iAS-OUTER,1\n!q')).toBe(`C\n${framed('AS64500 AS64501')}`);
    expect(await send('!iNOWHERE::AS-OUTER')).toBe('D\n');
    expect(await send('!!\n!sEXAMPLE\n!iRS-CLAIMED\n!a4AS-OUTER\n!q')).toBe(
      `C\n${framed('192.0.2.0/24^+ 198.18.4.0/22')}${framed('198.18.0.0/16 198.18.4.0/22')}`,
    );
  });

  test('objects and routes come from the sources in their order', async () => {
    expect(await send('!!\n!sEXAMPLE,MIRROR\n!mas-set,AS-OUTER\n!q')).toMatch(
      /descr: +A loop with the inner one[^]*source: +EXAMPLE\nC\n$/,
    );
    expect(await send('!!\n!sMIRROR,EXAMPLE\n!mas-set,AS-OUTER\n!q')).toMatch(/descr: +Ours, of the same name/);
    expect(await send('!!\n!sMIRROR,EXAMPLE\n!r198.18.4.0/22,o\n!q')).toBe(`C\n${framed('AS64500 AS64501')}`);
    expect(routesIn(await send('!!\n!sMIRROR,EXAMPLE\n!r198.18.4.0/22\n!q')).filter(each => /^[A-Z]/.test(each))).toEqual([
      'MIRROR',
      'EXAMPLE',
      'EXAMPLE',
    ]);
    expect(routesIn(await send('!!\n!sMIRROR,EXAMPLE\n!oMAINT-PIA-EX\n!q'))).toContain('2001:db8::/32');
  });

  test('serials and state are those of the sources that are asked for', async () => {
    expect(await send('!j-*')).toBe(framed('MIRROR:Y:1-3'));
    expect(await send('!jEXAMPLE,MIRROR,NOWHERE')).toBe(framed('EXAMPLE:N:0-1\nMIRROR:Y:1-3\nNOWHERE:X:Database unknown'));
    const answer = await send('!JEXAMPLE');
    expect(JSON.parse(answer.split('\n')[1]!)).toMatchObject({
      EXAMPLE: { authoritative: false, mirrored_by: 'NRTM 4', nrtm4_client_version: 1, is_failing: false },
    });
  });
});
