import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeTables, migrate, openDatabase } from '../apps/server/src/platform/database/index.ts';
import { activitiesPage } from './docs/activities.ts';
import { decisionsPage } from './docs/decisions.ts';
import { effectsPage } from './docs/effects.ts';
import { endpointsPage } from './docs/endpoints.ts';
import { errorsPage } from './docs/errors.ts';
import { limitsPage } from './docs/limits.ts';
import { livesPage } from './docs/lives.ts';
import { pagesPage } from './docs/pages.ts';
import { permissionsPage } from './docs/permissions.ts';
import { profilePage } from './docs/profile.ts';
import { settingsPage } from './docs/settings.ts';
import { staffAccessPage } from './docs/staff-access.ts';
import { tablesPage } from './docs/tables.ts';
import { buildWeb, isWebBuilt } from './web/build-web.ts';
import { pageVisitsFile, pageVisitsIn, pageVisitsPage, staleVisits } from './web/page-visits.ts';
import { root } from './root.ts';

/** Every file that is written by this program, from its path to its text as it should be now. */
async function generatedFiles(): Promise<Map<string, string>> {
  const database = await openDatabase({ url: 'memory://' });
  try {
    await migrate(database);
    return new Map([
      ['docs/decisions/README.md', await decisionsPage()],
      ['docs/generated/activities.md', await activitiesPage()],
      ['docs/generated/effects.md', effectsPage()],
      ['docs/generated/endpoints.md', endpointsPage()],
      ['docs/generated/errors.md', errorsPage()],
      ['docs/generated/limits.md', limitsPage()],
      ['docs/generated/lives.md', livesPage()],
      ['docs/generated/pages.md', pagesPage()],
      ['docs/generated/permissions.md', permissionsPage()],
      ['docs/generated/profile.md', profilePage()],
      ['docs/generated/settings.md', settingsPage()],
      ['docs/generated/staff-access.md', staffAccessPage()],
      ['docs/generated/tables.md', await tablesPage(database)],
      ['apps/server/src/platform/database/tables.ts', await describeTables(database)],
    ]);
  } finally {
    await database.close();
  }
}

/** The one file that depends on the web build: `npm test -- build`, which has one, checks it. It is not rewritten while it is true. */
async function visitsFile(): Promise<[string, string][]> {
  if (!(await isWebBuilt())) await buildWeb();
  const visits = await pageVisitsIn(path.join(root, 'dist/web'));
  const table = await readFile(path.join(root, pageVisitsFile), 'utf8').catch(() => '');
  return staleVisits(table, visits).length === 0 ? [] : [[pageVisitsFile, pageVisitsPage(visits)]];
}

const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const [file, text] of [...(await generatedFiles()), ...(isCheck ? [] : await visitsFile())]) {
  const place = path.join(root, file);
  if ((await readFile(place, 'utf8').catch(() => '')) === text) continue;
  stale.push(file);
  if (isCheck) continue;
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, text);
}
if (isCheck) {
  for (const file of stale) console.error(`${file} is not up to date: run npm run docs and commit it.`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  console.log(stale.length > 0 ? `Wrote ${stale.join(', ')}.` : 'Everything was up to date.');
}
