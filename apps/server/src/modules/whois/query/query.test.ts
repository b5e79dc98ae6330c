import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules } from '../../../../test/portal.ts';
import { exampleObjects, loadObjects, type WhoisServer, whoisServer } from '../../../../test/whois-server.ts';

/** First lines of the objects of an answer. */
const heads = (answer: string): string[] =>
  answer
    .split('\n\n')
    .filter(part => part !== '' && !part.startsWith('%'))
    .map(part => part.split('\n')[0]!.replace(/\s+/g, ' '));
const code = (answer: string): string | undefined => /^%(?:ERROR|WARNING):(\d+):/m.exec(answer)?.[1];

describe.each(kindsForRules)('whois on %s', kind => {
  let whois: WhoisServer;
  beforeAll(async () => {
    whois = await whoisServer({ kind });
  });
  afterAll(() => whois[Symbol.asyncDispose]());

  test('an address is answered with the smallest network around it, its contacts, and all routes of the smallest prefix', async () => {
    const answer = await whois.query('198.18.5.9');
    expect(heads(answer)).toEqual([
      'inetnum: 198.18.4.0 - 198.18.7.255',
      'role: Abuse Desk',
      'person: Pia Person',
      'route: 198.18.4.0/22',
      'route: 198.18.4.0/22',
    ]);
    expect(answer).toContain(
      `% Information related to '198.18.4.0 - 198.18.7.255'\n\n% Abuse contact for '198.18.4.0 - 198.18.7.255' is 'abuse-c@holder.example'\n\ninetnum:        198.18.4.0 - 198.18.7.255\nnetname:        INNER-NET\ndescr:          A part # Größe\n`,
    );
    expect(answer).toContain(`% Information related to '198.18.4.0/22AS64501'\n\nroute:          198.18.4.0/22\n`);
  });

  test('contacts follow their block: irt, organisation, role, person', async () => {
    expect(heads(await whois.query('-T inetnum 198.18.0.0 - 198.18.255.255'))).toEqual([
      'inetnum: 198.18.0.0 - 198.18.255.255',
      'irt: IRT-HOLDER-EX',
      'organisation: ORG-HO1-EX',
      'person: Pia Person',
    ]);
  });

  test('auth is hidden everywhere, whatever its value', async () => {
    for (const line of [
      'MAINT-PIA-EX',
      '-B MAINT-PIA-EX',
      '-F MAINT-PIA-EX',
      'IRT-HOLDER-EX',
      '--show-version 1 MAINT-PIA-EX',
      '-i auth PGPKEY-87654321',
    ]) {
      const answer = await whois.query(line);
      expect(answer, line).toContain('# Filtered');
      expect(answer, line).not.toMatch(/PGPKEY|PORTAL|second line/);
    }
    expect(await whois.send('!mmntner,MAINT-PIA-EX\n')).not.toMatch(/PGPKEY|PORTAL|second line/);
  });

  test.each([
    ['-x 198.18.4.0/22', ['inetnum: 198.18.4.0 - 198.18.7.255', 'route: 198.18.4.0/22', 'route: 198.18.4.0/22']],
    ['-l 198.18.4.0/22', ['inetnum: 198.18.0.0 - 198.18.255.255', 'route: 198.18.0.0/16']],
    [
      '-L 198.18.4.0/22',
      [
        'inetnum: 198.18.0.0 - 198.18.255.255',
        'inetnum: 198.18.4.0 - 198.18.7.255',
        'route: 198.18.0.0/16',
        'route: 198.18.4.0/22',
        'route: 198.18.4.0/22',
      ],
    ],
    ['-m 198.18.0.0/16', ['inetnum: 198.18.4.0 - 198.18.7.255', 'route: 198.18.4.0/22', 'route: 198.18.4.0/22']],
    ['-M -T inetnum 198.18.0.0/16', ['inetnum: 198.18.4.0 - 198.18.7.255', 'inetnum: 198.18.4.0 - 198.18.4.99']],
    ['198.18.4.50', ['inetnum: 198.18.4.0 - 198.18.4.99', 'route: 198.18.4.0/22', 'route: 198.18.4.0/22']],
    ['198.18.4.100', ['inetnum: 198.18.4.0 - 198.18.7.255', 'route: 198.18.4.0/22', 'route: 198.18.4.0/22']],
    ['198.18.200.1', ['inetnum: 198.18.0.0 - 198.18.255.255', 'route: 198.18.0.0/16']],
    ['198.18.4.77/22', ['inetnum: 198.18.4.0 - 198.18.7.255', 'route: 198.18.4.0/22', 'route: 198.18.4.0/22']],
    ['2001:DB8:0::1', ['inet6num: 2001:db8::/32', 'route6: 2001:db8::/32']],
    ['-d -T domain 198.18.4.1', ['domain: 18.198.in-addr.arpa']],
    ['4.18.198.in-addr.arpa', ['domain: 18.198.in-addr.arpa']],
    ['198.18.4.0/22as64501', ['route: 198.18.4.0/22']],
    ['as64500', ['as-block: AS64496 - AS64511', 'aut-num: AS64500']],
    ['AS64500 - AS64505', ['as-block: AS64496 - AS64511']],
    ['64500', ['as-block: AS64496 - AS64511', 'aut-num: AS64500']],
    ['-T inetnum 198.18.5/24', ['inetnum: 198.18.4.0 - 198.18.7.255']],
    ['-T inetnum 198.18/16', ['inetnum: 198.18.0.0 - 198.18.255.255']],
    ['-x -T route 198.18/16', ['route: 198.18.0.0/16']],
    ['holder-net', ['inetnum: 198.18.0.0 - 198.18.255.255', 'inet6num: 2001:db8::/32']],
    ['pp1-ex', ['person: Pia Person']],
    ['person PIA', ['person: Pia Person']],
    ['PIA@holder.example', ['person: Pia Person']],
    ['org@holder.example', ['organisation: ORG-HO1-EX']],
    ['as-inner', ['as-set: AS-INNER']],
    ['R1.holder.example', ['inet-rtr: r1.holder.example']],
    ['-T inet-rtr 198.18.4.1', ['inet-rtr: r1.holder.example']],
    ['-i origin AS64501', ['route: 198.18.4.0/22']],
    ['-i mnt-irt,abuse-c -T inetnum IRT-holder-ex', ['inetnum: 198.18.0.0 - 198.18.255.255']],
    ['-i person -T role PP1-EX', ['role: Abuse Desk']],
    ['-i nserver ns1.holder.example', ['domain: 18.198.in-addr.arpa']],
    ['-i upd-to pia@holder.example', ['mntner: MAINT-PIA-EX']],
    ['-i mbrs-by-ref any', ['route-set: RS-CLAIMED']],
  ])('%s finds %j', async (line, found) => {
    expect(heads(await whois.query(`-r ${line}`))).toEqual(found);
  });

  test('an unknown key is reported by number, with the source', async () => {
    expect(await whois.query('203.0.113.77')).toBe('%ERROR:101: no entries found\n%\n% No entries found in source EXAMPLE.\n\n');
    expect(code(await whois.query('NOBODY-EX'))).toBe('101');
  });

  test('flags may be joined, follow the key and be written out', async () => {
    const expected = await whois.query('-r -B -T inetnum 198.18.5.9');
    for (const line of [
      '-rBTinetnum 198.18.5.9',
      '198.18.5.9 -rBT inetnum',
      '--No-Referenced --no-filtering --select-types=inetnum 198.18.5.9',
    ])
      expect(await whois.query(line)).toBe(expected);
  });

  test.each([
    ['', '106'],
    ['-s OTHER 198.18.5.9', '102'],
    ['-T network 198.18.5.9', '103'],
    ['-i nothing x', '104'],
    ['-i descr x', '105'],
    ['-r -r 198.18.5.9', '110'],
    ['-y 198.18.5.9', '111'],
    ['198.18.5.9 -T', '111'],
    ['--nonsense x', '111'],
    ['-m 0.0.0.0/0', '112'],
    ['-M 0/0', '112'],
    ['-x 10/8', '101'],
    ['--show-version 0 AS64500', '111'],
    ['--show-version -1 AS64500', '111'],
    ['--show-version 01 AS64500', '111'],
    ['--show-version 1.5 AS64500', '111'],
    ['--show-version 99999999999 AS64500', '111'],
    ['--show-version 2147483648 AS64500', '111'],
    ['--show-version one AS64500', '111'],
    ['--diff-versions 0:1 AS64500', '111'],
    ['--diff-versions 1 AS64500', '111'],
    ['--diff-versions 1: AS64500', '111'],
    ['--diff-versions :1 AS64500', '111'],
    ['--diff-versions 1:2:3 AS64500', '111'],
    ['--diff-versions 1:9 AS64500', '117'],
    ['AS64505-AS64500', '115'],
    ['-x AS64505 - AS64500', '115'],
    ['AS64500 - AS4294967296', '115'],
    ['AS4294967296', '115'],
    ['-i origin AS4294967296', '101'],
    ['198.18.5.9 - 198.18.4.0', '115'],
    ['198.18.4.0 - 2001:db8::', '115'],
    ['2001:db8::1 - 2001:db8::', '115'],
    ['300.1.1.1', '115'],
    ['198.18.4.0/33', '115'],
    ['2001:db8::/129', '115'],
    ['--no-personal --show-personal pp1-ex', '109'],
    ['-b -r 198.18.4.50', '109'],
    ['-b -B 198.18.4.50', '109'],
    ['-b -K 198.18.4.50', '109'],
    ['-b -F 198.18.4.50', '109'],
    ['-bF AS64500', '109'],
    ['--resource -i mnt-by MAINT-PIA-EX', '109'],
    ...['--list-versions', '--show-version 1', '--diff-versions 1:2'].flatMap(versions =>
      [
        '-r',
        '-x',
        '-l',
        '-L',
        '-m',
        '-M',
        '-F',
        '-K',
        '-B',
        '-i mnt-by',
        '-b',
        '-c',
        '-C',
        '-G',
        '-d',
        '--valid-syntax',
        '--no-personal',
      ].map((other): [string, string] => [`${versions} ${other} 198.18.4.0 - 198.18.4.99`, '109']),
    ),
    ['-T person 198.18.5.9', '115'],
    ['--list-versions pp1-ex', '116'],
    ['--show-version 9 AS64500', '117'],
    [Array.from({ length: 61 }, () => 'x').join(' '), '118'],
    ['-V web,192.0.2.1 AS64500', '203'],
    ['-l -x 198.18.5.9', '901'],
    ['-x AS64500', '902'],
    ['-t nothing', '103'],
  ])('"%s" is answered with %s', async (line, expected) => {
    expect(code(await whois.query(line))).toBe(expected);
  });

  test('-G puts contacts at the end, -F shortens, -K shows keys and members, --filtering hides addresses, --no-personal hides people', async () => {
    expect(heads(await whois.query('-G 198.18.5.9'))).toEqual([
      'inetnum: 198.18.4.0 - 198.18.7.255',
      'route: 198.18.4.0/22',
      'route: 198.18.4.0/22',
      'role: Abuse Desk',
      'person: Pia Person',
    ]);
    expect(await whois.query('-F -T inetnum 198.18.5.9')).toMatch(/^\*in: 198\.18\.4\.0 - 198\.18\.7\.255\n\*na: INNER-NET\n/);
    expect(await whois.query('-K 198.18.5.9')).toBe(
      'inetnum:        198.18.4.0 - 198.18.7.255\n\nroute:          198.18.4.0/22\norigin:         AS64500\n\nroute:          198.18.4.0/22\norigin:         AS64501\n\n',
    );
    expect(await whois.query('-K as-outer')).toContain('members:        AS-INNER, AS-UNKNOWN');
    const filtered = await whois.query('--filtering pp1-ex');
    expect(filtered).toContain('source:         EXAMPLE # Filtered');
    expect(filtered).not.toMatch(/e-mail|notify/);
    expect(heads(await whois.query('--no-personal -T inetnum 198.18.5.9'))).toEqual(['inetnum: 198.18.4.0 - 198.18.7.255']);
  });

  test.each([
    ['-x 18.198.in-addr.arpa', ['domain: 18.198.in-addr.arpa']],
    ['-L 5.18.198.in-addr.arpa', ['domain: 18.198.in-addr.arpa']],
    ['-l 5.18.198.in-addr.arpa', ['domain: 18.198.in-addr.arpa']],
    ['-M 198.in-addr.arpa', ['domain: 18.198.in-addr.arpa']],
  ])('a reverse zone is a range among zones: %s', async (line, expected) => {
    const answer = await whois.query(`-r ${line}`);
    expect(answer).not.toContain('902');
    expect(heads(answer)).toEqual(expected);
  });

  test('a mistyped key gets a hint', async () => {
    expect(await whois.query('AS64505-AS64500')).toBe(
      '%ERROR:115: invalid search key\n%\n% AS64505-AS64500 ends before it starts; did you mean AS64500 - AS64505?\n\n',
    );
    expect(await whois.query('198.18.5.9 - 198.18.4.0')).toContain('did you mean 198.18.4.0 - 198.18.5.9?');
    expect(await whois.query('198.18.4.0/33')).toContain('198.18.4.0/33 needs a prefix length from 0 to 32');
  });

  test.each([
    ['193.0.6.139', ['% 193.0.6.139 is registered with the RIPE NCC: ask whois.ripe.net, or https://rdap.db.ripe.net/ip/193.0.6.139/32\n']],
    ['-b 193.0.0.0/21', ['193.0.0.0/21 is registered with the RIPE NCC', 'https://rdap.db.ripe.net/ip/193.0.0.0/21']],
    ['-T route -r 41.0.0.0 - 41.0.0.255', ['ask whois.afrinic.net']],
    ['2a00:1450::/32', ['ask whois.ripe.net']],
    ['AS3333', ['AS3333 is registered with the RIPE NCC: ask whois.ripe.net, or https://rdap.db.ripe.net/autnum/3333']],
    ['AS701', ['ask whois.arin.net']],
  ])('%s belongs to another registry, and the answer says where to ask', async (line, said) => {
    const answer = await whois.query(line);
    expect(code(answer)).toBe('101');
    for (const each of said) expect(answer).toContain(each);
    // All of it is a comment, so parsers see no object.
    expect(answer.split('\n').filter(text => text !== '' && !text.startsWith('%'))).toEqual([]);
  });

  test('our own and special-purpose numbers are not reported as being elsewhere', async () => {
    for (const line of ['-T domain -x 198.18.4.1', '240.0.0.1 - 245.0.0.1', '10.0.0.1', 'AS64999', 'NOBODY-EX', '-T inet-rtr 198.18.5.9'])
      expect(await whois.query(line), line).not.toContain('is registered with');
  });

  test('-b returns the mailbox of the closest level that has one, -c includes its irt', async () => {
    expect(await whois.query('-b 198.18.4.50')).toBe(
      'inetnum:        198.18.4.0 - 198.18.4.99\nabuse-mailbox:  abuse-c@holder.example\n\n',
    );
    expect(await whois.query('-b AS64500')).toBe('aut-num:        AS64500\nabuse-mailbox:  abuse@holder.example\n\n');
    expect(heads(await whois.query('-c -T inetnum 198.18.4.50'))).toContain('irt: IRT-HOLDER-EX');
    expect(heads(await whois.query('-C -T inetnum 198.18.200.1'))).not.toContain('irt: IRT-HOLDER-EX');
  });

  test('about the server: sources, version, types, templates, help', async () => {
    expect(await whois.query('-q sources')).toMatch(/^EXAMPLE:3:Y:1-\d+\n/);
    expect(await whois.query('-q version')).toContain('1.0');
    expect((await whois.query('-q types')).split('\n')).toContain('inet6num');
    expect(await whois.query('-t route')).toMatch(/^route:\s+\[mandatory\]\s+\[single\]/);
    expect(await whois.query('-v route')).toContain('The route class');
    expect(await whois.query('help')).toContain('--select-types');
  });

  test('versions are listed, shown and compared', async () => {
    await loadObjects(
      whois.db,
      exampleObjects
        .split('\n\n')
        .find(each => each.startsWith('aut-num:        AS64501'))!
        .replace('CLAIMING-AS', 'RENAMED-AS'),
    );
    expect(await whois.query('--list-versions AS64501')).toMatch(/\n1 .* ADD\/UPD\n2 .* ADD\/UPD\n/);
    expect(await whois.query('--show-version 1 AS64501')).toContain('CLAIMING-AS');
    expect(await whois.query('--diff-versions 1:2 AS64501')).toMatch(/\n-as-name:\s+CLAIMING-AS\n\+as-name:\s+RENAMED-AS\n/);
  });

  test('a committed change is in the next answer, for contacts too', async () => {
    const person = (name: string): string =>
      `person: Vera ${name}\naddress: 1 Street\nphone: +61 7 5555 0100\ne-mail: v@holder.example\nnic-hdl: VV1-EX\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n`;
    const network =
      'inetnum: 203.0.113.0 - 203.0.113.255\nnetname: V-NET\ncountry: AU\nadmin-c: VV1-EX\ntech-c: VV1-EX\nstatus: ASSIGNED PORTABLE\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n';
    await loadObjects(whois.db, `${person('First')}\n${network}`);
    expect(await whois.query('-T inetnum 203.0.113.9')).toContain('Vera First');
    for (const name of ['Second', 'Third', 'Fourth']) {
      await loadObjects(whois.db, person(name));
      await expect.poll(() => whois.query('-T inetnum 203.0.113.9'), { interval: 5, timeout: 30_000 }).toContain(`Vera ${name}`);
    }
  });

  test('-k keeps the connection open until an empty line', async () => {
    const answer = await whois.send('-k\n-r AS64500\n-k -r AS64501\n\nAS64500\n');
    expect(answer.match(/^% \[whois/gm)).toHaveLength(1);
    expect(answer.match(/^aut-num:.*$/gm)).toEqual(['aut-num:        AS64500', 'aut-num:        AS64501']);
    expect(answer.match(/Whois Service version.*\n\n\n/g)).toHaveLength(2);
  });

  test('commands of the IRRd protocol within -k keep the connection open too', async () => {
    const answer = await whois.send('-k\n!gAS64501\n-r AS64500\n!6AS64500\n!zNONSENSE\n-r AS64501\n\n-r AS64500\n');
    expect(answer).toContain('A14\n198.18.4.0/22\nC\n');
    expect(answer).toContain('A14\n2001:db8::/32\nC\n');
    expect(answer).toMatch(/^F Unrecognised command/m);
    expect(answer.match(/^aut-num:.*$/gm)).toEqual(['aut-num:        AS64500', 'aut-num:        AS64501']);
    const ended = await whois.send('-k\n-r AS64500\n!q\n-r AS64501\n');
    expect(ended.match(/^aut-num:.*$/gm)).toEqual(['aut-num:        AS64500']);
    // Queries within !! as usual; without either, the connection ends after one command.
    expect((await whois.send('!!\n-r AS64500\n!gAS64501\n!q\n')).match(/^(aut-num:.*|A14)$/gm)).toEqual(['aut-num:        AS64500', 'A14']);
    expect((await whois.send('!gAS64501\n!gAS64501\n')).match(/^A14$/gm)).toHaveLength(1);
  });

  test('-Z chooses the encoding', async () => {
    expect(await whois.query('-r -Z latin-1 -T inetnum 198.18.5.9')).toContain('A part # Gr\ufffd\ufffde');
    expect(await whois.query('-r -Z us-ascii -T inetnum 198.18.5.9')).toContain('A part # Gr??e');
  });

  test('garbage is answered and doesn’t affect other connections', async () => {
    const noise = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 73 + 11) % 256).filter(byte => byte !== 10));
    expect(await whois.send(Buffer.concat([noise, Buffer.from('\n')]))).toContain('%ERROR:');
    expect(await whois.send(Buffer.from('198.18.5.9\0\0\n'))).toContain('inetnum:');
    expect(await whois.send('!\n')).toMatch(/^F /);
    expect(heads(await whois.query('-r AS64500'))).toContain('aut-num: AS64500');
  });

  test.each([
    ['a megabyte without an end', Buffer.alloc(1_000_000, 'x'), '107'],
    ['a megabyte of zero bytes', Buffer.alloc(1_000_000), '107'],
    ['zero bytes only', Buffer.alloc(100), '106'],
    ['Latin-1', Buffer.from('Größe von Ähren', 'latin1'), '101'],
    ['UTF-16 with its mark', Buffer.from('\ufeffpp1-ex', 'utf16le'), '101'],
    ['half a character', Buffer.from([0x70, 0xe2, 0x82]), '101'],
    ['an overlong slash', Buffer.from([0xc0, 0xaf]), '101'],
    ['a lone surrogate', Buffer.from([0xed, 0xa0, 0x80]), '101'],
    ['flags that are noise', Buffer.from('-\x01\x02 --\xff=\xfe', 'latin1'), '101'],
  ])('%s is refused or not found, and others are served at the same time', async (_what, bytes, expected) => {
    const [answer, other] = await Promise.all([whois.send(Buffer.concat([bytes, Buffer.from('\n')])), whois.query('-r AS64500')]);
    expect(code(answer)).toBe(expected);
    expect(heads(other)).toContain('aut-num: AS64500');
  });
});

