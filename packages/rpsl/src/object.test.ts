import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeOf, formatObject, objectOf, parseObject, printObject, splitParagraphs, valueOf, valuesOf, withValue } from './object.ts';

/** Text in the likeness of whois objects: the signs that mean something come often, anything else may come. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'mnt-by:',
        'inetnum:',
        '*mb:',
        'Descr: ',
        '\n',
        '\r\n',
        '\n\n',
        ' ',
        '\t',
        '+',
        '#',
        '%',
        ':',
        ',',
        'AS64500',
        '192.0.2.0/24',
        'é',
        '東京',
        '{',
        '^',
        '<',
        '\u0000',
        '\r',
      ),
      fc.string({ maxLength: 12, unit: 'binary' }),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 60 },
  )
  .map(parts => parts.join(''));

describe('an object read from text', () => {
  it('is printed as it was written, whatever it was', () => {
    fc.assert(
      fc.property(anyText, text => {
        const { object, problems } = parseObject(text);
        if (object === null) return;
        expect(printObject(object)).toBe(text);
        expect(Array.isArray(problems)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps order, comments, continuation lines and the spelling of names', () => {
    const text = 'Person:  Jo Example # the boss\naddress: 1 Street\n\tTown\n+\n+  Country # far away\n*MB:MAINT-A,MAINT-B\nsource:EXAMPLE';
    const { object, problems } = parseObject(text);
    expect(problems).toEqual([]);
    expect(object?.class).toBe('person');
    expect(object?.attributes.map(({ name, value, comment, line }) => [name, value, comment, line])).toEqual([
      ['person', 'Jo Example', 'the boss', 1],
      ['address', '1 Street Town Country', 'far away', 2],
      ['mnt-by', 'MAINT-A,MAINT-B', null, 6],
      ['source', 'EXAMPLE', null, 7],
    ]);
    expect(object && printObject(object)).toBe(text);
  });

  it('may end its lines as Windows does', () => {
    const { object, problems } = parseObject('route: 192.0.2.0/24\r\norigin: AS64500\r\n  \r\n');
    expect(problems).toEqual([]);
    expect(object?.attributes.map(one => one.value)).toEqual(['192.0.2.0/24', 'AS64500']);
    expect(object?.after).toBe('  \r\n');
  });

  it('may have been pasted with the remarks of a whois server', () => {
    const { object, problems } = parseObject("% Information related to 'MAINT-A'\n\nmntner: MAINT-A\n% in between\ndescr: A\n");
    expect(problems).toEqual([]);
    expect(object?.attributes.map(one => one.value)).toEqual(['MAINT-A', 'A']);
    expect(object?.before).toContain('Information');
  });

  it('is refused with the line where it breaks', () => {
    const codes = (text: string) => parseObject(text).problems.map(({ code, line, severity }) => [severity, code, line]);
    expect(codes('descr: a\nnot an attribute\n')).toEqual([['error', 'not-an-attribute', 2]]);
    expect(codes('descr : a\n')).toEqual([['error', 'not-an-attribute', 1]]);
    expect(codes(' descr: a\n')).toEqual([['error', 'continuation-first', 1]]);
    expect(codes('descr: a\n\nremarks: b\n')).toEqual([['error', 'empty-line', 2]]);
    expect(codes('descr: a\nremarks: \u0000\n')).toEqual([['error', 'control-character', 2]]);
    expect(codes('descr: a\nremarks: \ufffd\n')).toEqual([['error', 'not-utf-8', 2]]);
    expect(codes('descr: a\rremarks: b\n')).toEqual([['error', 'control-character', 1]]);
    expect(parseObject('').object).toBeNull();
    expect(parseObject('# only a comment\n').object).toBeNull();
  });

  it('names the first twenty lines of noise and stops', () => {
    expect(parseObject(`descr: a\n${'noise\n'.repeat(1000)}`).problems).toHaveLength(20);
  });

  it('is read in time that grows with its length only', () => {
    const bytes = new Uint8Array(65536);
    for (let i = 0, seed = 7; i < bytes.length; i++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      bytes[i] = seed >> 16;
    }
    const noise = Buffer.from(bytes).toString('latin1');
    for (const part of [noise, '#', ' \n', 'a:\n+\n', 'a:#\n', '+', '\r', '<', '%\n'.repeat(10), `a:${' '.repeat(100)}\n`]) {
      const text = part.repeat(Math.ceil(131072 / part.length));
      const once = spent(() => parseObject(text));
      const eightfold = spent(() => parseObject(text.repeat(8)));
      // Eight times the text may take eight times as long and some; a square would take 64 times.
      expect(eightfold / Math.max(once, 5), JSON.stringify(part.slice(0, 10))).toBeLessThan(40);
    }
  });
});

describe('a message', () => {
  it('is split at empty lines, with the first line of each part', () => {
    expect(splitParagraphs('\n\nperson: A\nsource: X\n \t\n\r\nrole: B\npassword: x\n\n')).toEqual([
      { text: 'person: A\nsource: X\n', line: 3 },
      { text: 'role: B\npassword: x\n', line: 7 },
    ]);
  });

  it('loses nothing but empty lines', () => {
    fc.assert(
      fc.property(anyText, text => {
        const paragraphs = splitParagraphs(text);
        const filled = (one: string) =>
          one
            .split('\n')
            .filter(line => /[^ \t\r]/.test(line))
            .join('\n');
        expect(filled(paragraphs.map(one => one.text).join('\n'))).toBe(filled(text));
      }),
    );
  });
});

describe('an object made by program', () => {
  it('has its values from column 17', () => {
    expect(
      formatObject(
        objectOf([
          ['mnt-by', 'MAINT-A'],
          ['remarks', ''],
          ['source', 'EXAMPLE'],
        ]),
      ),
    ).toBe('mnt-by:         MAINT-A\nremarks:\nsource:         EXAMPLE\n');
    const { object } = parseObject('*mb: MAINT-A # ours\nremarks:one\n\ttwo\n+\n+ three');
    expect(object && formatObject(object)).toBe(
      'mnt-by:         MAINT-A # ours\nremarks:        one\n                two\n+\n                three\n',
    );
  });

  it('is read back as what it was made of', () => {
    const anyValue = fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', '\n', ':', 'é', '+', '%', '\t') });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('descr', 'remarks', 'address'), anyValue), { minLength: 1 }), lines => {
        const object = objectOf(lines);
        const { object: read, problems } = parseObject(formatObject(object));
        expect(problems).toEqual([]);
        expect(read?.attributes.map(({ name, value }) => [name, value])).toEqual(object.attributes.map(({ name, value }) => [name, value]));
        expect(read && formatObject(read)).toBe(formatObject(object));
        expect(parseObject(printObject(object)).object?.attributes).toHaveLength(lines.length);
      }),
    );
  });

  it('cannot gain an attribute through a value', () => {
    const { object } = parseObject(
      printObject(
        objectOf([
          ['remarks', 'a\nmnt-by: MAINT-EVIL\r\n\r\nauth: x'],
          ['source', 'EXAMPLE'],
        ]),
      ),
    );
    expect(object?.attributes.map(one => one.name)).toEqual(['remarks', 'source']);
  });

  it('keeps a comment when its value changes', () => {
    expect(withValue(attributeOf('country', 'AU # for now'), 'NZ')).toMatchObject({ value: 'NZ', comment: 'for now' });
    const object = objectOf([
      ['descr', 'a'],
      ['descr', 'b'],
    ]);
    expect([valueOf(object, 'descr'), valuesOf(object, 'descr'), valueOf(object, 'org')]).toEqual(['a', ['a', 'b'], undefined]);
  });
});

/** Milliseconds of processor time: how busy the machine is does not count. */
function spent(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
