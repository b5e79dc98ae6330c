import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributes, formerAttributes } from './attributes.ts';
import { classes, classNames } from './classes.ts';
import { exampleObject, exampleValue } from './example.ts';
import { formatObject, parseObject, printObject, type RpslObject, valuesOf } from './object.ts';
import { copiedText, copiedTextWithDummies, isPersonal, publicationOf, publicObject, publicText } from './publication.ts';

const allNames = [...Object.keys(attributes), ...Object.keys(formerAttributes)];
/** Left out by `--filtering`. */
const addresses = ['e-mail', 'notify', 'mnt-nfy', 'upd-to', 'ref-nfy', 'irt-nfy', 'changed'];
const phones = ['phone', 'fax-no'];
/** Of a personal type, and still copied as they are written. */
const copiedThough = ['abuse-mailbox', 'address', 'person', 'role'];

const namesIn = (object: RpslObject | null): string[] => object?.attributes.map(({ name }) => name) ?? [];

/** Objects of each class with any of its attributes and of the former ones, names in any spelling, comments and lines that go on. */
const anyObject = fc
  .tuple(
    fc.constantFrom(...classNames),
    fc.infiniteStream(fc.nat(3)),
    fc.infiniteStream(fc.constantFrom('', ' # a comment', '\n  and more', '\n+ and more', '\n# a comment below')),
    fc.infiniteStream(fc.constantFrom('long', 'upper', 'short')),
  )
  .map(([name, often, tails, spellings]) => {
    const [oftenIn, tailOf, spellingOf] = [often, tails, spellings].map(stream => () => stream.next().value as never);
    const rows = classes[name].template.flatMap(({ attribute }, place) =>
      Array.from({ length: place === 0 ? 1 : (oftenIn!() as number) }, () => [attribute, exampleValue(name, attribute)] as const),
    );
    const former = Object.keys(formerAttributes).flatMap(each => (oftenIn!() === 0 ? [] : [[each, `noc@${each}.example`] as const]));
    return [...rows, ...former]
      .map(([attribute, value]) => {
        const short = { ...attributes, ...formerAttributes }[attribute as 'changed'].short;
        const spelling = spellingOf!() as string;
        const written = spelling === 'upper' ? attribute.toUpperCase() : spelling === 'short' && short ? `*${short}` : attribute;
        return `${written}:  ${value}${tailOf!() as string}\n`;
      })
      .join('');
  });

