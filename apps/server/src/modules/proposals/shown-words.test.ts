import { expect, test } from 'vitest';
import { projectFiles } from '../../../../../tools/project-files.ts';
import { labelOf, shownDetails } from './shown-words.ts';

/** Returns the names of all details that the modules note with a change, as the sources write them. */
async function notedNames(): Promise<string[]> {
  const files = await projectFiles(/^apps\/server\/src\/modules\/.*(?<!\.test)\.ts$/);
  const notes = files.flatMap(({ text }) => [...text.matchAll(/\.note\(\{([^]*?)\}\)/g)].map(([, inside]) => inside!));
  return [...new Set(notes.flatMap(inside => [...inside.matchAll(/(?:^|[{,(]|\s)([a-z]\w*)\s*(?=[:,}]|$)/g)].map(([, name]) => name!)))];
}

test('no detail that a change notes is shown under the name that the program has for it', async () => {
  const names = await notedNames();
  expect(names).toEqual(expect.arrayContaining(['contactTypes', 'holdId', 'ipv4', 'secondPerson']));
  const labels = names.map(name => [name, labelOf(name)] as const);
  const isRaw = (label: string): boolean =>
    /[a-z0-9][A-Z]/.test(label.replace(/IPv[46]|ROAs|ASPAs/g, '')) ||
    /\b(ids?|uuid|url|asns?|roas?|vrps|sha256|email|ipv[46])\b/i.test(label.replace(/IPv[46]|ROAs?|SHA-256/g, ''));
  expect(labels.filter(([, label]) => isRaw(label) || !/^[A-Z]/.test(label))).toEqual([]);
});

test('days, times, codes and changes are said as people say them, and names stay as they are', () => {
  expect(
    shownDetails({
      accountName: 'EXAMPLE-AU',
      closeOn: '2026-12-01',
      endsAt: '2026-12-01T09:30:00.000Z',
      state: 'in-review',
      name: 'abuse-desk',
      permissions: ['rescert-view'],
      before: { secondPerson: false, phone: '', queue: 'billing' },
      after: { secondPerson: true, phone: '+61 2 5550 0100', queue: 'billing' },
    }),
  ).toEqual([
    { label: 'Account name', value: 'EXAMPLE-AU' },
    { label: 'Close on', value: '1 Dec 2026' },
    { label: 'Ends at', value: '1 Dec 2026 at 09:30 UTC' },
    { label: 'State', value: 'in review' },
    { label: 'Name', value: 'abuse-desk' },
    { label: 'Permissions', value: expect.not.stringContaining('rescert-view') },
    { label: 'Second person', value: 'from no to yes' },
    { label: 'Phone', value: '+61 2 5550 0100' },
  ]);
});
