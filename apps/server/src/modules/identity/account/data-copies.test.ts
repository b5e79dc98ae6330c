import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testContext } from '../../../../test/context.ts';
import { browserAt, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { keptFiles } from '../../../kept-files.ts';
import { createLog } from '../../../platform/log.ts';
import { copyStorage, openFileStore, sweepFiles } from '../../documents/index.ts';
import { makeDataCopy, sweepDataCopies } from '../copies/data-copies.ts';
import { startCoolDown } from '../factors/cool-down.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'copies-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Browser = ReturnType<typeof browserAt>;

/** Does what the worker does with the copies that were asked for. */
async function makeCopies(registry: TestRegistry): Promise<void> {
  const tasks = await registry.db.read.selectFrom('task').selectAll().where('name', '=', makeDataCopy.name).execute();
  for (const { taskId, input, name } of tasks) {
    await makeDataCopy.run({
      db: registry.db,
      taskId,
      input: makeDataCopy.input.parse(input),
      activity: { action: name, summary: makeDataCopy.summary, traceId: 'c'.repeat(32) },
      context: testContext({ ...registry, clock: () => registry.now() }),
      progress: async (done, total) => {
        await registry.db.unrecorded.updateTable('task').set({ itemsDone: done, itemsTotal: total }).where('taskId', '=', taskId).execute();
      },
    });
    await registry.db.unrecorded.updateTable('task').set({ state: 'completed' }).where('taskId', '=', taskId).execute();
  }
}

const signedIn = async (registry: TestRegistry, username: string): Promise<Browser> => {
  const browser = browserAt(registry.origin);
  await browser.signIn(registry, username);
  return browser;
};
const ask = async (browser: Browser) => browser.send(await browser.open('/account/data'), {});
const download = (registry: TestRegistry, { jar }: Browser, path: string): Promise<Response> =>
  fetch(registry.origin + path, { headers: { cookie: [...jar].map(([name, { value }]) => `${name}=${value}`).join('; ') } });
const files = async (response: Response): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer()))).map(([name, bytes]) => [
      name,
      name.endsWith('.ndjson')
        ? Buffer.from(bytes)
            .toString()
            .trimEnd()
            .split('\n')
            .map(line => JSON.parse(line) as unknown)
        : (JSON.parse(Buffer.from(bytes).toString()) as unknown),
    ]),
  );

/** Subjects of mails about copies, each of which can freeze the login. */
async function mailsOfCopies(registry: TestRegistry): Promise<string[]> {
  const mails = await registry.db.read
    .selectFrom('mail')
    .select(['recipient', 'subject', 'freezeLinkId'])
    .where('subject', 'like', '%copy%')
    .orderBy('mailId')
    .execute();
  for (const { recipient, freezeLinkId } of mails) {
    expect(recipient).toBe('bill@example-au.example');
    expect(freezeLinkId).not.toBeNull();
  }
  return mails.map(({ subject }) => subject);
}

test('a person asks for a copy of their data, gets an e-mail when it is ready, and downloads it', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  const bill = await signedIn(registry, 'bill');
  await signedIn(registry, 'corin');
  const asked = await ask(bill);
  expect(asked.url).toContain('/account/data?done=copy-requested');
  expect(asked.text).toContain('Being prepared');
  await makeCopies(registry);
  expect(await mailsOfCopies(registry)).toEqual(['A copy of your data was requested', 'The copy of your data is ready']);
  const page = await bill.open('/account/data');
  const path = /href="(\/account\/data\/\d+\.zip)"/.exec(page.text)![1]!;
  const response = await download(registry, bill, path);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.zip"$/);
  const copy = await files(response);
  expect(copy['login.ndjson']).toEqual([expect.objectContaining({ loginId: 'you', username: 'bill', email: 'bill@example-au.example' })]);
  expect(copy['activity-log.ndjson']).toContainEqual(expect.objectContaining({ action: 'identity.requestDataCopy' }));
  const { kinds } = copy['index.json'] as {
    kinds: { files: { file: string; rows: number }[]; notInCopy?: { table: string; why: string }[] }[];
  };
  const listed = kinds.flatMap(kind => kind.files);
  expect(listed.map(({ file }) => file)).toEqual(Object.keys(copy).filter(name => name !== 'index.json'));
  expect(listed.map(({ file, rows }) => [file, rows])).toEqual(listed.map(({ file }) => [file, (copy[file] as unknown[]).length]));
  expect(kinds.flatMap(({ notInCopy = [] }) => notInCopy)).toContainEqual({
    table: 'signInFailure',
    why: expect.stringMatching(/hashes/) as string,
  });
  const all = JSON.stringify(copy);
  for (const secret of ['argon2', 'corin', 'Corin', 'sealedSecret"', '"sid"']) expect(all).not.toContain(secret);
  const actions = await registry.actions();
  for (const action of ['identity.requestDataCopy', 'identity.makeDataCopy', 'identity.downloadDataCopy'])
    expect(actions).toContain(action);
  expect(await mailsOfCopies(registry)).toContain('A copy of your data was downloaded');
  // The person sees in their history that someone downloaded it.
  expect((await bill.open('/account/history')).text).toContain('Downloaded a copy of personal data');
});

