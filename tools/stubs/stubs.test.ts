import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { allEndpoints } from '@portal/contract/api';
import { pages } from '@portal/contract/pages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../root.ts';
import { complaintsOf, copySources } from './copy.ts';
import type { Written } from './draft.ts';
import { addLighthouses } from './made-up-module.ts';
import { stubs } from './stubs.ts';

/** A page of each application that is in the site map and not built, while there is one. */
const unbuilt = ['portal', 'resource-manager'].flatMap(app => {
  const found = Object.entries<{ app: string; built: boolean }>(pages).find(([, page]) => page.app === app && !page.built);
  return found ? [found[0]] : [];
});
const groups = [...new Set(allEndpoints.map(({ id }) => id.slice(0, id.lastIndexOf('.'))))];

describe('in a copy of the sources', () => {
  const copy = copySources();
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const textOf = (file: string): string => readFileSync(path.join(copy, file), 'utf8');
  const add = (kind: string, ...words: string[]): Promise<Written> => stubs[kind]!.write(copy, words);
  let ofLighthouses: readonly string[] = [];

  // One run of the compiler for all: it is what costs.
  beforeAll(async () => {
    ofLighthouses = await addLighthouses(copy);
    await add('module', 'rdns');
    await add('module', 'module');
    await add('table', 'rdns.reverseZone');
    await add('task', 'rdns.sweepZones');
    await add('task', 'records.sweepRecords');
    for (const [index, group] of [...groups, 'rdns'].entries()) {
      await add('endpoint', `${group}.listSamples${index}`);
      await add('endpoint', `${group}.closeSamples${index}`);
    }
    await add('endpoint', 'whois.maintainer-users.listMore');
    for (const name of unbuilt) await add('page', name, 'some-pages');
    for (const app of ['portal', 'resource-manager', 'desk']) await add('page', `${app.replaceAll('-', '')}Zones`, 'zones', app);
  }, 120_000);

  test('stubs of every kind, for every group and every app, compile as they are', async () => {
    expect(await complaintsOf(copy)).toEqual([]);
    expect(textOf('apps/server/src/modules/rdns/routes.ts')).toMatch(/closeSamples\d+: \(\{ change, account \}\) => closeSamples/);
    expect(textOf('apps/server/src/modules/rdns/module.ts')).toContain('sweepZones');
    expect(textOf('apps/server/src/modules/rdns/module.ts')).toContain("'reverseZone'");
    expect(textOf('apps/server/src/modules/module/routes.ts')).toContain("from './module-view.ts'");
    expect(textOf('packages/contract/src/pages.ts')).toContain("deskZones: desk({ path: '/desk/zones', title: 'Zones' }),");
    for (const name of unbuilt) expect(textOf('apps/resource-manager/src/not-built/unbuilt-pages.ts')).not.toContain(`  ${name}:`);
  }, 300_000);

  test('a new module edits the lists of modules and of pages, and nothing else that is there', () => {
    expect(ofLighthouses.filter(file => existsSync(path.join(root, file))).sort()).toEqual(
      [
        'apps/desk/src/views.ts',
        'apps/portal/src/views.ts',
        'apps/resource-manager/src/views.ts',
        // Written by a program.
        'apps/server/src/platform/database/tables.ts',
        'apps/server/src/modules.ts',
        'packages/contract/src/api.ts',
        'packages/contract/src/pages.ts',
      ].sort(),
    );
  });

  test('a new module works: its table, endpoints, task, periodic work, kept file, activity and part of the page of a prefix', () => {
    const vitest = path.join(root, 'node_modules/.bin/vitest');
    const words = ['run', '--project', 'server', 'apps/server/src/modules/lighthouses'];
    const { status, stdout, stderr } = spawnSync(vitest, words, { cwd: copy, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  }, 300_000);

  test('nothing is overwritten', async () => {
    await expect(add('module', 'contacts')).rejects.toThrow('packages/contract/src/contacts/contacts.ts is there already');
  });

  test('a wrong name is refused with a right one', async () => {
    await expect(add('endpoint', 'removeContact')).rejects.toThrow('Name it like contacts.removeContact.');
    await expect(add('endpoint', 'contacts.friends.removeFriend')).rejects.toThrow(
      'packages/contract/src/contacts/friends.ts does not exist',
    );
    await expect(add('page', 'noSuchPage', 'pages')).rejects.toThrow('has no row "noSuchPage"');
    await expect(add('page', 'logo', 'pages', 'shop')).rejects.toThrow('its app (portal, resource-manager, desk)');
    await expect(add('module', 'index')).rejects.toThrow('Name it like billing.');
    await expect(add('table', 'invoice')).rejects.toThrow('Name it like billing.invoice');
  });
});
