import { PageFrame } from '@portal/app-kit';
import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AssignmentImport } from './AssignmentImport.tsx';

function open() {
  const router = aRouter('/resources/customers/customer_management');
  show(
    <PageFrame page={pages.customerManagement}>
      <AssignmentImport />
    </PageFrame>,
    {
      router,
      session: aSession({ account: anAccount({ permissions: ['whois-private-objects-view', 'whois-private-objects-update'] }) }),
      answer({ input }) {
        const { csv, dryRun } = (input as { body: { csv: string; dryRun: boolean } }).body;
        const problem = csv.includes('203.0.113') ? '203.0.113.0/26 isn’t inside an allocation of this account' : null;
        const row = { line: 2, resource: csv, netname: 'CUST-ONE', customer: 'One', visibility: 'public', problem };
        return { status: 200, data: { stored: !dryRun && problem === null, rows: [row] } };
      },
    },
  );
  const enter = (value: string) => fireEvent.change(screen.getByRole('textbox', { name: /^Rows/ }), { target: { value } });
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  return { enter, press };
}

it('rows with errors are listed, and nothing can be registered until a dry run of the same rows succeeds', async () => {
  const { enter, press } = open();
  const act = () => screen.queryByRole('button', { name: /^Register/ });
  expect(act(), 'without rows').toBeNull();
  enter('203.0.113.0/26');
  press('Dry run');
  await screen.findByText(/isn’t inside an allocation/);
  expect(act(), 'with errors').toBeNull();
  enter('198.18.11.0/26');
  expect(screen.queryByText(/isn’t inside an allocation/), 'the result of other rows').toBeNull();
  expect(act(), 'before a dry run of the new rows').toBeNull();
  press('Dry run');
  await screen.findByText('Valid');
  press('Register all');
  await screen.findByRole('heading', { name: '1 assignment is registered' });
  expect(screen.getByRole('link', { name: 'Show customers' }).getAttribute('href')).toBe('/resources/customers/customer_management');
});
