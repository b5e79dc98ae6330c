import { PageFrame } from '@portal/app-kit';
import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { DelegationImport } from './DelegationImport.tsx';

const head = 'subaccount,resource,kind,netname\n';

function open() {
  const shown = show(
    <PageFrame page={pages.nirDelegation}>
      <DelegationImport />
    </PageFrame>,
    {
      router: aRouter(pages.nirDelegation.path),
      session: aSession({
        account: anAccount({ nir: true, permissions: ['resources-view', 'whois-private-objects-view', 'whois-private-objects-update'] }),
      }),
      answer({ endpoint, input }) {
        if (endpoint === nirSubaccounts.listSubaccounts.id)
          return { status: 200, data: { rows: [{ name: 'HARBOURHOST-ZZ' }], next: null, total: 1 } };
        if (endpoint === nirDelegations.listNirFreeSpace.id) return { status: 200, data: [{ resource: '198.19.32.0/24', why: '' }] };
        const { csv, dryRun } = (input as { body: { csv: string; dryRun: boolean } }).body;
        const rows = csv
          .trim()
          .split('\n')
          .slice(1)
          .map((text, place) => {
            const [subaccount, resource] = text.split(',');
            const wrong = { 'OCEANTELL-ZZ': 'OCEANTEL-ZZ', '198.19.140.0/25': '198.19.162.0/24', held: null };
            const key = [subaccount, resource].find(each => each! in wrong) as keyof typeof wrong | undefined;
            const value = key && wrong[key];
            return {
              line: place + 2,
              subaccount,
              resource,
              netname: '',
              problem: key ? `${key} is wrong` : null,
              fix: value ? { column: key === 'OCEANTELL-ZZ' ? 'subaccount' : 'resource', value } : null,
            };
          });
        return { status: 200, data: { stored: !dryRun && rows.every(({ problem }) => problem === null), rows } };
      },
    },
  );
  const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
  const dryRunOf = async (csv: string) => {
    fireEvent.change(screen.getByRole('textbox', { name: /^Rows/ }), { target: { value: csv } });
    press('Dry run');
    await screen.findByText(/rows?, \d+ with errors/);
  };
  const sent = () =>
    shown.sent
      .filter(({ endpoint }) => endpoint === nirDelegations.importNirDelegations.id)
      .map(({ input }) => (input as { body: { csv: string; dryRun: boolean } }).body);
  return { press, dryRunOf, sent };
}

it('a value that would be right is written into its row, which is checked again', async () => {
  const { press, dryRunOf, sent } = open();
  await dryRunOf(`${head}OCEANTELL-ZZ,198.19.140.0/24,,A\nMARLIN-ZZ,198.19.140.0/25,,B\n`);
  press('Use OCEANTEL-ZZ in line 2');
  await waitFor(() =>
    expect(sent().at(-1)).toMatchObject({ csv: `${head}OCEANTEL-ZZ,198.19.140.0/24,,A\nMARLIN-ZZ,198.19.140.0/25,,B\n`, dryRun: true }),
  );
  await screen.findByText('2 rows, 1 with errors');
  press('Use 198.19.162.0/24 in line 3');
  await screen.findByText('2 rows, 0 with errors');
  expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull();
});

it('all values are taken in one press', async () => {
  const { press, dryRunOf, sent } = open();
  await dryRunOf(`${head}OCEANTELL-ZZ,198.19.140.0/24,,A\nMARLIN-ZZ,198.19.140.0/25,,B\n`);
  press('Use all 2 fixes');
  await screen.findByText('2 rows, 0 with errors');
  expect(sent().length).toBe(2);
});

it('the valid rows are delegated alone, and a receipt names them and offers the others as a file that says what is wrong', async () => {
  const { press, dryRunOf, sent } = open();
  const files: Blob[] = [];
  const createObjectURL = (file: Blob): string => {
    files.push(file);
    return 'blob:file';
  };
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await dryRunOf(`${head}held,198.19.140.0/24,,A\nMARLIN-ZZ,198.19.141.0/24,,B\n`);
  press('Delegate the 1 valid row');
  await waitFor(() => expect(sent().at(-1)).toMatchObject({ csv: `${head}MARLIN-ZZ,198.19.141.0/24,,B\n`, dryRun: false }));
  await screen.findByRole('heading', { name: '1 delegation is recorded' });
  expect(within(screen.getByRole('list', { name: 'Recorded rows' })).getByText('198.19.141.0/24')).toBeTruthy();
  expect(screen.getByText(/^1 row isn’t recorded\./)).toBeTruthy();
  press('Download it with the reason');
  expect(await files[0]!.text()).toBe('subaccount,resource,kind,netname,problem\nheld,198.19.140.0/24,,A,held is wrong\n');
  press('Import another file');
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Rows/ })).value).toBe('');
});

it('there is one act on the file after a dry run, and rows are in the order of the file', async () => {
  const { dryRunOf, press, sent } = open();
  expect((await screen.findByPlaceholderText(/HARBOURHOST-ZZ,198\.19\.32\.0\/24,assigned,HARBOURHOST-2/)).tagName).toBe('TEXTAREA');
  await dryRunOf(`${head}MARLIN-ZZ,198.19.141.0/24,,B\nheld,198.19.140.0/24,,A\n`);
  expect(screen.getAllByText(/^line \d$/).map(each => each.textContent)).toEqual(['line 2', 'line 3']);
  expect(screen.queryByRole('button', { name: 'Delegate all' })).toBeNull();
  await dryRunOf(`${head}MARLIN-ZZ,198.19.141.0/24,,B\n`);
  expect(screen.queryByRole('button', { name: /valid row/ })).toBeNull();
  press('Delegate all');
  await waitFor(() => expect(sent().at(-1)).toMatchObject({ dryRun: false }));
});
