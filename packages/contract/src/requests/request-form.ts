import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { severalLines } from '../several-lines.ts';

/** Kinds of requests of a member, hand-overs included. */
export const requestKinds = {
  ipv4: 'IPv4 addresses',
  ipv6: 'IPv6 addresses',
  asn: 'AS number',
  'pre-approval': 'IPv4 pre-approval',
  return: 'Return of resources',
  transfer: 'Transfer',
  acquisition: 'Merger or acquisition',
} as const;
export type RequestKind = keyof typeof requestKinds;
export const requestKindNames = Object.keys(requestKinds) as [RequestKind, ...RequestKind[]];
/** Kinds for which number resources are delegated from a pool. */
export const delegatingKinds = ['ipv4', 'ipv6', 'asn'] as const satisfies readonly RequestKind[];
export type DelegatingKind = (typeof delegatingKinds)[number];

/** Grounds for requesting resources: each has its own rules. */
export const requestPaths = {
  lir: 'Services for customers',
  multihoming: 'Own network with several upstreams',
  ixp: 'Internet exchange point',
  critical: 'Critical infrastructure',
  temporary: 'Event or experiment',
  'end-site': 'Own network',
  subsequent: 'More space for a network that grows',
} as const;
export type RequestPath = keyof typeof requestPaths;
const pathNames = ['', ...Object.keys(requestPaths)] as ['', ...RequestPath[]];

const day = z._default(z.union([calendarDay(), z.literal('')]), '');
const count = (most: number) => z.int({ error: 'Enter a whole number' }).check(z.minimum(0, { error: 'Enter 0 or more' }), z.maximum(most));

/** The regional registries, as the transfer log of the NRO spells them. */
export const regionalRegistries = ['AFRINIC', 'APNIC', 'ARIN', 'LACNIC', 'RIPE NCC'] as const;

/** One line of a plan: purpose, and the addresses needed at each point in time. */
export const PlanLine = z.object({
  purpose: z._default(z.string().check(z.maxLength(200)), ''),
  amounts: z._default(z.array(count(4_294_967_296)).check(z.maxLength(5)), []),
});
export type PlanLine = z.infer<typeof PlanLine>;

/** Months after today for which a plan says how many addresses are needed. */
export const planMonths = { ipv4: [0, 6, 12], 'pre-approval': [0, 6, 12, 18, 24] } as const;

/** Objects on a block that a transfer can treat one by one. */
export const plannedObjects = ['registration', 'roa', 'route', 'whois', 'reverse', 'contact', 'geofeed'] as const;
/** Plans of a transfer for an object: `move` hands it over, `end` deletes it, `hold` hands it over for a time, in which the recipient can keep it. */
export const objectPlans = ['move', 'end', 'hold'] as const;
export type ObjectPlan = (typeof objectPlans)[number];
/** The plan for one object, where it differs from the others of its kind. */
export const PlannedObject = z.object({
  what: z.enum(plannedObjects),
  name: z.string().check(z.maxLength(300)),
  act: z.enum(objectPlans),
});

