import { show } from '@portal/app-kit/testing';
import type { RequestForm } from '@portal/contract/requests/request-form';
import type { TransferPlan } from '@portal/contract/requests/requests';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { MovePlan } from './MovePlan.tsx';
import { RoutingSteps } from './RoutingSteps.tsx';

const plan: TransferPlan = {
  moves: ['198.18.8.0/22'],
  keeps: ['198.18.0.0/21'],
  effects: [
    { what: 'delegation', name: '198.18.8.0/22', today: 'Part of 198.18.0.0/19', act: 'moves', on: 'Delegated to OTHER-SG', plan: null },
    { what: 'registration', name: '198.18.8.0/24', today: 'HOSTING-1', act: 'moves', on: 'Registered by OTHER-SG', plan: 'move' },
    { what: 'roa', name: 'AS64500 198.18.8.0/22', today: 'Covers this space', act: 'ends', on: 'Removed', plan: 'end' },
  ],
  more: 0,
  fee: null,
  announcements: {
    collectedAt: '2026-11-26T06:00:00.000Z',
    rows: [
      { prefix: '198.18.8.0/24', asn: 65536, peers: 41, before: 'valid', after: 'not-found', moves: true },
      { prefix: '198.18.0.0/21', asn: 64500, peers: 1, before: 'valid', after: 'valid', moves: false },
    ],
    total: 2,
  },
  typicalDays: null,
};

it('chooses what happens to each object, explains the choices, and goes back to what is suggested', async () => {
  let plans: RequestForm['plans'] = [{ what: 'roa', name: 'other', act: 'hold' }];
  show(<MovePlan plan={plan} holdDays={12} asks="REQ-8" onPlan={change => (plans = change(plans))} />);
  expect(screen.getByText(/has it for 12 days/)).toBeTruthy();
  const choice = screen.getByRole('radiogroup', { name: 'Plan for AS64500 198.18.8.0/22' });
  expect(within(choice).getByRole<HTMLInputElement>('radio', { name: 'End' }).checked).toBe(true);
  await userEvent.click(within(choice).getByRole('radio', { name: 'Hold' }));
  expect(plans).toEqual([
    { what: 'roa', name: 'other', act: 'hold' },
    { what: 'roa', name: 'AS64500 198.18.8.0/22', act: 'hold' },
  ]);
  // What has no choice says what happens.
  expect(screen.queryByRole('radiogroup', { name: 'Plan for 198.18.8.0/22' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Suggested plan' }));
  expect(plans).toEqual([]);
});

it('says what each object needs before completion, and counts it', () => {
  const route = {
    what: 'route',
    name: '198.18.8.0/24AS65536',
    today: 'route',
    act: 'ends',
    on: 'Deleted from whois',
    plan: 'end',
  } as const;
  const roa = { ...route, what: 'roa', name: 'AS65536 198.18.8.0/24', plan: 'move' } as const;
  show(<MovePlan plan={{ ...plan, effects: [...plan.effects, route, roa] }} holdDays={12} asks="REQ-8" onPlan={() => {}} />);
  const checkOf = (name: RegExp): string => within(screen.getByRole('row', { name })).getAllByRole('cell').at(-1)!.textContent!.trim();
  expect(checkOf(/^198\.18\.8\.0\/22 Delegation/)).toBe('No ROA afterwards');
  expect(checkOf(/HOSTING-1/)).toBe('Ready');
  expect(checkOf(/AS65536 Route/)).toBe('No ROA afterwards');
  expect(screen.getByText('3 need attention')).toBeTruthy();
});

it('says that the account closes before all else, however much there is', () => {
  const many = Array.from({ length: 70 }, (_, index) => ({ ...plan.effects[1]!, name: `198.18.8.${index}/32` }));
  const closes = {
    what: 'account',
    name: 'EXAMPLE-AU',
    today: 'Open',
    act: 'ends',
    on: 'EXAMPLE-AU closes when the transfer completes',
    plan: null,
  } as const;
  show(<MovePlan plan={{ ...plan, effects: [...plan.effects, ...many, closes] }} holdDays={12} asks="REQ-8" />);
  expect(screen.getByText('EXAMPLE-AU closes when the transfer completes')).toBeTruthy();
});

it('is read without choices once it was sent', () => {
  show(<MovePlan plan={plan} holdDays={12} asks="REQ-8" />);
  expect(screen.queryByRole('radiogroup')).toBeNull();
  expect(screen.queryByText(/has it for 12 days/)).toBeNull();
  expect(screen.getAllByText('Moves')).toHaveLength(2);
});

it('shows the state of each announcement at every step, and counts those that get worse', () => {
  show(<RoutingSteps plan={plan} steps={['Sent', 'Acknowledged']} />);
  expect(screen.getByText('1 announcement gets worse')).toBeTruthy();
  const row = screen.getByRole('row', { name: /198\.18\.8\.0\/24/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['Valid', 'Valid', 'Not found', 'Not found']);
  expect(screen.queryByRole('heading', { name: 'No gap' })).toBeNull();
});

it('says of an announcement of which a part moves what of it stays', () => {
  const row = { prefix: '198.18.0.0/20', asn: 64_500, peers: 3, before: 'valid', after: 'not-found', moves: true } as const;
  const keeps = ['198.18.0.0/21', '198.18.12.0 - 198.18.31.255'];
  const { unmount } = show(
    <RoutingSteps
      plan={{ ...plan, keeps: ['198.18.0.0/21', '198.18.12.0/22'], announcements: { ...plan.announcements, rows: [row], total: 1 } }}
      steps={['Sent']}
    />,
  );
  expect(screen.getByText(/splits, seen by 3 peers/).textContent).toBe('splits, seen by 3 peers. 198.18.0.0/21, 198.18.12.0/22 stay');
  unmount();
  show(
    <RoutingSteps
      plan={{ ...plan, keeps, announcements: { ...plan.announcements, rows: [{ ...row, moves: false }], total: 1 } }}
      steps={['Sent']}
    />,
  );
  expect(screen.getByText('stays, seen by 3 peers')).toBeTruthy();
});

it('promises no gap only where every announcement stays as good as it was', () => {
  const { rows } = plan.announcements;
  show(<RoutingSteps plan={{ ...plan, announcements: { ...plan.announcements, rows: rows.slice(1), total: 1 } }} steps={['Sent']} />);
  expect(screen.getByRole('heading', { name: 'No gap' })).toBeTruthy();
  show(<RoutingSteps plan={{ ...plan, announcements: { collectedAt: null, rows: [], total: 0 } }} steps={['Sent']} />);
  expect(screen.getByText(/No table of BGP says what is announced/)).toBeTruthy();
  const unseen = { ...plan, announcements: { collectedAt: null, rows: [], total: 0 } };
  show(<RoutingSteps plan={{ ...unseen, moves: ['AS64500'] }} steps={['Sent']} />);
  expect(screen.getByText(/^AS numbers move: who may announce/)).toBeTruthy();
  show(<RoutingSteps plan={{ ...unseen, moves: ['203.0.113.0/24'] }} steps={['Sent']} isIncoming />);
  expect(screen.getByText(/space that another registry holds/)).toBeTruthy();
});
