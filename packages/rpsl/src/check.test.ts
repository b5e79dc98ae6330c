import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeHelp } from './attribute-help.ts';
import { type AttributeName, attributes } from './attributes.ts';
import { type CheckMode, checkObject, checkValue } from './check.ts';
import { classes, classNames, isFilledIn } from './classes.ts';
import type { ClassName } from './class-name.ts';
import { exampleObject, exampleValue } from './example.ts';
import { lengthProblem } from './limits.ts';
import { normalise } from './normalise.ts';
import { objectOf, parseObject, type RpslObject } from './object.ts';
import { firstProblems } from './problem.ts';

const linesOf = (object: RpslObject): [string, string][] => object.attributes.map(({ name, value }) => [name, value]);
const errors = (object: RpslObject, mode: CheckMode = 'create') =>
  checkObject(object, mode)
    .filter(one => one.severity === 'error')
    .map(one => one.code);
const fault = (className: ClassName, attribute: AttributeName, value: string, key?: string) =>
  checkValue(objectOf([[className, key ?? exampleValue(className, className as AttributeName)]]), attribute, value)?.code ?? null;

describe.each(classNames)('every %s', className => {
  const { template } = classes[className];

  it('is right as the example has it, short and full', () => {
    expect(checkObject(exampleObject(className), 'create')).toEqual([]);
    expect(checkObject(exampleObject(className, { full: true }), 'create')).toEqual([]);
  });

  it.each(
    template
      .filter(row => row.need === 'mandatory' && row.attribute !== className && !isFilledIn(className, row.attribute))
      .map(row => row.attribute),
  )('is refused without %s, and loaded', attribute => {
    const lines = linesOf(exampleObject(className)).filter(([name]) => name !== attribute);
    expect(checkObject(objectOf(lines), 'create')).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'attribute-missing', message: expect.stringContaining(attribute) as string }),
    );
    expect(errors(objectOf(lines), 'load')).toEqual([]);
  });

  it.each(template.filter(row => row.often === 'single' && row.need !== 'generated').map(row => row.attribute))(
    'is refused with two %s',
    attribute => {
      const example = exampleObject(className, { full: true });
      const line: [string, string] = [attribute, exampleValue(className, attribute)];
      const lines = linesOf(example).flatMap(one => (one[0] === attribute ? [one, line] : [one]));
      if (lines.length === example.attributes.length) lines.push(line, line);
      const found = checkObject(objectOf(lines), 'modify').filter(one => one.code === 'attribute-repeated');
      expect(found).toHaveLength(1);
      expect(objectOf(lines).attributes[found[0]?.attribute ?? 0]?.name).toBe(attribute);
    },
  );

  it.each(template.filter(row => row.often === 'many').map(row => row.attribute))('may have several %s', attribute => {
    const lines = linesOf(exampleObject(className));
    lines.push([attribute, exampleValue(className, attribute)], [attribute, exampleValue(className, attribute)]);
    if (attribute === 'mp-peering')
      lines.splice(
        lines.findIndex(([name]) => name === 'peering'),
        1,
      );
    expect(errors(objectOf(lines))).toEqual([]);
  });
});

describe('the tables', () => {
  it('have help and a class for every attribute, and one source', () => {
    const used = new Set(classNames.flatMap(name => classes[name].template.map(row => row.attribute)));
    expect(Object.keys(attributes).filter(name => !used.has(name as AttributeName))).toEqual([]);
    for (const name of used) expect(attributeHelp[name].length).toBeGreaterThan(15);
    for (const name of classNames) {
      const { template } = classes[name];
      expect(template.filter(row => row.key.includes('primary')).length).toBe(name.startsWith('route') && name !== 'route-set' ? 2 : 1);
      expect(new Set(template.map(row => row.attribute)).size).toBe(template.length);
      expect(template.some(row => row.attribute === 'source')).toBe(true);
    }
    expect(classNames.map(name => classes[name].order)).toEqual(classNames.map(name => classes[name].order).toSorted((a, b) => a - b));
  });

  it('give each short name once', () => {
    const shorts = Object.values(attributes).flatMap(({ short }) => (short === null ? [] : [short]));
    expect(new Set(shorts).size).toBe(shorts.length);
  });
});

