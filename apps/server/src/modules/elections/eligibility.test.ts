import { type Permission, permissionKeys } from '@portal/contract';
import { describe, expect, test } from 'vitest';
import { attendeeEligibility, memberVoteEligibility, nominationEligibility, proxyEligibility, whyNot } from './eligibility.ts';

const url = 'https://vote.registry.example/ec';
const open = { state: 'open', words: 'Closes in 2 days', url } as const;
const early = { state: 'not-yet-open', words: 'Opens in 3 days', url } as const;
const over = { state: 'closed', words: 'Closed 4 days ago', url } as const;
const corporate = {
  accountName: 'EXAMPLE-AU',
  accountStatus: 'open',
  accountType: 'regular',
  contactTypes: ['corporate'],
  permissions: new Set<Permission>(permissionKeys),
  mfa: true,
  owes: false,
  proxy: null,
  votedBy: null,
};
const may = { reason: null, message: '', detail: '', url };

test('a refusal has one full stop between its sentences, and none at the end', () => {
  const why = (message: string, detail: string) => whyNot({ message, detail });
  expect(why('You are not eligible to vote in this election.', 'non member accounts can’t vote')).toBe(
    'You are not eligible to vote in this election. non member accounts can’t vote',
  );
  expect(why('MFA is not enabled!', 'Turn it on')).toBe('MFA is not enabled! Turn it on');
  expect(why('Ada is the proxy of A', 'An account has one')).toBe('Ada is the proxy of A. An account has one');
  expect(why('You are not eligible to vote in this election.', '')).toBe('You are not eligible to vote in this election');
  expect(why('Opens in 3 days', '')).toBe('Opens in 3 days');
});

describe('the vote of a contact for an account', () => {
  test('is possible while the window is open, and shows the link only then', () => {
    expect(memberVoteEligibility('ec', corporate, open)).toEqual(may);
    expect(memberVoteEligibility('ec', corporate, early)).toEqual({
      reason: 'NOT_OPEN',
      message: 'Opens in 3 days',
      detail: '',
      url: null,
    });
    expect(memberVoteEligibility('ec', corporate, over)).toEqual({ reason: 'CLOSED', message: 'Closed 4 days ago', detail: '', url: null });
  });

  const nobody = {
    ...corporate,
    accountType: 'non member',
    accountStatus: 'suspended',
    permissions: new Set<Permission>(),
    mfa: false,
  };
  test.each([
    ['the type of the account', {}, 'NOT_ELIGIBLE_TYPE', 'You are not eligible to vote in this election.'],
    ['good standing', { accountType: 'regular' }, 'NOT_IN_GOOD_STANDING', 'You are not eligible to vote in this election.'],
    [
      'good standing, with an invoice that was due',
      { accountType: 'regular', accountStatus: 'open', owes: true },
      'NOT_IN_GOOD_STANDING',
      'You are not eligible to vote in this election.',
    ],
    [
      'the permission',
      { accountType: 'regular', accountStatus: 'open' },
      'NO_VOTE_PERMISSION',
      'You do not have permission to vote on behalf of this account.',
    ],
    [
      'the second factor',
      { accountType: 'regular', accountStatus: 'open', permissions: corporate.permissions },
      'MFA_NOT_ENABLED',
      'MFA is not enabled!',
    ],
    [
      'the window',
      { accountType: 'regular', accountStatus: 'open', permissions: corporate.permissions, mfa: true },
      'NOT_OPEN',
      'Opens in 3 days',
    ],
  ] as const)('the first of several reasons is given: %s', (_what, better, reason, message) => {
    expect(memberVoteEligibility('ec', { ...nobody, ...better }, early)).toMatchObject({ reason, message, url: null });
  });

  test.each([
    ['regular', null],
    ['confed-isp', null],
    ['confed-nir', null],
    ['historical', 'NOT_ELIGIBLE_TYPE'],
    ['rir', 'NOT_ELIGIBLE_TYPE'],
    ['non member', 'NOT_ELIGIBLE_TYPE'],
    ['n/a', 'NOT_ELIGIBLE_TYPE'],
  ] as const)('an account of the type %s: %s', (accountType, reason) => {
    expect(memberVoteEligibility('ec', { ...corporate, accountType }, open).reason).toBe(reason);
    expect(proxyEligibility('ec', { ...corporate, accountType }, open).reason).toBe(reason);
  });

  test.each(['suspended', 'new', 'lost', 'prospect', 'n/a', 'closed'])('an account that is %s is not in good standing', accountStatus => {
    expect(memberVoteEligibility('ec', { ...corporate, accountStatus }, open)).toMatchObject({ reason: 'NOT_IN_GOOD_STANDING', url: null });
  });

  test('members do not vote for the chair of a special interest group', () => {
    expect(memberVoteEligibility('sig', corporate, open)).toMatchObject({ reason: 'NOT_ELIGIBLE_TYPE', url: null });
  });
});

