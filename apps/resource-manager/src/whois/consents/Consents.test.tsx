import type { WhoisProblem } from '@portal/contract/whois/whois';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aRouter, show } from '@portal/app-kit/testing';
import { consent } from '../../../test/example-consent.ts';
import { AskForConsent } from './AskForConsent.tsx';
import { Consents } from './Consents.tsx';

const refusal = (code: string, maintainers: string[]): WhoisProblem => ({
  severity: 'error',
  code,
  attribute: null,
  line: null,
  message: code,
  maintainers,
  objects: [],
  count: 0,
});
const failed = (...problems: WhoisProblem[]) => ({ state: 'failed', problems });

test('an update that waits for the caller’s consent can be approved, or rejected with a reason', async () => {
  const { sent } = show(<Consents />, {
    answer: ({ endpoint }) =>
      endpoint === 'whois.consents.listConsents'
        ? { status: 200, data: { toAnswer: [consent], asked: [{ ...consent, consentId: 8, state: 'refused', reason: 'Not ours' }] } }
        : { status: 200, data: { consent: { ...consent, state: 'accepted' }, outcomes: [] } },
  });
  const list = await screen.findByRole('list', { name: 'Waiting for your consent' });
  expect(list.textContent).toContain('Olive Tan of OTHER-SG asks');
  expect(screen.getByRole('list', { name: 'Consent you requested' }).textContent).toMatch(/Rejected.*Not ours/);
  fireEvent.click(within(list).getByRole('button', { name: 'Reject' }));
  fireEvent.change(await screen.findByRole('textbox', { name: /Reason/ }), { target: { value: 'Unknown to us' } });
  fireEvent.click(screen.getByRole('button', { name: 'Reject request' }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'whois.consents.answerConsent',
      input: { account: 'EXAMPLE-AU', consentId: '7', body: { agree: false, reason: 'Unknown to us' } },
    }),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Approve' }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'whois.consents.answerConsent',
      input: { account: 'EXAMPLE-AU', consentId: '7', body: { agree: true, reason: '' } },
    }),
  );
});

test('consent can be requested only if it is all that is missing, from one other party', async () => {
  const router = aRouter();
  const origin = refusal('origin-not-authorised', ['MAINT-SG-OTHER']);
  const { sent, rerender } = show(<AskForConsent outcomes={[failed(origin)]} text="route: x" />, {
    router,
    answer: () => ({ status: 200, data: { outcomes: [], consent } }),
  });
  fireEvent.click(screen.getByRole('button', { name: 'Request consent' }));
  await waitFor(() => expect(router.went).toHaveLength(1));
  expect(sent).toContainEqual({ endpoint: 'whois.consents.askForConsent', input: { account: 'EXAMPLE-AU', body: { text: 'route: x' } } });
  rerender(<p />);
  for (const outcomes of [
    [],
    [failed(origin, refusal('prefix-not-authorised', ['MAINT-SG-OTHER']))],
    [failed(origin, refusal('attribute-missing', []))],
    [failed(origin), failed(refusal('irt-not-authorised', ['MAINT-NZ-OTHER']))],
    [failed(refusal('origin-not-authorised', []))],
    [failed(refusal('not-authorised', ['MAINT-SG-OTHER']))],
  ]) {
    const { unmount } = show(<AskForConsent outcomes={outcomes} text="" />);
    expect(screen.queryByRole('button')).toBeNull();
    unmount();
  }
});
