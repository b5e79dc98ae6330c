import { show } from '@portal/app-kit/testing';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import type { RequestEvent } from '@portal/contract/requests/requests';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CaseConversation } from './CaseConversation.tsx';
import { CaseSteps } from '../shell/cases/CaseSteps.tsx';
import { RequestAccount } from './RequestAccount.tsx';

let last = 0;
const event = (given: Partial<RequestEvent>): RequestEvent => ({
  eventId: String(++last),
  kind: 'message',
  at: '2026-11-24T10:11:00.000Z',
  by: 'Tess Lindqvist',
  byStaff: false,
  internal: false,
  party: null,
  words: 'Hello',
  ...given,
});
const request = (more: Partial<StaffResourceRequest>): StaffResourceRequest =>
  ({
    requestId: '8',
    accountName: 'EXAMPLE-AU',
    recipientName: null,
    events: [],
    earlier: { approved: 1, rejected: 0 },
    fee: null,
    holdings: [],
    lockedParts: [],
    orgName: 'Example Networks Pty Ltd',
    accountStatus: 'open',
    reviewer: null,
    ...more,
  }) as StaffResourceRequest;
const said = () => within(screen.getByRole('list', { name: 'Conversation' })).getAllByRole('listitem');

it('the conversation can be narrowed to one side, each with its count; what is internal is not in it', async () => {
  const events = [
    event({ kind: 'submitted', words: '' }),
    event({ words: 'The contract is attached', party: 'EXAMPLE-AU' }),
    event({ words: 'Thank you', byStaff: true, by: 'Stella Kowalski' }),
    event({ words: 'We are ready', party: 'OTHER-SG', by: 'Olive Tan' }),
    event({ words: 'Checked by telephone', byStaff: true, internal: true }),
  ];
  show(<CaseConversation request={request({ recipientName: 'OTHER-SG', events })} onAdded={() => undefined} />);
  expect(said()).toHaveLength(3);
  fireEvent.click(await screen.findByRole('radio', { name: 'OTHER-SG 1' }));
  expect(said().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('We are ready')]);
  fireEvent.click(screen.getByRole('radio', { name: 'Registry 1' }));
  expect(said().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Thank you')]);
  fireEvent.click(screen.getByRole('radio', { name: 'All 3' }));
  expect(said()).toHaveLength(3);
});

it('a conversation of one side has nothing to narrow', () => {
  show(<CaseConversation request={request({ events: [event({ words: 'The contract is attached' })] })} onAdded={() => undefined} />);
  expect(said()).toHaveLength(1);
  expect(screen.queryByRole('radio')).toBeNull();
});

it('a long history shows the latest steps, and all when asked', () => {
  show(<CaseSteps events={Array.from({ length: 9 }, (_, at) => event({ kind: at === 0 ? 'submitted' : 'message' }))} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(6);
  expect(screen.queryByText(/Sent by/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'All 9' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(9);
  expect(screen.getByText(/Sent by/)).toBeTruthy();
});

it('beside a request it is drawn which parts of each block are used, with the same in words', () => {
  const parts = Array.from({ length: 16 }, (_, at) => (at < 12 ? 1 : at === 12 ? 0.5 : 0));
  const block = { resource: '198.19.44.0/24', kind: 'ipv4' as const, size: '256', used: '200', parts, holdUntil: null };
  show(<RequestAccount request={request({ holdings: [{ ...block, resource: 'AS64500', kind: 'asn', parts: null }, block] })} />);
  const strip = screen.getByRole('img', { name: /^Used of each sixteenth, in the order of addresses: 100 %, / });
  expect([...strip.children].map(part => (part as HTMLElement).style.getPropertyValue('--used'))).toEqual(
    parts.map(part => `${part * 100}%`),
  );
  expect(screen.getByText('78 % used')).toBeTruthy();
  expect(screen.getAllByRole('img')).toHaveLength(1);
});
