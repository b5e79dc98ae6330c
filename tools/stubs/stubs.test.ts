import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { allEndpoints } from '@portal/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copySources } from './copy.ts';
import type { Written } from './draft.ts';
import { stubs } from './stubs.ts';

const groups = [...new Set(allEndpoints.map(({ id }) => id.slice(0, id.lastIndexOf('.'))))];

describe('in a copy of the sources', () => {
  const copy = copySources();
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const textOf = (file: string): string => readFileSync(path.join(copy, file), 'utf8');
  const add = (kind: string, ...words: string[]): Promise<Written> => stubs[kind]!.write(copy, words);

  beforeAll(async () => {
    await add('module', 'rdns');
    await add('module', 'module');
    await add('task', 'rdns.sweepZones');
    for (const [index, group] of [...groups, 'rdns'].entries()) {
      await add('endpoint', `${group}.listSamples${index}`);
      await add('endpoint', `${group}.closeSamples${index}`);
    }
    for (const app of ['portal', 'resource-manager', 'desk']) await add('page', `${app.replaceAll('-', '')}Zones`, 'zones', app);
  }, 60_000);

  test('a call has a function of its name, which takes its act', () => {
    const samples = `closeSamples${groups.length}`;
    expect(textOf('apps/server/src/modules/rdns/routes.ts')).toContain(`\n    ${samples},`);
    expect(textOf(`apps/server/src/modules/rdns/samples${groups.length}.ts`)).toContain(`}: Act<typeof rdns.${samples}>)`);
  });

  test('every group can get a call, and a module its parts', () => {
    expect(textOf('apps/server/src/modules/rdns/module.ts')).toContain('sweepZones');
    expect(textOf('apps/server/src/modules/module/routes.ts')).toContain("from './module-view.ts'");
    expect(textOf('packages/contract/src/pages.ts')).toContain(
      "deskZones: desk({ path: '/desk/zones', title: 'Zones', access: staff('memberships') }),",
    );
  });

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