describe('an object that breaks a rule', () => {
  const change = (className: ClassName, ...more: [string, string][]) => objectOf([...linesOf(exampleObject(className)), ...more]);

  it('reports everything together, line by line', () => {
    const { object } = parseObject(
      'person: Jo\ncountry: XX\nphone: 12\nnic-hdl: J1\nmnt-bye: MAINT-A\norigin: AS1\nsource: EXAMPLE # mine\n',
    );
    const found = object ? checkObject(object, 'create') : [];
    expect(found.map(({ code, line }) => [code, line])).toEqual([
      ['not-a-name', 1],
      ['not-a-country', 2],
      ['not-a-phone', 3],
      ['not-a-handle', 4],
      ['attribute-unknown', 5],
      ['attribute-not-in-class', 6],
      ['comment-not-allowed', 7],
      ['attribute-missing', null],
      ['attribute-missing', null],
      ['attribute-missing', null],
    ]);
    expect(found[4]?.message).toContain('did you mean mnt-by?');
  });

  it('may be of no class at all', () => {
    expect(checkObject(objectOf([['inetnumm', 'x']]), 'load')).toMatchObject([
      { severity: 'error', code: 'class-unknown', message: expect.stringContaining('inetnum?') as string },
    ]);
    expect(errors(objectOf([['poem', 'POEM-A']]))).toEqual(['class-unknown']);
  });

  it('is loaded when only today’s rules refuse it, but never with a broken key', () => {
    const old = objectOf([
      ['inetnum', '192.0.2.0 - 192.0.2.255'],
      ['status', 'UNSPECIFIED'],
      ['rev-srv', 'ns.example.net'],
      ['changed', 'a@example.net 19990101'],
    ]);
    expect(errors(old)).toEqual(expect.arrayContaining(['not-a-status', 'former-attribute', 'attribute-missing']));
    expect(errors(old, 'load')).toEqual([]);
    expect(errors(objectOf([['inetnum', '192.0.2.9 - 192.0.2.1']]), 'load')).toEqual(['range-reversed']);
  });

  it('is a new as-set without an AS number in front; old ones may keep their names', () => {
    const flat = objectOf(linesOf(exampleObject('as-set')).map(([name, value]) => [name, name === 'as-set' ? 'AS-EXAMPLE' : value]));
    expect(errors(flat)).toEqual(['set-not-hierarchical']);
    expect([errors(flat, 'modify'), errors(flat, 'load')]).toEqual([[], []]);
  });

  it('leaves empty text alone, and asks for other values', () => {
    expect(errors(change('person', ['remarks', '']))).toEqual([]);
    expect(errors(change('person', ['org', '']))).toEqual(['value-missing']);
    expect(errors(change('key-cert', ['certif', ''], ['certif', 'mQENBF']))).toEqual([]);
    expect(errors(objectOf(linesOf(exampleObject('mntner')).map(([name, value]) => [name, name === 'descr' ? '' : value])))).toEqual([
      'value-missing',
    ]);
  });

  it('cannot be filtered output pasted back', () => {
    const lines = linesOf(exampleObject('mntner')).map(([name, value]): [string, string] => [name, name === 'auth' ? '# Filtered' : value]);
    expect(errors(objectOf(lines))).toEqual(['value-filtered']);
  });

  it('has one filter, one kind of peering, one geofeed, and no contact that is itself', () => {
    expect(errors(change('filter-set', ['mp-filter', 'ANY']))).toEqual(['attributes-exclude']);
    expect(errors(objectOf(linesOf(exampleObject('filter-set')).filter(([name]) => name !== 'filter')))).toEqual(['attribute-missing']);
    expect(errors(change('peering-set', ['mp-peering', 'AS64502']))).toEqual(['attributes-exclude']);
    expect(errors(change('inetnum', ['geofeed', 'https://example.net/g.csv'], ['remarks', 'Geofeed https://example.net/g.csv']))).toEqual([
      'geofeed-twice',
    ]);
    expect(errors(change('role', ['admin-c', 'eno1-ex']))).toEqual(['self-contact']);
    expect(errors(change('as-set', ['mbrs-by-ref', 'ANY, MAINT-A']))).toEqual(['any-with-others']);
  });

  it.each([
    [['MAINT-A ANY', 'MAINT-A {192.0.2.0/24}'], ['any-with-others']],
    [['MAINT-A {192.0.2.0/24}', 'maint-a any'], ['any-with-others']],
    [['MAINT-A ANY', 'MAINT-A'], ['any-with-others']],
    [['MAINT-A {ANY, 192.0.2.0/24}'], ['not-an-address']],
    [['MAINT-A ANY', 'MAINT-A ANY'], []],
    [['MAINT-A ANY', 'MAINT-B {192.0.2.0/24}', 'MAINT-C'], []],
    [['MAINT-A {192.0.2.0/25}', 'MAINT-A {192.0.2.128/25}'], []],
  ])('limits a maintainer of routes, or lets it make all: %j', (values, found) => {
    const lines = linesOf(exampleObject('inetnum')).filter(([name]) => name !== 'mnt-routes');
    const more = values.map((value): [string, string] => ['mnt-routes', value]);
    expect(errors(objectOf([...lines.slice(0, -1), ...more, ...lines.slice(-1)]))).toEqual(found);
  });
});

