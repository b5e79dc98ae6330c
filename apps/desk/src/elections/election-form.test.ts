import type { StaffElection } from '@portal/contract/elections/elections';
import { describe, expect, test } from 'vitest';
import { emptyElection, readTyped, type TypedElection, typedOf } from './election-form.ts';

const typed = (given: Partial<TypedElection> = {}, windows: Partial<TypedElection['windows']> = {}): TypedElection => {
  const empty = emptyElection('Australia/Brisbane');
  return { ...empty, title: 'Council election', seats: '3', maxSelections: '3', ...given, windows: { ...empty.windows, ...windows } };
};
const vote = { opensAt: '2027-02-16T14:00', closesAt: '2027-03-02T16:30', url: 'https://vote.registry.example/ec' };
const problemsOf = (given: TypedElection) => {
  const read = readTyped(given);
  return 'problems' in read ? read.problems.map(({ field }) => field) : [];
};

describe('an election as it is typed', () => {
  test('times are on the clocks of the official zone; empty windows are none', () => {
    expect(readTyped(typed({}, { MEMBER_VOTE: vote }))).toEqual({
      values: {
        kind: 'EC',
        title: 'Council election',
        description: '',
        seats: 3,
        maxSelections: 3,
        timeZone: 'Australia/Brisbane',
        conference: null,
        registrationCutOff: null,
        candidatesUrl: '',
        resultsUrl: '',
        windows: [{ kind: 'MEMBER_VOTE', opensAt: '2027-02-16T04:00:00.000Z', closesAt: '2027-03-02T06:30:00.000Z', url: vote.url }],
      },
    });
  });

  test('what is wrong is said of every field at once', () => {
    const given = typed({ title: 'x', seats: 'three', candidatesUrl: 'javascript:alert(1)' }, { MEMBER_VOTE: { ...vote, closesAt: '' } });
    expect(problemsOf(given)).toEqual(['title', 'windows.MEMBER_VOTE.closesAt', 'seats', 'candidatesUrl']);
    expect(problemsOf(typed({}, { MEMBER_VOTE: { ...vote, closesAt: vote.opensAt } }))).toEqual(['windows.MEMBER_VOTE.closesAt']);
    expect(problemsOf(typed({ timeZone: 'Brisbane' }))).toEqual(['timeZone']);
  });

  test('a time over which clocks are turned forward is refused with its reason', () => {
    const given = typed({ timeZone: 'Australia/Sydney' }, { MEMBER_VOTE: { ...vote, opensAt: '2026-10-04T02:30' } });
    expect(readTyped(given)).toEqual({
      problems: [
        { field: 'windows.MEMBER_VOTE.opensAt', message: 'There is no such time in Australia/Sydney: clocks are turned forward then' },
      ],
    });
  });

  test('what another kind had is left out', () => {
    const attendees = { ...vote, url: 'https://vote.registry.example/attendees' };
    const chair = typed({ kind: 'SIG', conference: 'CONF-63', registrationCutOff: '2027-02-16T10:00' }, { ATTENDEE_VOTE: attendees });
    expect(readTyped(chair)).toMatchObject({ values: { conference: 'CONF-63', registrationCutOff: '2027-02-16T00:00:00.000Z' } });
    expect(readTyped({ ...chair, kind: 'RESOLUTION' })).toMatchObject({
      values: { conference: null, registrationCutOff: null, seats: null, maxSelections: null, windows: [] },
    });
  });

  test('an election goes into the form and comes back the same', () => {
    const read = readTyped(typed({ description: 'Three seats', resultsUrl: 'https://www.registry.example/r' }, { MEMBER_VOTE: vote }));
    if ('problems' in read) throw new Error('nothing is wrong with it');
    const election: StaffElection = {
      ...read.values,
      electionId: '1',
      version: 1,
      state: 'DRAFT',
      generation: 1,
      windows: read.values.windows.map(window => ({ ...window, state: 'NOT_YET_OPEN', words: '' })),
      publishedAt: null,
      cancelledAt: null,
      cancelReason: '',
    };
    expect(readTyped(typedOf(election))).toEqual(read);
  });
});
