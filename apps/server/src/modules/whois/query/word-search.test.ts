import { publicationOf } from '@portal/rpsl';
import { sql } from 'kysely';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { HITS_OF_WORDS, searchWords, wordClasses, wordsOf } from './word-search.ts';

const line = { action: 'test.words', summary: 'Words', traceId: 'd'.repeat(32) };
const migration = fs.readFileSync(path.join(import.meta.dirname, '../../../../db/migrations/0495_whois_words.sql'), 'utf8');

describe('the words of a search', () => {
  test('are what lies between spaces, each once, and begin others with a star', () => {
    expect(wordsOf(' Pacific  "fibre", paci* pacific ab*')).toEqual([
      { word: 'pacific', isPrefix: false },
      { word: 'fibre', isPrefix: false },
      { word: 'paci', isPrefix: true },
      { word: 'ab', isPrefix: false },
    ]);
    expect(wordsOf('* ** "')).toEqual([]);
    expect(wordsOf('a b c d e f g h i j')).toHaveLength(8);
  });
});

test('searched attributes are published everywhere, and of no type that names or reaches a person', () => {
  const names = [...migration.matchAll(/name in \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name!),
  );
  expect(names.length).toBeGreaterThan(9);
  for (const name of names.filter(each => each !== 'org-name')) expect([name, publicationOf(name)]).toEqual([name, 'copied']);
  expect(wordClasses).not.toContain('person');
  expect(wordClasses).not.toContain('role');
});

describe.each(kindsForRules)('a search for words on %s', kind => {
  let portal: TestPortal;
  const found = async (text: string, facets = {}): Promise<string[]> =>
    (await searchWords(portal.db.read, text, facets)).hits.map(({ class: type, shown }) => `${type} ${shown}`).toSorted();
  const objects: [type: string, key: string, text: string][] = [
    [
      'inetnum',
      '203.0.113.0 - 203.0.113.63',
      'inetnum: 203.0.113.0 - 203.0.113.63\nnetname: QUOKKA-NET\ndescr: Wallaby fibre of Perth # hidden\n+ numbat\ncountry: au\nadmin-c: QK1-EX\nstatus: ASSIGNED NON-PORTABLE\nremarks: Ask quoll@bandicoot.example or +61 7 5555 0199, (07) 55550198\nnotify: dingo@kowari.example\nmnt-by: MAINT-QUOKKA, MAINT-SECOND\nsource: TEST',
    ],
    [
      'aut-num',
      'as64999',
      'aut-num: AS64999\nas-name: QUOKKA-AS\ndescr: Wallaby backbone\ncountry: NZ\nmnt-by: MAINT-SECOND\nsource: TEST',
    ],
    [
      'organisation',
      'org-qk1-ex',
      'organisation: ORG-QK1-EX\norg-name: Quokka Holdings\naddress: 7 Potoroo Street\nphone: +61 7 5555 0177\ne-mail: office@bilby.example\nmnt-by: MAINT-QUOKKA\nsource: TEST',
    ],
    [
      'person',
      'qk1-ex',
      'person: Wallaby Quokka\naddress: Perth\nphone: +61 7 5555 0188\ne-mail: wallaby@quokka.example\nremarks: wallaby\nnic-hdl: QK1-EX\nmnt-by: MAINT-QUOKKA\nsource: TEST',
    ],
    [
      'role',
      'qk2-ex',
      'role: Wallaby Desk\naddress: Perth\nabuse-mailbox: abuse@quokka.example\ne-mail: desk@quokka.example\nnic-hdl: QK2-EX\nmnt-by: MAINT-QUOKKA\nsource: TEST',
    ],
  ];
  beforeAll(async () => {
    portal = await testPortal(kind);
    await portal.db.change(line, async change => {
      for (const [type, key, text] of objects)
        await change.rows(sql`insert into whois_object (class, key, shown, text, version, created_at, changed_at)
          values (${type}, ${key}, ${key.toUpperCase()}, ${text}, 1, now(), now())`);
    });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const [network, asn, organisation] = ['inetnum 203.0.113.0 - 203.0.113.63', 'aut-num AS64999', 'organisation ORG-QK1-EX'];
  test.each<[string, object, string[]]>([
    ['wallaby', {}, [asn, network]],
    ['WALLABY fibre', {}, [network]],
    ['quokka', {}, [asn, network, organisation]],
    ['quokka-net', {}, [network]],
    ['quok*', {}, [asn, network, organisation]],
    ['quok', {}, []],
    ['maint-second', {}, [asn, network]],
    ['org-qk1-ex', {}, [organisation]],
    ['as64999', {}, [asn]],
    ['wallaby', { type: 'aut-num' }, [asn]],
    ['wallaby', { economy: 'AU' }, [network]],
    ['wallaby', { status: 'ASSIGNED NON-PORTABLE' }, [network]],
    ['wallaby', { maintainer: 'MAINT-QUOKKA' }, [network]],
    ['wallaby', { economy: 'AU', type: 'aut-num' }, []],
    [`o'brien \\ & | ! ( ) : <-> wallaby`, {}, []],
    ["'", {}, []],
  ])('%j with %j', async (text, facets, expected) => expect(await found(text, facets)).toEqual(expected.toSorted()));

  test.each([
    'qk1-ex',
    'qk2-ex',
    'quoll@bandicoot.example',
    'quoll',
    'bandicoot.example',
    'dingo@kowari.example',
    'kowari*',
    'bilby*',
    'office@bilby.example',
    '55550198',
    '0199',
    '+61755550188',
    '5555',
    'potoroo',
    'hidden',
    'desk',
  ])('finds no one by %s', async text => {
    const all = await found(text);
    // Numbers of the sample registry may have such a word; people and these objects don’t.
    expect(all.filter(each => /^(?:person|role) |QK1-EX|203\.0\.113\.0|AS64999/.test(each))).toEqual([]);
  });

  test('reads as many as it counts, and says that there are more', async () => {
    await portal.db.change(line, change =>
      change.rows(sql`insert into whois_object (class, key, shown, text, version, created_at, changed_at)
        select 'as-set', 'as-many' || n, 'AS-MANY' || n, 'as-set: AS-MANY' || n || E'\ndescr: thylacine\nsource: TEST', 1, now(), now() from generate_series(1, ${HITS_OF_WORDS + 1}::int) n`),
    );
    const { hits, isCut } = await searchWords(portal.db.read, 'thylacine', {});
    expect([hits.length, isCut]).toEqual([HITS_OF_WORDS, true]);
  });

  test('asks the index, and no object after object', async () => {
    const plan = await portal.db.change(line, async change => {
      await change.rows(sql`set local enable_seqscan = off`);
      return change.rows<Record<string, unknown>>(
        sql`explain (format json) select object_id from whois_object where class not in ('person', 'role', 'key-cert') and whois_words(class, key, text) @@ plainto_tsquery('pg_catalog.simple', 'wallaby')`,
      );
    });
    expect(JSON.stringify(plan)).toContain('whois_object_words');
  });
});
