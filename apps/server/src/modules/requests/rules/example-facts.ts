import { emptyForm, type RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { emptySet } from '@portal/number-resources';
import { readProfile } from '../../../profile.ts';
import { labNumbersOf } from '../../resources/index.ts';
import type { AccountFacts } from './account.ts';

/** The policy of the example registry. */
const profile = readProfile('');
export const policy = profile.requestPolicy;

/** An open account that holds nothing. */
export const facts: AccountFacts = {
  accountStatus: 'open',
  accountType: 'regular',
  memberSince: '2021-03-02',
  today: '2026-11-22',
  sentOn: '2026-11-22',
  overdueInvoice: false,
  restrained: false,
  silentIrt: null,
  abuseMailbox: 'abuse@northnet.example',
  unvalidatedMailbox: null,
  validMailboxes: [],
  asksValidation: false,
  lastPool: 0n,
  ipv4: 0n,
  ipv4Used: 0n,
  ipv4Current: 0n,
  ipv6: [],
  asns: 0,
  freeAsns: 2,
  ownAsns: emptySet,
  lab: labNumbersOf(profile),
  exchanges: [],
  events: [],
  eventsInUse: 0n,
  open: null,
  twoByteLeft: true,
};

/** A test case as differences from an empty form and an account without holdings. */
export type Given = { form?: Partial<RequestForm>; facts?: Partial<AccountFacts> };

/** A test case: its description, the check, the input, and the expected state. */
export type Case = readonly [rule: string, check: string, given: () => readonly RequestCheck[], state: RequestCheck['state']];

/** The state of one check; undefined if it wasn't made. */
export const stateIn = (checks: readonly RequestCheck[], checkId: string): RequestCheck['state'] | undefined =>
  checks.find(check => check.checkId === checkId)?.state;

/** A plan for one purpose: addresses at each of its dates. */
export const plan = (...amounts: number[]): RequestForm['plan'] => [{ purpose: 'Access', amounts }];

/** Networks to connect to. */
export const neighbours = (count: number): RequestForm['neighbours'] =>
  Array.from({ length: count }, (_, index) => ({ asn: `AS${64496 + index}`, name: '' }));

/** An empty form with the given fields. */
export const formOf = (given: Partial<RequestForm> = {}): RequestForm => ({ ...emptyForm, ...given });