describe('a value', () => {
  it.each([
    [
      'inetnum',
      'inetnum',
      ['192.0.2.0 - 192.0.2.255', '192.0.2.0-192.0.2.9', '192.0.2.0/24'],
      ['192.0.2.1', '192.0.2.1/24', '192.0.2.9 - 192.0.2.1', '192.0.2.0 - 192.0.2.256', '2001:db8::/32', '10/8'],
    ],
    ['inet6num', 'inet6num', ['2001:db8::/32', '2001:0DB8::/32'], ['2001:db8::1/32', '2001:db8::', '192.0.2.0/24', '2001:db8::/129']],
    ['inetnum', 'netname', ['EXAMPLE', 'AS-NET', 'A1', 'a_b-c9'], ['ANY', '1A', 'A-', 'A B', 'peeras', 'É1', 'A'.repeat(81)]],
    ['inetnum', 'mnt-by', ['MAINT-AU-EXAMPLE', 'MAINT-A, MAINT-B'], ['AS-MAINT', 'irt-x', 'ANNOUNCE', 'MAINT A', 'MAINT-']],
    ['inetnum', 'mnt-irt', ['IRT-EXAMPLE-AP', 'irt-x1'], ['EXAMPLE', 'IRT-', 'IRT-A B']],
    [
      'inetnum',
      'admin-c',
      ['JD1-EX', 'HM20-AP', 'jd1-ex', 'AUTO-1', 'AUTO-12JDX'],
      ['J1-EX', 'JD01-EX', 'ABCDE1-EX', 'JD1234567-EX', 'JD1-1X', 'AUTO-1J', 'Jo Doe'],
    ],
    ['inetnum', 'org', ['ORG-EX1-EX', 'AUTO-1', 'org-ex1-ex'], ['ORG-E1-EX', 'EX1-EX', 'ORG-EX-EX']],
    ['inetnum', 'country', ['AU', 'au', 'ZZ', 'AP', 'EU'], ['XX', 'AUS', 'Australia', 'UK']],
    ['inetnum', 'language', ['en', 'EN'], ['xx', 'eng']],
    ['inetnum', 'geoloc', ['-27.47 153.02', '90 -180', '0 0'], ['91 0', '0 181', '1,2', '1']],
    ['inetnum', 'geofeed', ['https://example.net/g.csv'], ['http://example.net/', 'https://', 'ftp://x', 'https://a b']],
    ['inetnum', 'status', ['ALLOCATED PORTABLE', 'assigned  non-portable'], ['ASSIGNED PA', 'NOT-SET', 'UNSPECIFIED']],
    [
      'inetnum',
      'notify',
      ['noc@example.net', "o'neil+x@example.co.nz", '"a b"@example.net', 'noc@例え.jp'],
      ['noc', 'noc@localhost', '@example.net', 'a b@example.net', 'é@example.net', 'a@b..c', `${'a'.repeat(60)}@${'b'.repeat(20)}.net`],
    ],
    [
      'inetnum',
      'mnt-routes',
      ['MAINT-A', 'MAINT-A ANY', 'MAINT-A {192.0.2.0/25}', 'MAINT-A{192.0.2.0/24^26-28, 192.0.2.128/25^+}'],
      ['MAINT-A {}', 'MAINT-A {10.0.0.0/8}', 'MAINT-A ALL', 'MAINT-A {192.0.2.0/24^16}', 'MAINT-A {2001:db8::/32}'],
    ],
    [
      'person',
      'phone',
      ['+61 7 3858 3100', '+61-7-5550-0100 ext. 12', '+81 (3) 1234 5678', '+000000000'],
      ['07 3858 3100', '+61 7 CALL', '+61 ((7)) 1', '+1', `+${'1'.repeat(30)}`],
    ],
    ['person', 'person', ['Jo Example', 'J. Example', "O'Neil van der Berg"], ['Jo', 'Jo 12', '山田 太郎', 'a b c d e f g h i j k']],
    ['organisation', 'org-name', ['Example Pty Ltd', '(AT&T) "x"'], ['山田', 'a b c d e f g h i j k l m', 'a|b']],
    ['organisation', 'org-type', ['NON-REGISTRY', 'lir'], ['OTHER']],
    ['organisation', 'organisation', ['ORG-EX1-EX', 'AUTO-1EX'], ['ORG-EX1', 'EXAMPLE']],
    ['aut-num', 'aut-num', ['AS0', 'as64500', 'AS4294967295'], ['64500', 'AS1.10', 'AS4294967296', 'AS01', 'AS', 'AS-1']],
    ['aut-num', 'member-of', ['AS-EXAMPLE', 'AS64500:AS-A, AS-B'], ['RS-EXAMPLE', 'MAINT-A']],
    ['as-block', 'as-block', ['AS1 - AS5', 'as1-as5', 'AS7 - AS7'], ['AS5 - AS1', 'AS5', '1 - 5']],
    ['route', 'holes', ['192.0.2.0/25', '192.0.2.1, 192.0.2.128/26'], ['198.51.100.0/24', '2001:db8::/48', '192.0.2.0/23']],
    ['route', 'member-of', ['RS-EXAMPLE'], ['AS-EXAMPLE']],
    [
      'as-set',
      'as-set',
      ['AS-EXAMPLE', 'AS64500:AS-A', 'AS-A:AS64500:AS-B'],
      ['AS64500', 'AS-ANY', 'RS-A', 'AS-', 'AS-A:', ':AS-A', 'AS64500:RS-A', 'AS-A-'],
    ],
    ['as-set', 'members', ['AS64500', 'AS-A, AS64501:AS-B'], ['192.0.2.0/24', 'RS-A', 'AS1.1', 'MAINT-A']],
    [
      'route-set',
      'members',
      ['192.0.2.0/24', '192.0.2.0/24^+, RS-A^-, AS-B, AS64500^24-28'],
      ['2001:db8::/32', '192.0.2.0/24^23', '192.0.2.0/24^28-26', '192.0.2.0/24^33', 'RS-A^x', 'FLTR-A', '192.0.2.1'],
    ],
    ['route-set', 'mp-members', ['2001:db8::/32^48', '192.0.2.0/24'], ['2001:db8::/32^129']],
    ['rtr-set', 'members', ['router.example.net', '192.0.2.1', 'RTRS-A'], ['2001:db8::1', 'AS1', 'x']],
    ['rtr-set', 'mp-members', ['2001:db8::1'], ['2001:db8::/32']],
    ['peering-set', 'peering-set', ['PRNG-A', 'AS1:PRNG-A:PRNG-B'], ['PRNG-A:AS-B', 'AS-A']],
    [
      'domain',
      'domain',
      ['2.0.192.in-addr.arpa', '2.0.192.IN-ADDR.ARPA.', '8.b.d.0.1.0.0.2.ip6.arpa', '0-127.2.0.192.in-addr.arpa', '4.3.e164.arpa'],
      [
        'example.net',
        '256.0.192.in-addr.arpa',
        '0-255.2.0.192.in-addr.arpa',
        '127-0.2.0.192.in-addr.arpa',
        '0-63.0.192.in-addr.arpa',
        'g.ip6.arpa',
        '12.e164.arpa',
      ],
    ],
    [
      'domain',
      'nserver',
      ['ns1.example.net', 'NS1.EXAMPLE.NET.', 'ns.2.0.192.in-addr.arpa 192.0.2.1', 'ns.2.0.192.in-addr.arpa 2001:db8::1'],
      ['ns1.example.net 192.0.2.1', 'ns.2.0.192.in-addr.arpa', 'ns1', '192.0.2.1', 'ns.2.0.192.in-addr.arpa 192.0.2.1 192.0.2.2'],
    ],
    [
      'domain',
      'ds-rdata',
      [`1 8 2 ${'AB'.repeat(32)}`, `1 8 1 ( ${'ab '.repeat(20)})`, `65535 16 4 ${'0'.repeat(96)}`],
      [
        `1 8 2 ${'AB'.repeat(20)}`,
        `65536 8 1 ${'A'.repeat(40)}`,
        '1 8 1 XYZ',
        '1 8',
        `1 256 1 ${'A'.repeat(40)}`,
        '0 0 0 00',
        `1 8 9 ${'A'.repeat(40)}`,
        `1 99 2 ${'A'.repeat(64)}`,
      ],
    ],
    [
      'mntner',
      'auth',
      ['PORTAL', 'PGPKEY-4f8ba2c1', 'X509-12'],
      ['MD5-PW $1$abcdefgh$abcdefghijklmnopqrstu/', 'CRYPT-PW abcdefghijklm', 'PGPKEY-12', 'SSO a@example.net'],
    ],
    ['key-cert', 'key-cert', ['PGPKEY-4F8BA2C1', 'X509-1'], ['PGPKEY-4F8BA2C', 'KEY-1', 'AUTO-1']],
    ['inet-rtr', 'inet-rtr', ['router.example.net', 'router.example.net.'], ['router', '192.0.2.1']],
    ['person', 'source', ['EXAMPLE', 'example'], ['EXAMPLE TEST', '1']],
  ] satisfies [ClassName, AttributeName, string[], string[]][])(
    'of %s %s is taken or refused by its syntax',
    (className, attribute, taken, refused) => {
      for (const value of taken) expect([value, fault(className, attribute, value)]).toEqual([value, null]);
      for (const value of refused) expect([value, fault(className, attribute, value)]).toEqual([value, expect.any(String)]);
    },
  );

  it('says what would be right', () => {
    expect(checkValue(exampleObject('inetnum'), 'inetnum', '192.0.2.1/24')?.message).toContain('did you mean 192.0.2.0/24?');
    expect(checkValue(exampleObject('aut-num'), 'aut-num', 'AS1.10')?.message).toContain('Enter AS65546');
  });

  it('accepts or refuses any text, and never crashes', () => {
    const anyExample = fc.constantFrom(...classNames.map(className => exampleObject(className)));
    const anyName = fc.constantFrom(...(Object.keys(attributes) as AttributeName[]));
    const anyPart = fc.oneof(
      fc.constantFrom(
        'AS',
        'AS-',
        ':',
        '^',
        '{',
        '}',
        '<',
        '>',
        '(',
        ')',
        ';',
        'from ',
        'to ',
        'accept ',
        'NOT ',
        '192.0.2.0/24',
        '-',
        '.',
        ' ',
        '1',
        '@',
        ',',
      ),
      fc.string({ maxLength: 8, unit: 'binary' }),
    );
    fc.assert(
      fc.property(anyExample, anyName, fc.array(anyPart, { maxLength: 30 }), (example, name, parts) => {
        const found = checkValue(example, name, parts.join(''));
        expect(found === null || found.message.length > 10).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('reads a very long value in linear time, whatever its type', () => {
    const seen = new Set<string>();
    for (const [name, { type }] of Object.entries(attributes) as [AttributeName, { type: string }][]) {
      if (seen.has(type)) continue;
      seen.add(type);
      const object = exampleObject(classNames.find(one => classes[one].template.some(row => row.attribute === name)) ?? 'inetnum');
      for (const part of ['A', '(', ' ', 'NOT ', '<', 'AS1 ', '1 1 1 ', 'a-']) {
        const value = part.repeat(Math.ceil(4096 / part.length));
        const once = spent(() => checkValue(object, name, value));
        const sixteenfold = spent(() => checkValue(object, name, value.repeat(16)));
        // Sixteen times the text; a square would take 256 times.
        expect(sixteenfold / Math.max(once, 5), `${type} ${part}`).toBeLessThan(100);
      }
    }
  });
});

/** Milliseconds of processor time: how busy the machine is does not count. */
function spent(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('what an object may have at most', () => {
  const person = exampleObject('person', { full: true });
  const withLines = (name: string, values: readonly string[]): RpslObject =>
    objectOf([...linesOf(person), ...values.map((value): [string, string] => [name, value])]);
  const maintainers = (count: number) => Array.from({ length: count }, (_, n) => `MAINT-${n}`);

  it('is judged to its limit, and beyond it by the limit alone', () => {
    const named = person.attributes.filter(
      ({ name }) => (attributes[name as AttributeName].refersTo as readonly string[]).length > 0,
    ).length;
    expect(errors(withLines('mnt-by', maintainers(1_000 - named)))).toEqual([]);
    expect(errors(withLines('mnt-by', [maintainers(1_001).join(', ')]))).toEqual(['too-many-references']);
    expect(errors(withLines('nonsense', maintainers(1)))).toEqual(['attribute-unknown']);
    expect(errors(objectOf([...linesOf(withLines('mnt-by', maintainers(1_001))), ['nonsense', 'x']]))).toEqual(['too-many-references']);
  });

  it('is a hundred e-mail addresses of one attribute', () => {
    const addresses = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@b.example`);
    const there = person.attributes.filter(({ name }) => name === 'notify').length;
    expect(errors(withLines('notify', addresses(100 - there)))).toEqual([]);
    expect(errors(withLines('notify', addresses(101 - there)))).toEqual(['attribute-too-often']);
    expect(checkObject(withLines('notify', addresses(101)), 'load').map(({ severity }) => severity)).toEqual(['warning']);
  });

  it('is 200,000 characters and 10,000 lines', () => {
    expect(lengthProblem('x'.repeat(200_000))).toBeNull();
    expect(lengthProblem('x'.repeat(200_001))).toMatchObject({ code: 'object-too-long', severity: 'error' });
    expect(lengthProblem('a:\n'.repeat(10_000))).toBeNull();
    expect(lengthProblem('a:\n'.repeat(10_001))).toMatchObject({ code: 'object-too-long' });
  });

  it('has a hundred findings, errors first, and the number of the others', () => {
    const found = checkObject(withLines('nonsense', maintainers(250)), 'create');
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatchObject({ code: 'more-problems', severity: 'error', message: expect.stringContaining('150') as string });
    const mixed = firstProblems([
      ...normalise(withLines('changed', maintainers(120))).problems,
      ...checkObject(withLines('nonsense', ['x']), 'create'),
    ]);
    expect(mixed.filter(({ severity }) => severity === 'error')).toHaveLength(1);
  });
});
