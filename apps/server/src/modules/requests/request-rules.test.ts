import { monthsAfter } from '@portal/contract/days';
import { emptyForm, type RequestForm } from '@portal/contract/requests/request-form';
import { hdThreshold } from '@portal/number-resources';
import { describe, expect, test } from 'vitest';
import { readProfile } from '../../profile.ts';
import { type AccountFacts, judgeAsn, judgeIpv4, judgeIpv6, judgeNeed, judgeParts, type PartFacts } from './request-rules.ts';

const policy = readProfile('').requestPolicy;
const facts: AccountFacts = {
  accountStatus: 'open',
  accountType: 'regular',
  today: '2026-11-22',
  overdueInvoice: false,
  silentIrt: null,
  lastPool: 0n,
  ipv4: 0n,
  ipv4Used: 0n,
  ipv4Current: 0n,
  ipv6: [],
  asns: 0,
  open: null,
  twoByteLeft: true,
};
type Given = { form?: Partial<RequestForm>; facts?: Partial<AccountFacts> };
const ipv4 = ({ form, facts: known }: Given) => judgeIpv4({ ...emptyForm, length: 24, ...form }, { ...facts, ...known }, policy);
const ipv6 = ({ form, facts: known }: Given) => judgeIpv6({ ...emptyForm, length: 32, ...form }, { ...facts, ...known }, policy);
const asn = ({ form, facts: known }: Given) => judgeAsn({ ...emptyForm, ...form }, { ...facts, ...known }, policy);
const plan = (...amounts: number[]) => [{ purpose: 'Access', amounts }];
const asns = (count: number) => Array.from({ length: count }, (_, index) => ({ asn: `AS${64496 + index}`, name: '' }));

