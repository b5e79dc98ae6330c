import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttributeName, attributes } from './attributes.ts';
import { classNames } from './classes.ts';
import { exampleObject, exampleValue } from './example.ts';
import { primaryKey } from './keys.ts';
import { normalise } from './normalise.ts';
import { attributeOf, objectOf, parseObject, printObject, type RpslObject } from './object.ts';

function read(text: string): RpslObject {
  const { object } = parseObject(text);
  if (object === null) throw new Error(`No object in ${text}`);
  return object;
}

describe('a normalised object', () => {
  it('has its keys spelled out, and says what was changed', () => {
    const { object, problems } = normalise(
      read(
        'inetnum: 192.0.2.0/24 # ours\n*na: Example-Net\r\ncountry: au\nstatus: assigned  portable\nmnt-by: MAINT-A,MAINT-B\nchanged: a@example.net 20010101\nremarks:   as\n\ttyped # here\nsource: example',
      ),
    );
    expect(printObject(object)).toBe(
      'inetnum:        192.0.2.0 - 192.0.2.255\nnetname: Example-Net\ncountry:        AU\nstatus:         ASSIGNED PORTABLE\nmnt-by: MAINT-A,MAINT-B\nremarks:   as\n\ttyped # here\nsource:         EXAMPLE\n',
    );
    expect(problems.map(({ code, severity, line }) => `${line} ${severity} ${code}`)).toEqual([
      '1 info key-on-one-line',
      '1 info value-normalised',
      '2 info name-written-out',
      '3 info value-normalised',
      '4 info value-normalised',
      '6 warning former-attribute-dropped',
      '9 info value-normalised',
    ]);
  });

  it.each<[string, AttributeName, string, string]>([
    ['route6', 'route6', '2001:0DB8::/32', '2001:db8::/32'],
    ['route', 'origin', 'as64500', 'AS64500'],
    ['route', 'holes', '192.0.2.0/25,192.0.2.128/26', '192.0.2.0/25,192.0.2.128/26'],
    ['domain', 'domain', '2.0.192.IN-ADDR.ARPA.', '2.0.192.in-addr.arpa'],
    ['domain', 'nserver', 'NS1.Example.NET.', 'ns1.example.net'],
    ['domain', 'ds-rdata', `01 8 1 (${'ab '.repeat(20)})`, `1 8 1 ${'AB'.repeat(20)}`],
    ['person', 'e-mail', 'Noc@例え.jp', 'Noc@xn--r8jz45g.jp'],
    ['person', 'nic-hdl', 'auto-1', 'auto-1'],
    ['mntner', 'auth', 'pgpkey-4f8ba2c1', 'PGPKEY-4F8BA2C1'],
    ['inetnum', 'mnt-routes', 'MAINT-A{192.0.2.0/24^24-32}', 'MAINT-A {192.0.2.0/24^+}'],
    ['inetnum', 'inetnum', 'nonsense', 'nonsense'],
  ])('of %s has %s %s as %s', (className, attribute, value, canonical) => {
    const lines: [string, string][] =
      className === attribute
        ? [[attribute, value]]
        : [
            [className, exampleValue(className as 'route', className as AttributeName)],
            [attribute, value],
          ];
    expect(normalise(objectOf(lines)).object.attributes.at(-1)?.value).toBe(canonical);
  });

  it('is normalised once and for all, and stays the same object', () => {
    const anyName = fc.constantFrom(...(Object.keys(attributes) as AttributeName[]), 'changed' as AttributeName);
    fc.assert(
      fc.property(
        fc.constantFrom(...classNames),
        fc.array(fc.tuple(anyName, fc.string()), { maxLength: 5 }),
        fc.boolean(),
        (className, more, upper) => {
          const lines = exampleObject(className, { full: true }).attributes.map(({ name, value }) =>
            attributeOf(name, upper ? value.toUpperCase() : value),
          );
          const object = { class: className, attributes: [...lines, ...more.map(([name, value]) => attributeOf(name, value))] };
          const once = normalise(object).object;
          const twice = normalise(once);
          expect(twice.problems).toEqual([]);
          expect(printObject(twice.object)).toBe(printObject(once));
          expect(printObject(read(printObject(once)))).toBe(printObject(once));
          expect(primaryKey(once)?.key).toBe(primaryKey(object)?.key);
        },
      ),
    );
  });
});
