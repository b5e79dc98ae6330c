import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import { permissionKeys } from '@portal/contract';
import { dnsChecking } from '@portal/contract/reverse-dns/checks';
import { waitingDelegations } from '@portal/contract/reverse-dns/waiting';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { PreFlight } from './PreFlight.tsx';
import { WaitForServers } from './WaitingDelegations.tsx';

const zone = '2.18.198.in-addr.arpa';
const servers = ['ns1.example.net', 'ns2.example.net'];
const body = { zones: [zone], servers };

function open(grade: 'ok' | 'error') {
  const onDone = vi.fn();
  const findings =
    grade === 'ok'
      ? []
      : [
          {
            check: 'resolves',
            group: 'nameserver',
            severity: 'error',
            state: 'failed',
            server: null,
            detail: 'ns1.example.net has no address',
          },
        ];
  const shown = show(
    <PreFlight zones={[{ zone, ds: [] }]} servers={servers} minutes={60} whenNotReady={<WaitForServers body={body} onDone={onDone} />} />,
    {
      session: aSession({ account: anAccount({ permissions: [...permissionKeys] }) }),
      router: aRouter('/resources/ReverseDNS_ip'),
      answer: ({ endpoint }) => ({
        status: 200,
        data:
          endpoint === dnsChecking.startCheck.id
            ? { checkId: 'c1', zone }
            : endpoint === dnsChecking.getCheck.id
              ? { state: 'done', grade, report: { findings } }
              : { waitingId: '1001', zones: [zone] },
      }),
    },
  );
  return { onDone, sent: shown.sent };
}

it('a check that finds errors offers to keep trying for a week', async () => {
  const { onDone, sent } = open('error');
  fireEvent.click(screen.getByRole('button', { name: 'Check the servers' }));
  expect(await screen.findByText('ns1.example.net has no address')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Keep trying for 7 days' }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(sent.find(({ endpoint }) => endpoint === waitingDelegations.waitForServers.id)!.input).toEqual({ account: 'EXAMPLE-AU', body });
});

it('servers that are ready need no waiting', async () => {
  open('ok');
  fireEvent.click(screen.getByRole('button', { name: 'Check the servers' }));
  expect(await screen.findByText('Ready')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Keep trying/ })).toBeNull();
});
