import { elections, type StaffElection } from '@portal/contract/elections/elections';
import { describe, expect, test } from 'vitest';
import { bodyOf, emptyElection, fieldAt, problemsOfTimes, type TypedElection, typedOf } from './election-form.ts';

const typed = (given: Partial<TypedElection> = {}, windows: Partial<TypedElection['windows']> = {}): TypedElection => {
  const empty = emptyElection('Australia/Brisbane');
  return { ...empty, title: 'Council election', seats: '3', maxSelections: '3', ...given, windows: { ...empty.windows, ...windows } };
};
const vote = { opensAt: '2027-02-16T14:00', closesAt: '2027-03-02T16:30', url: 'https://vote.registry.example/ec' };
/** Returns the form's problems by field: the registry's rules, and those of times in a zone. */
const problemsOf = (given: TypedElection): Record<string, string> => {
  const issues = elections.addElection.body!.safeParse(bodyOf(given)).error?.issues ?? [];
  const times = Object.entries(problemsOfTimes(given)).flatMap(([field, message]) => (message ? [[field, message]] : []));
  return {
    ...Object.fromEntries(issues.map(({ path, message }) => [fieldAt(path.join('.'), given), message])),
    ...Object.fromEntries(times),
  };
};

describe('an election as it is typed', () => {
  test('times are on the clocks of the official zone; empty windows are none', () => {
    expect(bodyOf(typed({}, { 'member-vote': vote }))).toEqual({
      kind: 'ec',
      ballots: 'plain',
      title: 'Council election',
      description: '',
      seats: 3,
      maxSelections: 3,
      timeZone: 'Australia/Brisbane',
      conference: null,
      registrationCutOff: null,
      candidatesUrl: '',
      resultsUrl: '',
      windows: [{ kind: 'member-vote', opensAt: '2027-02-16T04:00:00.000Z', closesAt: '2027-03-02T06:30:00.000Z', url: vote.url }],
    });
  });

  test('all wrong fields are reported together', () => {
    const given = typed({ title: 'x', seats: 'three', candidatesUrl: 'javascript:alert(1)' }, { 'member-vote': { ...vote, closesAt: '' } });
    expect(problemsOf(given)).toEqual({
      title: 'Enter a title of at least 3 characters',
      'windows.member-vote.closesAt': 'Enter when voting of members closes',
      seats: 'Enter a number from 1 to 50',
      candidatesUrl: 'Enter an address that starts with https:// or http://',
    });
    expect(Object.keys(problemsOf(typed({}, { 'member-vote': { ...vote, closesAt: vote.opensAt } })))).toEqual([
      'windows.member-vote.closesAt',
    ]);
    expect(Object.keys(problemsOf(typed({ timeZone: 'Brisbane' }, { 'member-vote': vote })))).toEqual(['timeZone']);
  });

  test('a time over which clocks are turned forward is refused with its reason', () => {
    const given = typed({ timeZone: 'Australia/Sydney' }, { 'member-vote': { ...vote, opensAt: '2026-10-04T02:30' } });
    expect(problemsOf(given)).toEqual({
      'windows.member-vote.opensAt': 'Clocks in Australia/Sydney go forward over this time. Choose another',
    });
  });

  test('fields of another kind are left out', () => {
    const attendees = { ...vote, url: 'https://vote.registry.example/attendees' };
    const chair = typed({ kind: 'sig', conference: 'CONF-63', registrationCutOff: '2027-02-16T10:00' }, { 'attendee-vote': attendees });
    expect(bodyOf(chair)).toMatchObject({ conference: 'CONF-63', registrationCutOff: '2027-02-16T00:00:00.000Z' });
    expect(bodyOf({ ...chair, kind: 'resolution' })).toMatchObject({
      conference: null,
      registrationCutOff: null,
      seats: null,
      maxSelections: null,
      windows: [],
    });
  });

  test('on encrypted ballots members and proxies vote in the portal, and there are no attendees', () => {
    const other = { ...vote, url: 'https://vote.example' };
    const body = bodyOf(
      typed({ ballots: 'encrypted' }, { 'member-vote': other, 'proxy-vote': other, 'proxy-appoint': vote, 'attendee-vote': other }),
    );
    expect(body.ballots).toBe('encrypted');
    expect(body.windows.map(({ kind, url }) => [kind, url])).toEqual([
      ['proxy-appoint', ''],
      ['member-vote', ''],
      ['proxy-vote', ''],
    ]);
  });

  test('an election goes into the form and comes back the same', () => {
    const body = bodyOf(typed({ description: 'Three seats', resultsUrl: 'https://www.registry.example/r' }, { 'member-vote': vote }));
    const election: StaffElection = {
      ...body,
      ballots: 'plain',
      setUpAt: null,
      firstSetUpAt: null,
      electionId: '1',
      version: 1,
      state: 'draft',
      generation: 1,
      windows: body.windows.map(window => ({ ...window, state: 'not-yet-open', words: '' })),
      publishedAt: null,
      cancelledAt: null,
      cancelReason: '',
    };
    expect(bodyOf(typedOf(election))).toEqual(body);
  });
});
