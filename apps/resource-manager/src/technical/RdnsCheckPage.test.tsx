import { aRouter, aSession, show } from '@portal/app-kit/testing';
import { dnsChecking } from '@portal/contract/reverse-dns/checks';
import { pages } from '@portal/contract/pages';
import { PageFrame } from '@portal/app-kit';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import RdnsCheckPage from './RdnsCheckPage.tsx';

it('a problem of a zone or server is shown at its field, and cleared by the next attempt', async () => {
  const wrong = { zone: 'not a zone has 3 entries. Enter one', 'servers.1': 'ns2 is no full name' } as const;
  let refused: keyof typeof wrong | null = 'zone';
  const router = aRouter('/technical/rdnscheck?zone=not+a+zone');
  show(
    <PageFrame page={pages.rdnsCheck}>
      <RdnsCheckPage />
    </PageFrame>,
    {
      router,
      session: aSession(),
      answer: ({ endpoint }) =>
        endpoint === dnsChecking.startCheck.id
          ? refused
            ? { status: 400, errors: [{ code: 'INVALID_REQUEST', field: refused, message: wrong[refused] }] as never }
            : { status: 200, data: { checkId: 'a', zone: '2.0.192.in-addr.arpa' } }
          : endpoint === dnsChecking.listChecks.id
            ? { status: 200, data: { rows: [] } }
            : { status: 404, errors: [{ code: 'NOT_FOUND', message: 'It isn’t there' }] as never },
    },
  );
  const zone = await screen.findByLabelText('Zone, prefix or address');
  const check = () => fireEvent.click(screen.getByRole('button', { name: 'Check' }));
  check();
  expect(await screen.findByText(wrong.zone)).toBeTruthy();
  expect(zone.getAttribute('aria-invalid')).toBe('true');
  refused = 'servers.1';
  check();
  expect(await screen.findByText(wrong['servers.1'])).toBeTruthy();
  expect(screen.queryByText(wrong.zone)).toBeNull();
  expect(screen.getByText('Test servers before they are delegated').closest('details')!.open).toBe(true);
  refused = null;
  check();
  await waitFor(() => expect(router.place().search).toContain('check=a'));
  expect(screen.queryByText(wrong['servers.1'])).toBeNull();
});