test('another person’s copy, one of an unknown number and one without a session are not found', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  const bill = await signedIn(registry, 'bill');
  await ask(bill);
  await makeCopies(registry);
  const [row] = await registry.db.read.selectFrom('dataCopy').select('dataCopyId').execute();
  const path = `/account/data/${row!.dataCopyId}.zip`;
  const corin = await signedIn(registry, 'corin');
  for (const wrong of [path, '/account/data/999999.zip', '/account/data/x.zip', '/account/data/1', `${path}.zip`]) {
    const refused = await corin.open(wrong);
    expect([refused.status, /href="\/account\/data\/\d/.test(refused.text)], wrong).toEqual([404, false]);
    expect(refused.text).toContain('This copy doesn’t exist or has expired.');
  }
  const stranger = await browserAt(registry.origin).open(path);
  expect(stranger.text).toContain('Log in');
  expect(await registry.actions()).not.toContain('identity.downloadDataCopy');
});

test('a copy is asked for once a day, also by two requests at the same time', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  const bill = await signedIn(registry, 'bill');
  const page = await bill.open('/account/data');
  const answers = await Promise.all([bill.send(page, {}), bill.send(page, {})]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(answers.find(({ status }) => status === 429)!.text).toContain('You can request one copy a day');
  expect(await registry.db.read.selectFrom('dataCopy').select('dataCopyId').execute()).toHaveLength(1);
  expect((await bill.open('/account/data')).text).not.toContain('Request a copy</button>');
  registry.later(24 * 3600 + 60);
  const again = await signedIn(registry, 'bill');
  expect((await ask(again)).url).toContain('done=copy-requested');
});

test('a copy that expired can’t be downloaded, and is deleted with a line in the log', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  await ask(await signedIn(registry, 'bill'));
  await makeCopies(registry);
  const [row] = await registry.db.read.selectFrom('dataCopy').select(['dataCopyId', 'sha256']).execute();
  registry.later(7 * 24 * 3600 + 60);
  const bill = await signedIn(registry, 'bill');
  expect((await bill.open(`/account/data/${row!.dataCopyId}.zip`)).status).toBe(404);
  await sweepDataCopies(registry.db, registry.now());
  await sweepDataCopies(registry.db, registry.now());
  expect(await registry.db.read.selectFrom('dataCopy').selectAll().execute()).toEqual([]);
  expect((await registry.actions()).filter(action => action === 'identity.deleteDataCopies')).toHaveLength(1);
  // Its content goes with the row.
  const store = openFileStore(registry.config.filesDir);
  const sweeping = { store, kinds: keptFiles, now: new Date(Date.now() + 10 * 24 * HOUR_MS), log: createLog('silent') };
  await sweepFiles(registry.db, sweeping);
  expect(await registry.db.read.selectFrom('storedFile').select('sha256').where('kind', '=', 'zip').execute()).toEqual([]);
  expect(await store.read(row!.sha256!)).toBeNull();
});