/** The answers of a form. Which of them are used depends on the kind and the grounds; an unfinished draft is valid too. */
export const RequestForm = z.object({
  path: z._default(z.enum(pathNames), ''),
  /** Prefix length wanted. */
  length: z._default(count(128), 0),
  /** /24 blocks, of a pre-approval. */
  blocks: z._default(count(65_536), 0),
  plan: z._default(z.array(PlanLine).check(z.maxLength(40)), []),
  /** Space from a provider in use now, a prefix each line. */
  providerSpace: z._default(severalLines(1000), ''),
  multihomed: z._default(z.enum(['', 'now', 'planned', 'no']), ''),
  /** Networks to connect to: an AS number and its name each. */
  neighbours: z._default(
    z
      .array(
        z.object({
          asn: z._default(z.string().check(z.maxLength(20)), ''),
          name: z._default(z.string().check(z.maxLength(200)), ''),
        }),
      )
      .check(z.maxLength(30)),
    [],
  ),
  /** Customers or sites that get a /56 within two years. */
  sites: z._default(count(4_294_967_296), 0),
  /** When it will be announced, an event begins, or a return takes effect; and when an event ends. */
  startsOn: day,
  endsOn: day,
  /** Description of network and use, in words. */
  network: z._default(severalLines(4000), ''),
  reason: z._default(severalLines(2000), ''),
  prefixes: z._default(severalLines(1000), ''),
  twoByte: z._default(z.boolean(), false),
  customer: z._default(z.string().check(z.maxLength(200)), ''),
  /** Resources to hand over or return: prefixes, ranges, AS numbers. */
  resources: z._default(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(500)), []),
  /** Account that receives. */
  recipient: z._default(z.string().check(z.maxLength(60)), ''),
  /** Another registry that receives or gives, such as RIPE NCC; empty for an account of this one. */
  otherRegistry: z._default(z.string().check(z.maxLength(60)), ''),
  /** The account receives from another registry; `legalName` is the holder there. */
  incoming: z._default(z.boolean(), false),
  /** Registrations and whois objects below the block are transferred with it. */
  withRegistrations: z._default(z.boolean(), false),
  /** ROAs of the block are transferred, so that its announcements stay valid. */
  withRoas: z._default(z.boolean(), true),
  /** The recipient signs the ROAs that go along, and the providers stated for AS numbers. Each set is its own to take or decline. */
  takesRoas: z._default(z.boolean(), true),
  takesAspas: z._default(z.boolean(), false),
  /** Objects with a plan of their own. */
  plans: z._default(z.array(PlannedObject).check(z.maxLength(500)), []),
  /** Of a merger or acquisition. */
  occasion: z._default(z.enum(['', 'merger', 'acquisition', 'reorganisation']), ''),
  legalName: z._default(z.string().check(z.maxLength(255)), ''),
  registrationNumber: z._default(z.string().check(z.maxLength(60)), ''),
  closeAfter: z._default(z.boolean(), false),
  /** The recipient uses its pre-approval instead of a new plan. */
  usePreApproval: z._default(z.boolean(), false),
  /** How what is received appears in whois. Empty: as the account has it. `netname` is the `as-name` of an AS number. */
  netname: z._default(z.string().check(z.maxLength(80)), ''),
  adminContact: z._default(z.string().check(z.maxLength(30)), ''),
  techContact: z._default(z.string().check(z.maxLength(30)), ''),
  maintainer: z._default(z.string().check(z.maxLength(80)), ''),
  abuseMailbox: z._default(z.string().check(z.maxLength(254)), ''),
});
export type RequestForm = z.infer<typeof RequestForm>;
/** A form without answers. */
export const emptyForm: RequestForm = RequestForm.parse({});

/** A field that is missing or wrong, by its name in the form. */
export type FormProblem = { field: keyof RequestForm | 'documents' | 'truthful'; message: string };

const sumAt = (plan: readonly PlanLine[], index: number): number => plan.reduce((sum, line) => sum + (line.amounts[index] ?? 0), 0);
/** Addresses a plan needs at one of its points in time. */
export const plannedAt = sumAt;

/**
 * The month in which a plan needs as many addresses as a block has, in a straight line between its points in time; null if it never does, or needs them today.
 * @param months of the points in time, ascending @param amount addresses of the block
 */
export function fullInMonth(plan: readonly PlanLine[], months: readonly number[], amount: number): number | null {
  for (let place = 1; place < months.length; place++) {
    const [from, to] = [sumAt(plan, place - 1), sumAt(plan, place)];
    if (from >= amount) return null;
    if (to >= amount) return Math.ceil(months[place - 1]! + ((amount - from) / (to - from)) * (months[place]! - months[place - 1]!));
  }
  return null;
}
