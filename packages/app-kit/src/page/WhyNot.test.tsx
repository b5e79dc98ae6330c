import { contact, member } from '@portal/contract';
import { Button } from '@portal/ui';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type SentCall, aPerson, aRouter, aSession, show } from '../../test/member.tsx';
import { useRefusal } from './WhyNot.tsx';

const createRoa = { access: member('roas-update'), method: 'POST' } as const;
function Act({ on = createRoa as Parameters<typeof useRefusal>[0], onDone = () => undefined as void }) {
  return (
    <Button refusal={useRefusal(on)} onClick={onDone}>
      Publish
    </Button>
  );
}
const holders = {
  permission: 'roas-update',
  label: 'Update ROAs',
  holders: [{ name: 'Corin', contactTypes: ['corporate'] }],
  granters: [{ name: 'Corin' }, { name: 'Max' }],
  askedAt: null,
};
const api = ({ endpoint }: SentCall) =>
  endpoint === 'contacts.whoHoldsPermission'
    ? { status: 200, data: holders }
    : { status: 200, data: { askedAt: '2026-11-21T08:00:00Z', asked: ['Corin', 'Max'] } };

it('a button that is refused says why and does nothing', () => {
  let done = 0;
  const { sent } = show(<Act onDone={() => (done += 1)} />, { answer: api });
  fireEvent.click(screen.getByText('Publish'));
  expect(done).toBe(0);
  expect(screen.getByText('You do not have permission to access this feature')).toBeTruthy();
  expect(sent).toEqual([]);
});

it('people who can help are read only on demand, and asking notifies them', async () => {
  const { sent } = show(<Act />, { answer: api, router: aRouter('/resources/routes/index') });
  fireEvent.click(screen.getByText('Who can help?'));
  expect(await screen.findByText(/Corin and Max can grant it/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Message, optional'), { target: { value: 'For the new upstream' } });
  fireEvent.click(screen.getByText(/Ask Corin/));
  expect(await screen.findByText(/You asked Corin and Max on/)).toBeTruthy();
  expect(sent.find(call => call.endpoint === 'contacts.askForPermission')?.input).toEqual({
    account: 'EXAMPLE-AU',
    body: { permissions: ['roas-update'], page: '/resources/routes/index', message: 'For the new upstream' },
  });
});

it('a refused request appears beside its button, not in the banner', async () => {
  const answer = (sent: SentCall) =>
    sent.endpoint === 'contacts.whoHoldsPermission'
      ? api(sent)
      : { status: 409, errors: [{ code: 'ALREADY_ASKED', message: 'You asked for this on Friday', traceId: 't' }] };
  const { errors } = show(<Act />, { answer });
  fireEvent.click(screen.getByText('Who can help?'));
  fireEvent.click(await screen.findByText(/Ask Corin/));
  expect((await screen.findByRole('alert')).textContent).toBe('You asked for this on Friday');
  expect(errors).toEqual([]);
});

it('a person with the permission sees no obstacle', async () => {
  let done = 0;
  show(<Act on={{ access: contact }} onDone={() => (done += 1)} />);
  fireEvent.click(screen.getByText('Publish'));
  await waitFor(() => expect(done).toBe(1));
  expect(screen.queryByText('Who can help?')).toBeNull();
});

it('a person without a second factor adds one from where they are', () => {
  const askForSecondFactor = vi.fn();
  const session = aSession({ person: aPerson({ mfa: false, hasSecondFactor: false, privilegesNeedFactor: true }) });
  const account = { ...session.account!, permissions: ['roas-update' as const] };
  show(<Act />, { session: { ...session, account }, kit: { askForSecondFactor } });
  expect(screen.getByText('MFA is not enabled!')).toBeTruthy();
  expect(screen.queryByText('Who can help?')).toBeNull();
  fireEvent.click(screen.getByText('Add a second factor'));
  expect(askForSecondFactor).toHaveBeenCalledOnce();
});
