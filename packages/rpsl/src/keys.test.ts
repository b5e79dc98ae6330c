import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classNames } from './classes.ts';
import type { ClassName } from './class-name.ts';
import { exampleObject } from './example.ts';
import { inverseValues, lookupKeys, primaryKey, rangeOf, readInverseValue, readKey, references } from './keys.ts';
import { objectOf, type RpslObject, valueOf } from './object.ts';

const keyOf = (...lines: [string, string][]) => {
  const key = primaryKey(objectOf(lines));
  return key && [key.key, key.shown];
};

describe('the key of an object', () => {
  it.each([
    ['inetnum', '192.0.2.0/24', '192.0.2.0 - 192.0.2.255'],
    ['inetnum', '192.0.2.0   -192.0.2.9', '192.0.2.0 - 192.0.2.9'],
    ['inet6num', '2001:0DB8:0::/32', '2001:db8::/32'],
    ['aut-num', 'as64500', 'AS64500'],
    ['as-block', 'as1-As5', 'AS1 - AS5'],
    ['domain', '2.0.192.IN-ADDR.arpa.', '2.0.192.in-addr.arpa'],
    ['as-set', 'as64500:AS-Example', 'AS64500:AS-Example'],
    ['mntner', 'Maint-A', 'Maint-A'],
    ['inet-rtr', 'Router.Example.net.', 'router.example.net'],
  ])('%s %s is %s', (className, value, shown) => {
    expect(keyOf([className, value])).toEqual([shown.toLowerCase(), shown]);
  });

  it('of a route is prefix and origin, of a person the handle', () => {
    expect(keyOf(['route', '192.0.2.0/24'], ['descr', 'x'], ['origin', 'as64500'])).toEqual(['192.0.2.0/24as64500', '192.0.2.0/24AS64500']);
    expect(keyOf(['person', 'Jo Example'], ['nic-hdl', 'JE1-EX'])).toEqual(['je1-ex', 'JE1-EX']);
  });

  it('is none when a part is missing, broken or of no class', () => {
    expect(keyOf(['route', '192.0.2.0/24'])).toBeNull();
    expect(keyOf(['inetnum', 'here'])).toBeNull();
    expect(keyOf(['mntner', 'MAINT A'])).toBeNull();
    expect(keyOf(['poem', 'POEM-A'])).toBeNull();
  });

  it('does not depend on case and blanks, and is its own key', () => {
    const blanks = fc.constantFrom('', ' ', '  ', '\t');
    fc.assert(
      fc.property(fc.constantFrom(...classNames), fc.boolean(), blanks, blanks, (className, upper, before, after) => {
        const object = exampleObject(className);
        const plain = primaryKey(object);
        const varied = objectOf(
          object.attributes.map(({ name, value }) => {
            const spaced = value.replace(' - ', `${before}-${after}`);
            return [upper ? name.toUpperCase() : name, `${before}${upper ? spaced.toUpperCase() : spaced.toLowerCase()}${after}`];
          }),
        );
        expect(primaryKey(varied)?.key).toBe(plain?.key);
        expect(readKey(className, plain?.shown ?? '')).toEqual(plain);
        expect(readKey(className, ` ${plain?.key ?? ''} `)?.key).toBe(plain?.key);
      }),
    );
  });

  it('is read from what people type', () => {
    expect(readKey('inetnum', '192.0.2.0/24')?.key).toBe('192.0.2.0 - 192.0.2.255');
    expect(readKey('route', '192.0.2.0/24 as64500')?.key).toBe('192.0.2.0/24as64500');
    expect(readKey('route', '192.0.2.0/24')).toBeNull();
    expect(readKey('aut-num', '')).toBeNull();
  });
});

