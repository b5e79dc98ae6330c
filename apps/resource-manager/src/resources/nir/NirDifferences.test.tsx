import { PageFrame } from '@portal/app-kit';
import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { NirDifferences } from './NirDifferences.tsx';

const registered = (resource: string, subaccount = 'NORTH-ZZ', netname = 'NORTH-1') => ({
  delegationId: resource,
  resource,
  kind: 'ipv4',
  subaccountId: '7',
  subaccount,
  netname,
  type: 'assigned',
});

function open(
  rows = [registered('198.19.32.0/24'), registered('198.19.33.0/24')],
  permissions = ['resources-view', 'whois-private-objects-update'],
) {
  const shown = show(
    <PageFrame page={pages.nirDelegation}>
      <NirDifferences />
    </PageFrame>,
    {
      router: aRouter(`${pages.nirDelegation.path}?differences=yes`),
      session: aSession({ account: anAccount({ nir: true, permissions: permissions as never }) }),
      answer({ input }) {
        const { kind } = (input as { query: { kind: string } }).query;
        return { status: 200, data: { fileName: 'x.json', blob: new Blob([JSON.stringify(kind === 'ipv4' ? rows : [])]) } } as never;
      },
    },
  );
  const compare = (csv: string) => {
    fireEvent.change(screen.getByRole('textbox', { name: /^Rows/ }), { target: { value: csv } });
    fireEvent.click(screen.getByRole('button', { name: 'Compare' }));
  };
  return { ...shown, compare };
}
const head = 'subaccount,resource,kind,netname\n';
const list = async () => within(await screen.findByRole('list', { name: 'Differences' }));

it('shows what only one of the two has, and delegates what the registry lacks as an import', async () => {
  const { compare, sent } = open();
  compare(`${head}NORTH-ZZ,198.19.32.0/24,,NORTH-1\nSOUTH-ZZ,198.19.40.0/24,assigned,SOUTH-1\n`);
  const rows = await list();
  expect(rows.getByText('Not at the registry')).toBeTruthy();
  expect(rows.getByText('Not in your list')).toBeTruthy();
  expect(screen.getByText('2 differences, 1 the same')).toBeTruthy();
  // The list stays in the browser.
  expect([...new Set(sent.map(({ endpoint }) => endpoint))]).toEqual([nirDelegations.exportNirDelegations.id]);
  fireEvent.click(screen.getByRole('button', { name: 'Import the missing delegation' }));
  expect((screen.getByRole('textbox', { name: /^Rows/ }) as HTMLTextAreaElement).value).toBe(
    `${head}SOUTH-ZZ,198.19.40.0/24,assigned,SOUTH-1\n`,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Compare' })).toBeTruthy();
});

it('says that both are the same, and forgets that as soon as the list is edited', async () => {
  const { compare } = open([registered('198.19.32.0/24')]);
  compare(`${head}NORTH-ZZ,198.19.32.0/24,,\n`);
  expect(await screen.findByText('No differences')).toBeTruthy();
  fireEvent.change(screen.getByRole('textbox', { name: /^Rows/ }), { target: { value: head } });
  expect(screen.queryByText('No differences')).toBeNull();
});

it('a list that can’t be read says what is missing, and nothing is asked of the registry', () => {
  const { compare, sent } = open();
  compare('name,prefix\nA,B\n');
  expect(screen.getByText(/Missing: subaccount, resource/)).toBeTruthy();
  expect(sent).toEqual([]);
});

it('the differences can be shown by kind, and each leads to what settles it', async () => {
  const { compare } = open([registered('198.19.32.0/24', 'SOUTH-ZZ'), registered('198.19.33.0/24')]);
  compare(`${head}NORTH-ZZ,198.19.32.0/24,,\nNORTH-ZZ,198.19.33.0/25,,\nNORTH-ZZ,nothing,,\n`);
  const rows = await list();
  expect(rows.getByRole('link', { name: 'Move it' }).getAttribute('href')).toContain('from=7');
  expect(rows.getByRole('link', { name: 'Show NORTH-ZZ' })).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Not compared 1' }));
  expect((await list()).getAllByRole('listitem')).toHaveLength(1);
});
