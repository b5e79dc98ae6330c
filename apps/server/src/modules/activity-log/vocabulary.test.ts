import { errorCatalogue } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { sql } from 'kysely';
import { expect, expectTypeOf, test } from 'vitest';
import { projectFiles } from '../../../../../tools/project-files.ts';
import { testPortal } from '../../../test/portal.ts';
import { modules } from '../../modules.ts';
import type { ModuleWords, WordedActivity } from '../../platform/activity-words.ts';
import type { ownActivity } from '../../platform/database/index.ts';
import type { AnyTaskType } from '../../platform/module.ts';
import { refusalWords } from './refusal-words.ts';
import { nonMemberActions, vocabularyOf } from './vocabulary.ts';

const { actionsOf, categoryOf, otherTables, tables, wordsOf } = vocabularyOf(modules);

/** Returns the actions in the source that people perform outside the contract. The compiler knows those of the registry's own machines. */
async function actionsOfTheSource(): Promise<string[]> {
  const files = await projectFiles(/^apps\/server\/src\/.*(?<!\.test)\.ts$/);
  return files.flatMap(({ text }) => {
    const written = [...text.matchAll(/\baction: '([a-z][\w-]*(?:\.[\w-]+)+)'/gi)].map(([, action]) => action!);
    const handedOn = [...text.matchAll(/const (\w+) = \(action: string[^]*?action: `([\w.-]+)\.\$\{action\}`/g)].flatMap(
      ([, maker, part]) => [...text.matchAll(new RegExp(`\\b${maker}\\(\\s*'([\\w-]+)'`, 'g'))].map(([, act]) => `${part}.${act}`),
    );
    return [...written, ...handedOn];
  });
}

test('every action an activity can name has words and a category', async () => {
  const ofSource = await actionsOfTheSource();
  // Both spellings are found in the source.
  expect(ofSource).toEqual(expect.arrayContaining(['notifications.unsubscribe', 'demo.openAccount']));
  const all = new Set([
    ...allEndpoints.filter(({ activity }) => activity !== undefined).map(({ id }) => id),
    ...ofSource,
    ...modules.flatMap(({ tasks }) => tasks ?? []).map(({ name }) => name),
  ]);
  expect([...all].filter(action => wordsOf(action) === null)).toEqual([]);
});

test('the compiler asks for the words of each endpoint that changes something', () => {
  type Groups = { rooms: { readRoom: { method: 'GET' }; closeRoom: { method: 'POST' } } };
  expectTypeOf<{ activities: { rooms: { category: 'account'; actions: { closeRoom: string } } } }>().toExtend<ModuleWords<Groups>>();
  expectTypeOf<{ activities: { rooms: { category: 'account'; actions: { openRoom: string } } } }>().not.toExtend<ModuleWords<Groups>>();
  expectTypeOf<{ activities: Record<never, never> }>().not.toExtend<ModuleWords<Groups>>();
});

test('the compiler asks for the words of what the registry does on its own account, and of tasks', () => {
  expectTypeOf<'contacts.expireInvitation'>().toExtend<WordedActivity>();
  expectTypeOf<'operator.resetMfa' | 'mail.deliver'>().toExtend<WordedActivity>();
  expectTypeOf<'contacts.nobodyWroteWordsForThis'>().not.toExtend<WordedActivity>();
  expectTypeOf<Parameters<typeof ownActivity>[0]>().toEqualTypeOf<WordedActivity>();
  expectTypeOf<AnyTaskType['name']>().toEqualTypeOf<WordedActivity>();
});

test('what is done for an account in an election is listed, though setting elections up is not', () => {
  const { listedWithin, unlistedActions } = vocabularyOf(modules);
  expect(unlistedActions).toEqual(expect.arrayContaining(['elections.%', 'encryptedBallots.%', 'elections.options.%']));
  expect(listedWithin).toEqual(
    expect.arrayContaining(['elections.ballots.%', 'elections.proxies.%', 'encryptedBallots.casting.%', 'encryptedBallots.proxyVotes.%']),
  );
  expect(listedWithin).not.toContain('elections.options.%');
});

test('an action is in one category only, even without words', () => {
  expect(categoryOf('contacts.askForPermission')).toBe('permissions');
  expect(actionsOf('permissions').named).toContain('contacts.askForPermission');
  expect(actionsOf('contacts').named).not.toContain('contacts.askForPermission');
  expect(categoryOf('contacts.somethingNew')).toBe('contacts');
  expect(actionsOf('contacts').parts).toContain('contacts');
  expect(categoryOf('nothing.known')).toBe('system');
});

test('only asking to join is open to people who aren’t contacts', () => {
  expect(nonMemberActions).toContain('contacts.accessRequests.linkAccount');
  expect(nonMemberActions).not.toContain('contacts.registryRequests.approveRegistryRequest');
});

test.each(Object.keys(errorCatalogue))('%s is told without blanks', code => {
  const words = refusalWords(code);
  expect(words).not.toMatch(/[{}]/);
  expect(words.length).toBeGreaterThan(8);
});

test('every table with a history, and every column of shown tables, has words or is explicitly left out', async () => {
  await using portal = await testPortal();
  const columns = await portal.db.read.rows<{ tableName: string; columnName: string }>(sql`
    select c.table_name, c.column_name from information_schema.columns c
    where c.table_schema = 'public' and exists (select from pg_trigger t
      where t.tgrelid = c.table_name::regclass and t.tgname = 'z_keep_inserted') order by 1, 2`);
  const kept = [...new Set(columns.map(({ tableName }) => tableName))];
  expect(kept.filter(table => !tables[table] && !otherTables[table])).toEqual([]);
  expect(Object.keys(otherTables).filter(table => tables[table])).toEqual([]);
  const said = Object.entries(tables).map(([table, { columns: worded, unsaid }]) => [table, [...Object.keys(worded), ...unsaid].sort()]);
  const ofTable = (table: string) => columns.filter(({ tableName }) => tableName === table).map(({ columnName }) => columnName);
  expect(said).toEqual(Object.keys(tables).map(table => [table, ofTable(table).sort()]));
});
