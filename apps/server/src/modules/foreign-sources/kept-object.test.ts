import { expect, test } from 'vitest';
import { breathing } from '../../platform/breathing.ts';
import { readForeignObject } from './kept-object.ts';

const read = (text: string) => readForeignObject(text, 'OTHER', breathing());

test('contacts, credentials, remarks, comments and addresses for mail are not kept', async () => {
  const kept = await read(
    [
      'mntner:         MAINT-OTHER # of Pia, pia@other.example',
      'descr:          Write to pia@other.example or',
      '                +61 7 5555 0100',
      'admin-c:        PP1-OTHER',
      'tech-c:         PP1-OTHER',
      'upd-to:         pia@other.example',
      'mnt-nfy:        pia@other.example',
      'auth:           MD5-PW $1$salt$hash',
      'remarks:        Call Pia',
      'notify:         pia@other.example',
      'x-private:      anything',
      'changed:        pia@other.example 20200101',
      'mnt-by:         MAINT-OTHER',
      'source:         other # Filtered',
      '',
    ].join('\n'),
  );
  expect(kept).toMatchObject({
    class: 'mntner',
    key: 'maint-other',
    text: [
      'mntner:         MAINT-OTHER',
      'descr:          Write to *** or',
      '                +61 7 5555 0100',
      'mnt-by:         MAINT-OTHER',
      'source:         OTHER',
      '',
    ].join('\n'),
    inverse: ['mnt-by maint-other'],
  });
});

test('a route has its prefix and origin, and a set its members', async () => {
  expect(await read('route: 192.0.2.0/24\norigin: as64500\nmember-of: RS-X\nmnt-by: M-A, M-B\nsource: OTHER\n')).toMatchObject({
    class: 'route',
    key: '192.0.2.0/24as64500',
    prefix: '192.0.2.0/24',
    origin: 64_500,
    inverse: ['member-of rs-x', 'mnt-by m-a', 'mnt-by m-b'],
  });
  expect(
    await read('as-set: AS-OTHER\nmembers: AS64500, AS-INNER,\n+ RADB::AS-X # all\nmbrs-by-ref: ANY\nmnt-by: M-A\nsource: OTHER\n'),
  ).toMatchObject({
    key: 'as-other',
    members: ['as64500', 'as-inner', 'radb::as-x'],
    prefix: null,
  });
});

test.each([
  ['a person', 'person: Pia\nnic-hdl: PP1-OTHER\nsource: OTHER\n'],
  ['a network', 'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: X\nsource: OTHER\n'],
  ['an object of another source', 'route: 192.0.2.0/24\norigin: AS64500\nsource: EXAMPLE\n'],
  ['an object without its source', 'route: 192.0.2.0/24\norigin: AS64500\n'],
  ['an object without a key', 'route: 192.0.2.0/24\nsource: OTHER\n'],
  ['a class that there isn’t', 'dictionary: X\nsource: OTHER\n'],
  ['a text with control characters', 'route: 192.0.2.0/24\norigin: AS64500\ndescr: \u0000\nsource: OTHER\n'],
])('%s is left out', async (_, text) => {
  expect(await read(text)).toBe('left');
});

test('comments alone are no object, and a line without end takes no time without end', async () => {
  expect(await read('# The files of OTHER\n# are free\n')).toBeNull();
  const before = performance.now();
  expect(await read(`as-set: AS-X\ndescr: ${'a'.repeat(500_000)} @ ${'b'.repeat(400_000)}\nsource: OTHER\n`)).toMatchObject({
    key: 'as-x',
  });
  expect(performance.now() - before).toBeLessThan(5_000);
});