describe('personal data', () => {
  test('an address that was shown too much is refused until the day ends, others are not', async () => {
    let now = new Date('2026-03-01T10:00:00Z');
    await using whois = await whoisServer({ personalLookupsPerDay: 2, trustedProxies: ['127.0.0.1'], clock: () => now });
    const from = '127.0.0.2';
    // The role has an abuse-mailbox: one object of this answer counts.
    for (let shown = 0; shown < 3; shown++) expect(await whois.query('-T inetnum 198.18.5.9', from)).toContain('Pia Person');
    expect(code(await whois.query('-r AS64500', from))).toBe('201');
    expect(await whois.send('!mperson,PP1-EX\n', from)).toMatch(/^F /);
    expect(code(await whois.query('pp1-ex', '127.0.0.3'))).toBeUndefined();
    expect(code(await whois.query('-V web,127.0.0.2 pp1-ex'))).toBe('201');
    now = new Date('2026-03-02T00:00:01Z');
    expect(code(await whois.query('pp1-ex', from))).toBeUndefined();
    expect(whois.port43.statistics()).toMatchObject({ problems: { 201: 2 }, queries: { address: 3 } });
  });

  test('an address over the limit on ten days is refused permanently', async () => {
    let day = 1;
    await using whois = await whoisServer({
      personalLookupsPerDay: 1,
      clock: () => new Date(Date.UTC(2026, 2, day)),
    });
    for (; day <= 10; day++) for (let shown = 0; shown < 2; shown++) await whois.query('pp1-ex');
    expect(await whois.query('-r AS64500')).toContain('until the registry lifts that');
  });
});