const rows: readonly [rule: string, check: string, given: () => ReturnType<typeof ipv4>, state: string][] = [
  ['a /25 is too small', 'size', () => ipv4({ form: { path: 'lir', length: 25 } }), 'unmet'],
  ['a /24 is the smallest block', 'size', () => ipv4({ form: { path: 'lir', length: 24 } }), 'met'],
  ['a /23 is allowed', 'size', () => ipv4({ form: { path: 'lir', length: 23 } }), 'met'],
  ['a /23 fits under the limit', 'limit', () => ipv4({ form: { path: 'lir', length: 23 } }), 'met'],
  ['a /24 fits beside a /24', 'limit', () => ipv4({ form: { path: 'lir', length: 24 }, facts: { lastPool: 256n } }), 'met'],
  [
    'a /24 does not fit beside more than a /24',
    'limit',
    () => ipv4({ form: { path: 'lir', length: 24 }, facts: { lastPool: 257n } }),
    'unmet',
  ],
  ['a /22 does not fit', 'limit', () => ipv4({ form: { path: 'lir', length: 22 } }), 'unmet'],
  ['255 addresses needed now are looked at', 'need-now', () => ipv4({ form: { path: 'lir', plan: plan(255, 0, 512) } }), 'review'],
  ['256 addresses needed now', 'need-now', () => ipv4({ form: { path: 'lir', plan: plan(256, 0, 512) } }), 'met'],
  ['257 addresses needed now', 'need-now', () => ipv4({ form: { path: 'lir', plan: plan(257, 0, 512) } }), 'met'],
  ['511 addresses within a year are looked at', 'need-year', () => ipv4({ form: { path: 'lir', plan: plan(256, 0, 511) } }), 'review'],
  ['512 addresses within a year', 'need-year', () => ipv4({ form: { path: 'lir', plan: plan(256, 0, 512) } }), 'met'],
  ['513 addresses within a year', 'need-year', () => ipv4({ form: { path: 'lir', plan: plan(256, 0, 513) } }), 'met'],
  ['63 of 256 immediately are less than 25 %', 'use-now', () => ipv4({ form: { path: 'multihoming', plan: plan(63, 0, 128) } }), 'review'],
  ['64 of 256 immediately are 25 %', 'use-now', () => ipv4({ form: { path: 'multihoming', plan: plan(64, 0, 128) } }), 'met'],
  ['65 of 256 immediately are more', 'use-now', () => ipv4({ form: { path: 'multihoming', plan: plan(65, 0, 128) } }), 'met'],
  ['127 of 256 in a year are less than 50 %', 'use-year', () => ipv4({ form: { path: 'multihoming', plan: plan(64, 0, 127) } }), 'review'],
  ['128 of 256 in a year are 50 %', 'use-year', () => ipv4({ form: { path: 'multihoming', plan: plan(64, 0, 128) } }), 'met'],
  ['129 of 256 in a year are more', 'use-year', () => ipv4({ form: { path: 'multihoming', plan: plan(64, 0, 129) } }), 'met'],
  [
    'multihomed a day before six months are over',
    'multihomed',
    () => ipv4({ form: { path: 'multihoming', multihomed: 'planned', startsOn: '2027-05-21' } }),
    'met',
  ],
  [
    'multihomed in six months',
    'multihomed',
    () => ipv4({ form: { path: 'multihoming', multihomed: 'planned', startsOn: '2027-05-22' } }),
    'met',
  ],
  [
    'multihomed a day after six months',
    'multihomed',
    () => ipv4({ form: { path: 'multihoming', multihomed: 'planned', startsOn: '2027-05-23' } }),
    'unmet',
  ],
  ['an exchange gets no /27', 'size', () => ipv4({ form: { path: 'ixp', length: 27 } }), 'unmet'],
  ['an exchange gets a /26', 'size', () => ipv4({ form: { path: 'ixp', length: 26 } }), 'met'],
  ['an exchange gets a /25', 'size', () => ipv4({ form: { path: 'ixp', length: 25 } }), 'met'],
  ['an exchange gets a /22', 'size', () => ipv4({ form: { path: 'ixp', length: 22 } }), 'met'],
  ['an exchange gets no /21', 'size', () => ipv4({ form: { path: 'ixp', length: 21 } }), 'unmet'],
  [
    'an exchange of two networks is looked at',
    'participants',
    () => ipv4({ form: { path: 'ixp', length: 26, neighbours: asns(2) } }),
    'review',
  ],
  ['an exchange of three networks', 'participants', () => ipv4({ form: { path: 'ixp', length: 26, neighbours: asns(3) } }), 'met'],
  ['an exchange of four networks', 'participants', () => ipv4({ form: { path: 'ixp', length: 26, neighbours: asns(4) } }), 'met'],
  ['an event gets no /25', 'size', () => ipv4({ form: { path: 'temporary', length: 25 } }), 'unmet'],
  ['an event gets a /24', 'size', () => ipv4({ form: { path: 'temporary', length: 24 } }), 'met'],
  ['an event gets a /22', 'size', () => ipv4({ form: { path: 'temporary', length: 22 } }), 'met'],
  ['an event gets a /21', 'size', () => ipv4({ form: { path: 'temporary', length: 21 } }), 'met'],
  ['an event gets no /20', 'size', () => ipv4({ form: { path: 'temporary', length: 20 } }), 'unmet'],
  [
    'an event of a day less than six months',
    'months',
    () => ipv4({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-07-30' } }),
    'met',
  ],
  ['an event of six months', 'months', () => ipv4({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-07-31' } }), 'met'],
  [
    'an event of six months and a day',
    'months',
    () => ipv4({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-08-01' } }),
    'unmet',
  ],
  ['an event gets no /49', 'size', () => ipv6({ form: { path: 'temporary', length: 49 } }), 'unmet'],
  ['an event gets a /48', 'size', () => ipv6({ form: { path: 'temporary', length: 48 } }), 'met'],
  ['an event gets a /47', 'size', () => ipv6({ form: { path: 'temporary', length: 47 } }), 'met'],
  ['an event gets a /30', 'size', () => ipv6({ form: { path: 'temporary', length: 30 } }), 'met'],
  ['an event gets a /29', 'size', () => ipv6({ form: { path: 'temporary', length: 29 } }), 'met'],
  ['an event gets no /28', 'size', () => ipv6({ form: { path: 'temporary', length: 28 } }), 'unmet'],
  ['a /48 is the usual size for an event', 'usual', () => ipv6({ form: { path: 'temporary', length: 48 } }), 'met'],
  ['a /47 for an event is looked at', 'usual', () => ipv6({ form: { path: 'temporary', length: 47 } }), 'review'],
  [
    'IPv6 for an event of six months',
    'months',
    () => ipv6({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-07-31' } }),
    'met',
  ],
  [
    'IPv6 for an event of six months and a day',
    'months',
    () => ipv6({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-08-01' } }),
    'unmet',
  ],
  [
    'an AS number for an event of six months',
    'months',
    () => asn({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-07-31' } }),
    'met',
  ],
  [
    'an AS number for an event of six months and a day',
    'months',
    () => asn({ form: { path: 'temporary', startsOn: '2027-01-31', endsOn: '2027-08-01' } }),
    'unmet',
  ],
  ['an event that ends today', 'months', () => asn({ form: { path: 'temporary', startsOn: '2026-11-01', endsOn: '2026-11-22' } }), 'met'],
  [
    'an event that ended yesterday',
    'months',
    () => asn({ form: { path: 'temporary', startsOn: '2026-11-01', endsOn: '2026-11-21' } }),
    'unmet',
  ],
  ['a provider gets no /33', 'size', () => ipv6({ form: { path: 'lir', length: 33 } }), 'unmet'],
  ['a provider gets a /32', 'size', () => ipv6({ form: { path: 'lir', length: 32 } }), 'met'],
  ['a provider gets a /31', 'size', () => ipv6({ form: { path: 'lir', length: 31 } }), 'met'],
  ['an end site gets no /49', 'size', () => ipv6({ form: { path: 'end-site', length: 49 } }), 'unmet'],
  ['an end site gets no /47', 'size', () => ipv6({ form: { path: 'end-site', length: 47 } }), 'unmet'],
  ['an end site gets a /48', 'size', () => ipv6({ form: { path: 'end-site', length: 48 } }), 'met'],
  ['199 assignments are looked at', 'assignments', () => ipv6({ form: { path: 'lir', sites: 199 } }), 'review'],
  ['200 assignments', 'assignments', () => ipv6({ form: { path: 'lir', sites: 200 } }), 'met'],
  ['201 assignments', 'assignments', () => ipv6({ form: { path: 'lir', sites: 201 } }), 'met'],
  ['IPv4 stands for the assignments', 'assignments', () => ipv6({ form: { path: 'lir', sites: 0 }, facts: { ipv4Current: 256n } }), 'met'],
  ['announced a day before two years are over', 'announce', () => ipv6({ form: { path: 'lir', startsOn: '2028-11-21' } }), 'met'],
  ['announced in two years', 'announce', () => ipv6({ form: { path: 'lir', startsOn: '2028-11-22' } }), 'met'],
  ['announced a day after two years', 'announce', () => ipv6({ form: { path: 'lir', startsOn: '2028-11-23' } }), 'unmet'],
  [
    'a /31 one assignment short of the HD ratio',
    'larger',
    () => ipv6({ form: { path: 'lir', length: 31, sites: Number(hdThreshold(31)) - 1 } }),
    'review',
  ],
  ['a /31 at the HD ratio', 'larger', () => ipv6({ form: { path: 'lir', length: 31, sites: Number(hdThreshold(31)) } }), 'met'],
  ['a /31 above the HD ratio', 'larger', () => ipv6({ form: { path: 'lir', length: 31, sites: Number(hdThreshold(31)) + 1 } }), 'met'],
  [
    'more space below the HD ratio',
    'ratio',
    () =>
      ipv6({
        form: { path: 'subsequent', length: 31 },
        facts: { ipv6: [{ resource: '3fff::/32', length: 32, used56: hdThreshold(32) - 1n }] },
      }),
    'review',
  ],
  [
    'more space at the HD ratio',
    'ratio',
    () =>
      ipv6({ form: { path: 'subsequent', length: 31 }, facts: { ipv6: [{ resource: '3fff::/32', length: 32, used56: hdThreshold(32) }] } }),
    'met',
  ],
  [
    'more space above the HD ratio',
    'ratio',
    () =>
      ipv6({
        form: { path: 'subsequent', length: 31 },
        facts: { ipv6: [{ resource: '3fff::/32', length: 32, used56: hdThreshold(32) + 1n }] },
      }),
    'met',
  ],
  [
    'more space that is no more',
    'size',
    () => ipv6({ form: { path: 'subsequent', length: 32 }, facts: { ipv6: [{ resource: '3fff::/32', length: 32, used56: 0n }] } }),
    'unmet',
  ],
  ['no network to connect to', 'neighbours', () => asn({ form: { neighbours: [] } }), 'open'],
  ['one network to connect to', 'neighbours', () => asn({ form: { neighbours: asns(1) } }), 'met'],
  ['two networks to connect to', 'neighbours', () => asn({ form: { neighbours: asns(2) } }), 'met'],
  ['two bytes where none is left', 'two-byte', () => asn({ form: { twoByte: true }, facts: { twoByteLeft: false } }), 'unmet'],
  ['a suspended account', 'open', () => asn({ facts: { accountStatus: 'suspended' } }), 'unmet'],
  ['an overdue invoice', 'invoices', () => asn({ facts: { overdueInvoice: true } }), 'unmet'],
  ['a silent abuse mailbox', 'abuse-contact', () => asn({ facts: { silentIrt: 'IRT-A' } }), 'unmet'],
  ['a second request of a kind', 'single', () => asn({ facts: { open: 'REQ-1' } }), 'unmet'],
];

test.each(rows)('%s: %s', (_, checkId, given, state) => {
  expect(given().find(check => check.checkId === checkId)?.state).toBe(state);
});

test('two AS numbers have no fee, and each further one has', () => {
  expect([0, 1, 2, 3].map(held => asn({ facts: { asns: held } }).find(({ checkId }) => checkId === 'asns')!.known)).toEqual([
    '0: this one has no fee',
    '1: this one has no fee',
    '2: each further one has a yearly fee',
    '3: each further one has a yearly fee',
  ]);
});

test('need for 24 months is what is planned and not free today', () => {
  const need = (planned: number, free: bigint) =>
    judgeNeed({ ...emptyForm, plan: plan(0, 0, 0, 0, planned) }, { ...facts, ipv4: free }, 2, policy).find(
      ({ checkId }) => checkId === 'need',
    )!.state;
  expect([need(511, 0n), need(512, 0n), need(513, 0n), need(767, 256n), need(768, 256n)]).toEqual([
    'review',
    'met',
    'met',
    'review',
    'met',
  ]);
});

describe('what moves', () => {
  const part = (given: Partial<PartFacts>): PartFacts => ({
    resource: '198.18.0.0/24',
    kind: 'ipv4',
    lengths: [24],
    restLengths: [],
    holdUntil: null,
    purpose: null,
    status: 'active',
    historical: false,
    ownLock: false,
    ...given,
  });
  const stateOf = (checkId: string, given: Partial<PartFacts>, kind: 'transfer' | 'acquisition' | 'return' = 'transfer') =>
    judgeParts(kind, [part(given)], { today: '2026-11-22', locked: false }, policy).find(check => check.checkId === checkId)?.state;

  test('is at least a /24, and so is what stays', () => {
    expect([[25], [24], [23]].map(lengths => stateOf('smallest', { lengths }))).toEqual(['unmet', 'met', 'met']);
    expect([[23, 25], [24], [22]].map(restLengths => stateOf('rest', { restLengths }))).toEqual(['unmet', 'met', 'met']);
  });
  test('was held for five years, but may be returned earlier', () => {
    expect(['2026-11-21', '2026-11-22', '2026-11-23'].map(holdUntil => stateOf('hold', { holdUntil }))).toEqual(['met', 'met', 'unmet']);
    expect(stateOf('hold', { holdUntil: '2026-11-23' }, 'return')).toBeUndefined();
  });
  test('is IPv6 only after a merger, and historical space takes a look', () => {
    expect(stateOf('no-ipv6', { kind: 'ipv6', lengths: [32] })).toBe('unmet');
    expect(stateOf('no-ipv6', { kind: 'ipv6', lengths: [32] }, 'acquisition')).toBeUndefined();
    expect(stateOf('historical', { historical: true })).toBe('review');
    expect(stateOf('unlocked', { status: 'locked' })).toBe('unmet');
    expect(['transfer', 'acquisition', 'return'].map(kind => stateOf('own-lock', { ownLock: true }, kind as 'return'))).toEqual([
      'unmet',
      'unmet',
      'unmet',
    ]);
    expect(stateOf('own-lock', {})).toBeUndefined();
  });
  test('is not what was delegated for one use, which can only be returned', () => {
    expect([null, 'exchange', 'temporary'].map(purpose => stateOf('purpose', { purpose: purpose as PartFacts['purpose'] }))).toEqual([
      undefined,
      'unmet',
      'unmet',
    ]);
    expect(stateOf('purpose', { purpose: 'exchange' }, 'acquisition')).toBe('unmet');
    expect(stateOf('purpose', { purpose: 'exchange' }, 'return')).toBeUndefined();
  });
});

test('months end on the last day of a shorter month', () => {
  expect(monthsAfter('2026-08-31', 6)).toBe('2027-02-28');
  expect(monthsAfter('2026-11-22', 24)).toBe('2028-11-22');
});
