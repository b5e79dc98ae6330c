import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { importing, insertAtEnd } from './source-text.ts';
import { stubs } from './stubs.ts';

const folder = 'apps/server/src/modules/lighthouses';

/** Code a person would write into the stubs by hand: the rules of the module, in its own files. */
const lighthouse = `import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Module } from '../../platform/module.ts';
import { paintLighthouse } from './paint-lighthouse.ts';

/** The plan of every lighthouse. */
export const plan = Buffer.from('%PDF-1.7 a round tower');
export const planSha256 = createHash('sha256').update(plan).digest('hex');

/** Adds a lighthouse of the account, with its plan. */
export async function addLighthouse(change: Change, account: AdmittedAccount): Promise<{ accountName: string }> {
  const { accountName } = account;
  await change
    .insertInto('storedFile')
    .values({ sha256: planSha256, bytes: plan.length, kind: 'pdf', storedAt: change.now, checked: 'NOT_CHECKED' })
    .execute();
  await change.insertInto('lighthouse').values({ accountName, addedAt: change.now, sha256: planSha256 }).execute();
  await change.note({ account: accountName });
  return { accountName };
}

/** Enqueues the painting of all lighthouses. */
export async function paintAll(db: Database): Promise<void> {
  const owners = await db.read.selectFrom('lighthouse').select('accountName').distinct().execute();
  for (const { accountName } of owners)
    await db.change(ownActivity('lighthouses.paintAll', 'Had lighthouses painted', accountName), change =>
      change.enqueue(paintLighthouse, { accountName }),
    );
}

export const lighthousePlans: NonNullable<Module['keptFiles']>[number] = {
  table: 'lighthouse',
  rows: sql\`select sha256, 'lighthouse ' || lighthouse_id as whose, true as needed from lighthouse\`,
};

/** Contributes the lighthouses on the account's addresses. */
export const lighthouseRecord: NonNullable<Module['records']>[number] = {
  id: 'lighthouses',
  describe: async ({ read, account }) => {
    const rows = await read.selectFrom('lighthouse').select('lighthouseId').where('accountName', '=', account.accountName).execute();
    return {
      section: {
        title: 'Lighthouses',
        rows: rows.map(({ lighthouseId }) => ({ label: 'Lighthouse', text: String(lighthouseId), link: null, state: null, actions: [] })),
        more: false,
        link: null,
      },
    };
  },
};
`;

/** Everything that the module is meant to do, on a portal of the copy. */
const itsTest = `import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { createLog } from '../../platform/log.ts';
import { openFileStore, sweepFiles } from '../documents/index.ts';
import { plan, planSha256 } from './lighthouse.ts';

test('a member adds a lighthouse, and the registry logs, paints, keeps and shows it', async () => {
  await using portal = await testPortal('embedded');
  const corin = await portal.as('corin');
  const account = 'EXAMPLE-AU';

  expect(await corin(api.lighthouses.getLighthouses, { account })).toMatchObject({ data: { accountName: account } });
  expect(await corin(api.lighthouses.addLighthouse, { account })).toMatchObject({ data: { accountName: account } });

  const schedule = portal.context.modules.flatMap(module => module.schedule ?? []);
  await schedule.find(({ name }) => name === 'lighthouses.paintAll')!.run(portal.context, null);
  await portal.runTasks();
  const lines = (await corin(api.activityLog.listActivities, { account, query: {} })).data!.lines.map(({ what }) => what);
  expect(lines.slice(0, 3)).toEqual(['Paint a lighthouse', 'Have lighthouses painted', 'Add a lighthouse']);

  const store = openFileStore(portal.config.filesDir);
  const stray = Buffer.from('%PDF-1.7 a stray file');
  for (const content of [plan, stray])
    await (await store.receive((async function* () { yield content; })(), { largest: 1000, firstBytes: () => {} })).keep();
  const kinds = portal.context.modules.flatMap(module => module.keptFiles ?? []);
  await sweepFiles(portal.db, { store, kinds, now: new Date(Date.now() + DAY_MS), log: createLog('silent') });
  const kept: string[] = [];
  for await (const sha256 of store.list()) kept.push(sha256);
  expect(kept).toEqual([planSha256]);

  const record = (await corin(api.whoisRecords.getRecord, { account, query: { resource: 'AS64500' } })).data!;
  expect(record.sections).toContainEqual(expect.objectContaining({ id: 'lighthouses', title: 'Lighthouses' }));
});
`;

/**
 * Adds a module `lighthouses` to a copy of the sources, as `docs/adding` says. Returns the files that the stubs wrote or changed. The types of its table are
 * complete once the next table is added: they are written anew from all migrations, which takes seconds.
 */
export async function addLighthouses(copy: string): Promise<string[]> {
  const change = async (file: string, change: (text: string) => string): Promise<void> => {
    const place = path.join(copy, file);
    await writeFile(place, change(await readFile(place, 'utf8')));
  };
  const files: string[] = [];
  const add = async (kind: string, ...words: string[]): Promise<void> => {
    files.push(...(await stubs[kind]!.write(copy, words)).files);
  };
  await add('module', 'lighthouses');
  await add('table', 'lighthouses.lighthouse');
  await add('task', 'lighthouses.paintLighthouse');
  await add('endpoint', 'lighthouses.addLighthouse');
  for (const [name, app] of [
    ['lighthouses', 'portal'],
    ['lighthouseMap', 'resource-manager'],
    ['deskLighthouses', 'desk'],
  ] as const)
    await add('page', name, 'lighthouses', app);

  await change(files.find(file => file.endsWith('.sql'))!, text =>
    text.replace('timestamptz not null', 'timestamptz not null,\n  sha256 text not null references stored_file'),
  );
  await writeFile(path.join(copy, folder, 'lighthouse.ts'), lighthouse);
  await writeFile(path.join(copy, folder, 'add-lighthouse.test.ts'), itsTest);
  await change(`${folder}/activity-words.ts`, text =>
    text
      .replace(/addLighthouse: '[^']*'/, "addLighthouse: 'Add a lighthouse', paintAll: 'Have lighthouses painted'")
      .replace(/paintLighthouse: '[^']*'/, "paintLighthouse: 'Paint a lighthouse'"),
  );
  await change(`${folder}/module.ts`, text =>
    importing(
      insertAtEnd(
        text,
        ': Module = {',
        `  schedule: [{ name: 'lighthouses.paintAll', every: 60, run: ({ db }) => paintAll(db) }],
  keptFiles: [lighthousePlans],
  records: [lighthouseRecord],`,
      ),
      ['lighthousePlans', 'lighthouseRecord', 'paintAll'],
      './lighthouse.ts',
    ),
  );
  return [...new Set(files)];
}