describe('what is published', () => {
  it('is every attribute there is or was, but the value of auth', () => {
    expect(allNames.filter(name => publicationOf(name) === null)).toEqual([]);
    expect(allNames.filter(name => publicationOf(name) === 'withheld')).toEqual(['auth']);
    expect(allNames.filter(name => publicationOf(name) === 'asked').toSorted()).toEqual(addresses.toSorted());
    expect(allNames.filter(name => publicationOf(name) === 'filtered').toSorted()).toEqual(phones.toSorted());
  });

  it('is of personal types copied as written for few', () => {
    const personal = Object.entries({ ...attributes, ...formerAttributes }).flatMap(([name, { type }]) =>
      ['email', 'phone', 'postal-address', 'person-name'].includes(type) ? [name] : [],
    );
    expect(personal.toSorted()).toEqual([...addresses, ...phones, ...copiedThough].toSorted());
    expect(personal.filter(name => publicationOf(name) === 'copied').toSorted()).toEqual(copiedThough.toSorted());
  });

  it('is in answers as it was written, whatever the spelling, and never a value of auth', () => {
    fc.assert(
      fc.property(anyObject, text => {
        const { object } = parseObject(text);
        const expected = printObject({
          ...object!,
          attributes: object!.attributes.map(each =>
            each.name === 'auth' ? { ...each, written: 'auth', raw: '           # Filtered\n' } : each,
          ),
        });
        expect(publicText(text)).toBe(`${expected.trimEnd()}\n`);
        expect(publicText(text.replaceAll('\n', '\r\n'))).toBe(publicText(text));
        expect(publicText(publicText(text))).toBe(publicText(text));
      }),
    );
  });

  it('is in copies all but auth, and in those with dummies without people, telephones and mailboxes', () => {
    fc.assert(
      fc.property(anyObject, text => {
        const { object } = parseObject(text);
        expect(namesIn(parseObject(copiedText(text)!).object)).toEqual(namesIn(object));
        const copy = parseObject(copiedTextWithDummies(text)!).object!;
        if (isPersonal({ class: object!.class, text })) {
          expect(valuesOf(copy, object!.class)).toEqual(['Name Removed']);
          const made = new Set([object!.class, 'address', 'country', 'phone', 'e-mail', 'remarks']);
          for (const { name, value } of copy.attributes)
            if (made.has(name))
              expect(value).toMatch(
                /^(?:Name Removed|\*\*\*|ZZ|\+000000000|unread@invalid\.invalid|Personal data is left out of this copy)$/,
              );
            else expect(['nic-hdl', 'mnt-by', 'last-modified', 'created', 'source']).toContain(name);
          return;
        }
        expect(namesIn(copy)).toEqual(namesIn(object));
        for (const [place, { name, value }] of copy.attributes.entries()) {
          const before = object!.attributes[place]!.value;
          if (phones.includes(name)) expect(value).toBe('+000000000');
          else if (addresses.includes(name)) expect(value).toBe(before.replace(/^.*@/, '***@'));
          else expect(value).toBe(name === 'auth' ? '' : before);
        }
      }),
    );
  });
});

describe('an attribute that no list names', () => {
  it.each(classNames)('is private in a %s, with all its lines', name => {
    for (const written of ['shoe-size', 'Shoe-Size', '*zz']) {
      const lines = formatObject(exampleObject(name, { full: true })).split('\n');
      const text = [lines[0], `${written}: 42 # secret`, '  secret', '+secret', '# secret', ...lines.slice(1)].join('\n');
      for (const shown of [publicText(text), copiedText(text), copiedTextWithDummies(text)]) expect(shown).not.toMatch(/secret|shoe|zz:/i);
      expect(publicText(text)).toBe(publicText(lines.join('\n')));
      expect(namesIn(publicObject(text))).toEqual(namesIn(publicObject(lines.join('\n'))));
    }
  });

  it('is private at the end of a text, and after auth', () => {
    expect(publicText('mntner: MAINT-A\nshoe-size: 42\nauth: PORTAL\nshoe-size: 43\n 44\n\n')).toBe(
      'mntner: MAINT-A\nauth:           # Filtered\n',
    );
    expect(publicText('shoe-size: 42')).toBe('\n');
    expect(publicObject('shoe-size: 42')).toBeNull();
    expect(copiedTextWithDummies('no object')).toBeNull();
  });

  it('hides nothing of what no name begins, such as a line separator within a value', () => {
    expect(publicText('mntner: MAINT-A\nauth: MD5-PW x\u2028secret\nsource: EXAMPLE')).toBe(
      'mntner: MAINT-A\nauth:           # Filtered\nsource: EXAMPLE\n',
    );
  });
});

describe('an object about a person', () => {
  it('is a person, or a role without an abuse mailbox', () => {
    const role = (line: string) => isPersonal({ class: 'role', text: `role: The Team\n${line}source: EXAMPLE` });
    expect(isPersonal({ class: 'person', text: 'person: Jo Example\nabuse-mailbox: a@example.net' })).toBe(true);
    expect(isPersonal({ class: 'organisation', text: 'organisation: ORG-A-EX' })).toBe(false);
    expect(role('')).toBe(true);
    expect(role('abuse-mailbox:\n')).toBe(true);
    expect(role('abuse-mailbox: # none\n')).toBe(true);
    expect(role('abuse-mailbox: abuse@example.net\n')).toBe(false);
    expect(role('*am:\n  abuse@example.net\n')).toBe(false);
  });
});