describe('the appointment of a proxy', () => {
  test('is possible for a corporate contact while the window is open', () => {
    expect(proxyEligibility('ec', corporate, open)).toEqual(may);
    expect(proxyEligibility('ec', corporate, over).reason).toBe('CLOSED');
    expect(proxyEligibility('ec', { ...corporate, mfa: false }, open).reason).toBe('MFA_NOT_ENABLED');
  });
  test('acceptance scenario 17: a contact who can only vote learns that a corporate contact is required', () => {
    const voter = { ...corporate, contactTypes: ['technical'], permissions: new Set<Permission>(['voting-vote']) };
    expect(memberVoteEligibility('ec', voter, open).reason).toBe(null);
    expect(proxyEligibility('ec', voter, open)).toMatchObject({
      reason: 'CORPORATE_ONLY',
      message: 'Sorry, you must be a corporate contact',
      url: null,
    });
  });
  test('a contact with the permission can appoint one without being corporate, and a corporate one without it can’t', () => {
    const given = { ...corporate, contactTypes: ['billing'], permissions: new Set<Permission>(['nominate-proxy']) };
    expect(proxyEligibility('ec', given, open).reason).toBe(null);
    expect(proxyEligibility('ec', { ...corporate, permissions: new Set<Permission>() }, open)).toMatchObject({
      reason: 'NO_PROXY_PERMISSION',
      message: 'You do not have permission to access this feature',
    });
  });
  test('acceptance scenario 15: a vote prevents it with the text of the specification, and a proxy prevents the direct vote', () => {
    expect(proxyEligibility('ec', { ...corporate, votedBy: 'Corin' }, open)).toMatchObject({
      reason: 'ALREADY_VOTED',
      message: 'Votes have already been cast for this account',
    });
    expect(memberVoteEligibility('ec', { ...corporate, votedBy: 'Corin' }, open).reason).toBe('ALREADY_VOTED');
    expect(memberVoteEligibility('ec', { ...corporate, proxy: 'Olive Tan' }, open).reason).toBe('PROXY_APPOINTED');
    expect(proxyEligibility('ec', { ...corporate, proxy: 'Olive Tan' }, open).reason).toBe('PROXY_APPOINTED');
  });
});

describe('the vote of an attendee', () => {
  const cutOff = '2027-02-22T00:00:00Z';
  const attendee = {
    conference: 'Example Conference 63',
    registeredAt: '2027-01-02T00:00:00Z',
    attendedBefore: 1,
    mfa: true,
    onRoll: null,
    votedAt: null,
  };

  test('a person who is registered and attended once before may vote, without an account', () => {
    expect(attendeeEligibility(attendee, cutOff, open)).toEqual(may);
    expect(attendeeEligibility(attendee, cutOff, early).reason).toBe('NOT_OPEN');
    expect(attendeeEligibility(attendee, cutOff, over).reason).toBe('CLOSED');
  });
  test.each([
    ['a second before the last time to register', '2027-02-21T23:59:59Z', null],
    ['exactly then', '2027-02-22T00:00:00Z', null],
    ['a second later', '2027-02-22T00:00:01Z', 'NOT_REGISTERED'],
    ['never', null, 'NOT_REGISTERED'],
  ] as const)('registered %s', (_when, registeredAt, reason) => {
    expect(attendeeEligibility({ ...attendee, registeredAt }, cutOff, open).reason).toBe(reason);
  });
  test('once frozen the roll decides, and a person who voted is not asked again', () => {
    const unlisted = { ...attendee, registeredAt: null, attendedBefore: 0 };
    expect(attendeeEligibility({ ...unlisted, onRoll: true }, cutOff, open)).toEqual(may);
    expect(attendeeEligibility({ ...attendee, onRoll: false }, cutOff, open).reason).toBe('NOT_REGISTERED');
    expect(attendeeEligibility({ ...attendee, onRoll: true, mfa: false }, cutOff, open).reason).toBe('MFA_NOT_ENABLED');
    expect(attendeeEligibility({ ...attendee, votedAt: '2027-02-22T01:00:00Z' }, cutOff, over).reason).toBe('ALREADY_VOTED');
  });
  test('reasons are given in order: registration, attendance, second factor, window', () => {
    const none = { ...attendee, registeredAt: null, attendedBefore: 0, mfa: false };
    const spec = 'You are not eligible to vote in this election.';
    expect(attendeeEligibility(none, cutOff, early)).toMatchObject({ reason: 'NOT_REGISTERED', message: spec });
    const registered = { ...none, registeredAt: attendee.registeredAt };
    expect(attendeeEligibility(registered, cutOff, early)).toMatchObject({ reason: 'NOT_ATTENDED', message: spec });
    expect(attendeeEligibility({ ...registered, attendedBefore: 2 }, cutOff, early)).toMatchObject({
      reason: 'MFA_NOT_ENABLED',
      message: 'MFA is not enabled!',
    });
  });
});

describe('the nomination', () => {
  test('while nominations are open', () => {
    expect(nominationEligibility('ec', corporate, open)).toEqual(may);
    expect(nominationEligibility('ec', corporate, early)).toMatchObject({ reason: 'NOT_OPEN', url: null });
    expect(nominationEligibility('ec', corporate, over)).toMatchObject({ reason: 'CLOSED', url: null });
  });
  test('for the Executive Council members nominate, for the Number Council and chairs anyone', () => {
    const none = { ...corporate, accountType: 'non member' };
    expect(nominationEligibility('ec', none, open)).toMatchObject({ reason: 'NOT_ELIGIBLE_TYPE', url: null });
    expect(nominationEligibility('ec', { ...corporate, accountStatus: 'suspended' }, open).reason).toBe('NOT_IN_GOOD_STANDING');
    expect(nominationEligibility('nro-nc', none, open)).toEqual(may);
    expect(nominationEligibility('sig', null, open)).toEqual(may);
  });
});
