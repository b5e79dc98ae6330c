import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { type ModuleImporters, openSharedParts } from './shared-parts.ts';

const at = (file: string): string => path.join(root, file);

/** A graph of modules, by who imports each; `lazily` for what is imported when it is needed. */
function graph(modules: Record<string, { by?: string[]; lazily?: string[]; entry?: boolean }>) {
  const infos = new Map<string, ModuleImporters>(
    Object.entries(modules).map(([file, { by = [], lazily = [], entry = false }]) => [
      at(file),
      {
        isEntry: entry,
        importers: by.map(at),
        dynamicImporters: lazily.map(at),
        importedIds: Object.keys(modules)
          .filter(imported => modules[imported]!.by?.includes(file))
          .map(at),
      },
    ]),
  );
  const partOf = openSharedParts();
  return (file: string) => partOf(at(file), module => infos.get(module) ?? null);
}

const ipv4 = 'apps/resource-manager/src/resources/holding/Ipv4Page.tsx';
const asn = 'apps/resource-manager/src/resources/holding/AsnPage.tsx';
const prefix = 'apps/resource-manager/src/resources/record/PrefixPage.tsx';
const delegation = 'apps/resource-manager/src/resources/nir/NirDelegationPage.tsx';
const tasks = 'apps/resource-manager/src/whois/tasks/TasksPage.tsx';
const request = 'apps/resource-manager/src/requests/RequestPage.tsx';
const billing = 'apps/portal/src/pages/billing/BillingPage.tsx';
const documents = 'apps/portal/src/pages/documents/DocumentsPage.tsx';
const home = 'apps/portal/src/pages/HomePage.tsx';
const views = { lazily: ['views.ts'] };

const shared = 'packages/ui/src/table/DataTable.tsx';
test.each([
  [[ipv4], null],
  [[ipv4, asn], 'resources'],
  [[ipv4, prefix], 'resources'],
  [[prefix, delegation], 'resources-records'],
  [[ipv4, tasks], 'lists'],
  [[tasks, request], 'lists'],
  [[ipv4, billing], 'lists'],
  [[billing, documents], 'member-pages'],
  [['apps/portal/src/main.tsx', billing], 'parts'],
])('what %j need goes to %s', (pages, part) => {
  const main = { 'apps/portal/src/main.tsx': { entry: true } };
  const partOf = graph({
    ...main,
    ...Object.fromEntries([ipv4, asn, prefix, delegation, tasks, request, billing, documents].map(page => [page, views])),
    [shared]: { by: pages },
  });
  expect(partOf(shared)).toBe(part);
});

test('modules used only by pages that write whois objects are with the code of RPSL, and those shared by other pages are not', () => {
  const rpsl = 'packages/rpsl/src/check.ts';
  const object = 'apps/resource-manager/src/whois/objects/ObjectPage.tsx';
  const [zones, ipv6Zones] = ['AddIpv4ZonesPage', 'AddIpv6ZonesPage'].map(
    name => `apps/resource-manager/src/whois/reverse-dns/${name}.tsx`,
  );
  const [problems, form, marks] = ['whois/text/ProblemList.tsx', 'whois/reverse-dns/ZoneForm.tsx', 'shell/Marks.tsx'];
  const partOf = graph({
    ...Object.fromEntries([object, zones!, ipv6Zones!, tasks].map(page => [page, views])),
    [rpsl]: { by: [object, form] },
    [form]: { by: [zones!, ipv6Zones!] },
    [problems]: { by: [object, form] },
    [marks]: { by: [object, form, tasks] },
  });
  expect(partOf(rpsl)).toBe('rpsl');
  expect(partOf(problems)).toBe('rpsl');
  expect(partOf(form)).toBe('zones');
  expect(partOf(marks)).toBe('lists');
});

test('it counts indirect users of a module, and handles cycles', () => {
  const between = 'packages/ui/src/table/Row.tsx';
  const partOf = graph({ [ipv4]: views, [asn]: views, [between]: { by: [ipv4, shared] }, [shared]: { by: [between, asn] } });
  expect(partOf(shared)).toBe('resources');
});

test('the sheets of pages are a file for each application, but home needs nothing that it does not show', () => {
  const partOf = graph({
    ...Object.fromEntries([ipv4, home, billing, request].map(page => [page, views])),
    'a.module.css': { by: [ipv4] },
    'e.module.css': { by: [request] },
    'b.module.css': { by: [home] },
    'c.module.css': { by: [billing] },
    'd.module.css': { by: [billing, ipv4] },
  });
  expect(partOf('a.module.css')).toBe('lists');
  expect(partOf('c.module.css')).toBe('member-pages');
  expect(partOf('d.module.css')).toBe('lists');
  // The pictures of transfers and requests are no part of what other framed pages load.
  expect(partOf('e.module.css')).toBe('requests');
  expect(partOf('b.module.css')).toBeNull();
});

test('what no page begins with is one file, unless only one section opens it', () => {
  const aria = 'node_modules/react-aria-components/dist/Modal.mjs';
  const [dialog, menu] = ['packages/ui/src/overlay/DialogBody.tsx', 'packages/ui/src/overlay/MenuBody.tsx'];
  const [pay, refund] = ['PayDialog', 'RefundDialog'].map(name => `apps/portal/src/pages/billing/${name}.tsx`);
  const partOf = graph({
    ...Object.fromEntries([dialog!, menu!, pay!, refund!].map(part => [part, { lazily: [billing] }])),
    [aria]: { by: [dialog, menu] },
    [shared]: { by: [pay!, refund!] },
    'a.module.css': { by: [dialog, menu] },
    'b.module.css': { by: [pay!] },
  });
  expect(partOf(aria)).toBe('dialogs');
  expect(partOf('a.module.css')).toBe('dialogs');
  expect(partOf(shared)).toBe('member-pages');
  expect(partOf('b.module.css')).toBeNull();
});

test('the sign-in loads nothing of the applications, and the pages of the server share nothing with them', () => {
  const [form, main, server] = ['apps/portal/src/sign-in-form.ts', 'apps/portal/src/main.tsx', 'apps/server/web/sign-in.ts'];
  const [both, own] = ['packages/app-kit/src/auth/stored-user.ts', 'packages/app-kit/src/auth/held.ts'];
  const partOf = graph({
    [form!]: { entry: true },
    [main!]: { entry: true },
    [server!]: { entry: true },
    [billing]: views,
    [both!]: { by: [form!, main!] },
    [own!]: { by: [form!] },
    [shared]: { by: [server!, billing] },
  });
  expect(partOf(both!)).toBe('early');
  expect(partOf(own!)).toBeNull();
  expect(partOf(shared)).toBeNull();
});

test('home has what it shares with other pages from the start, and forms bring the library of schemas', () => {
  const partOf = graph({ [home]: views, [billing]: views, [shared]: { by: [home, billing] }, 'node_modules/zod/index.js': { by: [home] } });
  expect(partOf(shared)).toBe('parts');
  expect(partOf('node_modules/zod/index.js')).toBe('lists');
});