describe('an object is found', () => {
  it('by netname, by each word of a name and by e-mail', () => {
    expect(lookupKeys(exampleObject('inetnum'))).toEqual(['example-net']);
    expect(lookupKeys(exampleObject('person'))).toEqual(['jo', 'example', 'noc@example.net']);
    expect(lookupKeys(exampleObject('organisation'))).toEqual(['example', 'pty', 'ltd', 'noc@example.net']);
    expect(lookupKeys(exampleObject('irt'))).toEqual(['noc@example.net']);
  });

  it('by the values of its inverse attributes, each once, never by a hash', () => {
    const values = inverseValues(
      objectOf([
        ['mntner', 'MAINT-A'],
        ['auth', 'MD5-PW $1$abc'],
        ['auth', 'PGPKEY-4F8BA2C1'],
        ['auth', 'PORTAL'],
        ['mnt-by', 'MAINT-A, maint-b'],
        ['mnt-by', 'Maint-A'],
        ['upd-to', 'NOC@Example.net'],
        ['descr', 'not searched'],
      ]),
    );
    expect(values.map(({ attribute, value }) => `${attribute} ${value}`)).toEqual([
      'auth pgpkey-4f8ba2c1',
      'mnt-by maint-a',
      'mnt-by maint-b',
      'upd-to noc@example.net',
    ]);
    const domain = objectOf([
      ['domain', '2.0.192.in-addr.arpa'],
      ['nserver', 'NS.2.0.192.in-addr.arpa. 192.0.2.1'],
      ['ds-rdata', `1 8 1 ${'ab '.repeat(20)}`],
    ]);
    expect(inverseValues(domain).map(one => one.value)).toEqual(['ns.2.0.192.in-addr.arpa', `1 8 1 ${'ab'.repeat(20)}`]);
    expect(readInverseValue('nserver', 'NS1.example.net.')).toBe('ns1.example.net');
    expect(readInverseValue('origin', 'as64500 ')).toBe('as64500');
  });

  it('by the numbers it is about', () => {
    const range = (...lines: [string, string][]) => rangeOf(objectOf(lines));
    expect(range(['inetnum', '192.0.2.0/24'])).toEqual({ family: 'ipv4', first: 0xc0000200n, last: 0xc00002ffn });
    expect(range(['route', '192.0.2.0/24'], ['origin', 'AS1'])).toEqual({ family: 'ipv4', first: 0xc0000200n, last: 0xc00002ffn });
    expect(range(['inet6num', '::/1'])).toEqual({ family: 'ipv6', first: 0n, last: (1n << 127n) - 1n });
    expect(range(['domain', '64-127.2.0.192.in-addr.arpa'])).toEqual({ family: 'ipv4', first: 0xc0000240n, last: 0xc000027fn });
    expect(range(['domain', '2.0.192.in-addr.arpa'])).toEqual({ family: 'ipv4', first: 0xc0000200n, last: 0xc00002ffn });
    expect(range(['aut-num', 'AS5'])).toEqual({ family: 'asn', first: 5, last: 5 });
    expect(range(['as-block', 'AS5 - AS9'])).toEqual({ family: 'asn', first: 5, last: 9 });
    expect(range(['domain', '4.e164.arpa'])).toBeNull();
    expect(range(['mntner', 'MAINT-A'])).toBeNull();
  });
});

describe('the references of an object', () => {
  const named = (object: RpslObject) => references(object).map(({ attribute, classes, key }) => `${attribute} ${classes.join('|')} ${key}`);

  it('are what must exist', () => {
    expect(
      named(
        objectOf([
          ['route', '192.0.2.0/24'],
          ['origin', 'as64500'],
          ['member-of', 'RS-A, RS-B'],
          ['mnt-by', 'MAINT-A'],
          ['mnt-routes', 'MAINT-B {192.0.2.0/24}'],
          ['holes', '192.0.2.0/25'],
        ]),
      ),
    ).toEqual([
      'origin aut-num as64500',
      'member-of route-set rs-a',
      'member-of route-set rs-b',
      'mnt-by mntner maint-a',
      'mnt-routes mntner maint-b',
    ]);
    expect(
      named(
        objectOf([
          ['aut-num', 'AS1'],
          ['member-of', 'AS-A'],
          ['admin-c', 'AUTO-1'],
          ['abuse-c', 'AR1-EX'],
          ['import', 'from AS2 accept ANY'],
        ]),
      ),
    ).toEqual(['member-of as-set as-a', 'admin-c person|role auto-1', 'abuse-c role ar1-ex']);
  });

  it('leave out ANY, sign-in by the portal and the object itself', () => {
    expect(
      named(
        objectOf([
          ['as-set', 'AS-A'],
          ['mbrs-by-ref', 'ANY'],
          ['members', 'AS1'],
        ]),
      ),
    ).toEqual([]);
    expect(
      named(
        objectOf([
          ['mntner', 'M-A'],
          ['auth', 'PORTAL'],
          ['auth', 'X509-1'],
          ['mnt-by', 'M-A'],
        ]),
      ),
    ).toEqual(['auth key-cert x509-1', 'mnt-by mntner m-a']);
    for (const className of classNames) {
      const object = exampleObject(className, { full: true });
      for (const { index, value } of references(object))
        expect(valueOf({ ...object, attributes: object.attributes.slice(index) }, object.attributes[index]?.name ?? '')).toContain(value);
    }
  });
});

it('every class has a key, and a range when it is about numbers', () => {
  const numbered: ClassName[] = ['inetnum', 'inet6num', 'as-block', 'aut-num', 'route', 'route6', 'domain'];
  for (const className of classNames) {
    expect(primaryKey(exampleObject(className))).not.toBeNull();
    expect(rangeOf(exampleObject(className)) !== null).toBe(numbered.includes(className));
  }
});