test('a log in of some time ago has to be renewed before a copy is asked for or downloaded', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  const bill = await signedIn(registry, 'bill');
  const page = await bill.open('/account/data');
  await sql`update oidc_payload set payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload ->> 'loginTs')::bigint - 301))
    where model = 'Session' and payload ? 'loginTs'`.execute(registry.db.unrecorded);
  expect((await bill.open('/account/data')).text).toContain('Log in again to request a copy');
  const refused = await bill.send(page, {});
  expect(refused.text).toContain('<h1>Log in</h1>');
  expect(await registry.actions()).not.toContain('identity.requestDataCopy');
});

test('a login whose sign-in was changed lately gets no copy yet', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  const bill = await signedIn(registry, 'bill');
  const page = await bill.open('/account/data');
  const until = instantAfter(registry.now(), HOUR_MS);
  await registry.db.change({ action: 'test.coolDown', summary: 'Cooled down', traceId: 'd'.repeat(32) }, change =>
    change.updateTable('login').set({ coolDownUntil: until, coolDownWhy: 'password-reset' }).where('username', '=', 'bill').execute(),
  );
  const refused = await bill.send(page, {});
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('The sign-in of your login was changed lately.');
});

test('a copy that is ready is deleted when the login begins to cool down', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  const bill = await signedIn(registry, 'bill');
  await ask(bill);
  await makeCopies(registry);
  const { dataCopyId, loginId } = await registry.db.read.selectFrom('dataCopy').select(['dataCopyId', 'loginId']).executeTakeFirstOrThrow();
  await registry.db.change({ action: 'test.coolDown', summary: 'Cooled down', traceId: 'd'.repeat(32) }, change =>
    startCoolDown(change, loginId, 'password-reset'),
  );
  expect((await bill.open(`/account/data/${dataCopyId}.zip`)).status).toBe(404);
  expect(await registry.db.read.selectFrom('dataCopy').select('dataCopyId').execute()).toEqual([]);
});

test('a copy is void once the sign-in was changed, also after the cool-down and when it was made meanwhile', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  const bill = await signedIn(registry, 'bill');
  await ask(bill);
  const { dataCopyId } = await registry.db.read.selectFrom('dataCopy').select('dataCopyId').executeTakeFirstOrThrow();
  const coolDown = async (until: string) =>
    registry.db.change({ action: 'test.coolDown', summary: 'Cooled down', traceId: 'd'.repeat(32) }, change =>
      change.updateTable('login').set({ coolDownUntil: until, coolDownWhy: 'password-reset' }).where('username', '=', 'bill').execute(),
    );
  await coolDown(instantAfter(registry.now(), HOUR_MS));
  await makeCopies(registry);
  expect((await bill.open('/account/data')).text).toContain('It couldn’t be made.');
  expect(await registry.db.read.selectFrom('storedFile').select('kind').where('kind', '=', 'zip').execute()).toEqual([]);
  registry.later(2 * 3600);
  expect((await (await signedIn(registry, 'bill')).open(`/account/data/${dataCopyId}.zip`)).status).toBe(404);
});

test('a copy whose task is lost is no longer being prepared after a day', async () => {
  await using registry = await testRegistry(undefined, { DATA_DIR: folder });
  await ask(await signedIn(registry, 'bill'));
  registry.later(25 * 3600);
  const page = await (await signedIn(registry, 'bill')).open('/account/data');
  expect(page.text).toContain('It couldn’t be made.');
  expect(page.text).toContain('Request a copy</button>');
});

test('a copy that would be too large is refused, and nothing is left of it', async () => {
  const store = openFileStore(path.join(folder, 'small'));
  const chunks = async function* () {
    for (let chunk = 0; chunk < 3; chunk++) yield await Promise.resolve(new Uint8Array(1_000));
  };
  expect(await copyStorage(store).keep(chunks(), 2_999)).toBeNull();
  const kept = await copyStorage(store).keep(chunks(), 3_000);
  expect(kept).toMatchObject({ bytes: 3_000 });
  const left: string[] = [];
  for await (const sha256 of store.listEverything()) left.push(sha256);
  expect(left).toEqual([kept!.sha256]);
});
