import { aPerson, aSession, show } from '@portal/app-kit/testing';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { HeldRole, Staff, StaffMember } from '@portal/contract/roles/roles';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Leaving } from './Leaving.tsx';
import { leavesOn } from './staff-words.ts';

const role = (key: string, until: string | null = null): HeldRole => ({
  assignmentId: key,
  role: key,
  name: key === 'administrator' ? 'Administrator' : 'Hostmaster',
  startsAt: '2024-01-01T00:00:00.000Z',
  until,
  givenBy: null,
  group: null,
  givenAt: '2024-01-01T00:00:00.000Z',
  reason: 'Joins',
  reviewedAt: null,
  reviewedBy: null,
  isDue: false,
  secondFrom: null,
});
const member = (fullName: string, given: Partial<StaffMember>): StaffMember => ({
  loginId: fullName,
  username: fullName,
  fullName,
  email: `${fullName}@registry.example`,
  isMe: false,
  disabled: false,
  frozen: false,
  isInvited: false,
  passkeys: 1,
  authenticators: 0,
  lastUsedAt: null,
  sessions: 0,
  signIns: [],
  openCases: 0,
  roles: [role('hostmaster')],
  groupRefusals: [],
  ...given,
});
const inDays = (days: number): string => instantAfter(new Date(), days * DAY_MS);

function open(members: StaffMember[]) {
  const ended: string[] = [];
  show(<Leaving staff={{ members } as Staff} onEnd={loginId => ended.push(loginId)} />, {
    session: aSession({ account: null, person: aPerson({ userId: 'ola', staff: true, staffPermissions: ['staff'] }) }),
  });
  return ended;
}

it('who leaves soon is chosen, with what they hand over and the last day', async () => {
  const ended = open([
    member('Ola', { isMe: true, roles: [role('administrator')] }),
    member('Tomas', { roles: [role('administrator', inDays(9))], openCases: 3, sessions: 1 }),
  ]);
  expect(screen.getByText(/last day/)).toBeTruthy();
  expect(screen.getByText('3 open cases').parentElement?.textContent).toBe('3 open cases to hand over to a colleague, whom you choose');
  expect(screen.getByText('Administrators left:').parentElement?.textContent).toBe('Administrators left: Ola');
  await userEvent.click(screen.getByRole('button', { name: 'Hand over and end access' }));
  expect(ended).toEqual(['Tomas']);
});

it('anyone else can be chosen, and the last administrator is not left out of it', async () => {
  open([member('Ola', { isMe: true }), member('Ama', { roles: [role('administrator')] })]);
  expect(screen.getByText(/^Choose a person to see/)).toBeTruthy();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Person' }), 'Ama');
  expect(screen.getByText('Administrators left:').parentElement?.textContent).toMatch(/none\. Give another person the role first/);
  expect(screen.getByRole('button', { name: 'End access' })).toBeTruthy();
});

it('a person leaves when every role ends within two months', () => {
  const now = new Date('2026-11-20T00:00:00Z');
  const soon = '2026-12-31T00:00:00.000Z';
  expect(leavesOn({ roles: [role('hostmaster', '2026-12-01T00:00:00.000Z'), role('finance', soon)] }, now)).toBe(soon);
  expect(leavesOn({ roles: [role('hostmaster', soon), role('finance')] }, now)).toBeNull();
  expect(leavesOn({ roles: [role('hostmaster', '2027-06-30T00:00:00.000Z')] }, now)).toBeNull();
  expect(leavesOn({ roles: [] }, now)).toBeNull();
});
