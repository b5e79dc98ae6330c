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
/** Kinds that are decided by giving number resources out of a pool. */
export const delegatingKinds = ['ipv4', 'ipv6', 'asn'] as const satisfies readonly RequestKind[];
export type DelegatingKind = (typeof delegatingKinds)[number];

/** Grounds on which resources are asked for: each has rules of its own. */
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

/** One line of a plan: what for, and how many addresses at each point in time. */
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

/** The answers of a form. Which of them count depends on the kind and the grounds; an unfinished draft is valid too. */
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
  /** Registrations and whois objects below the block go along. */
  withRegistrations: z._default(z.boolean(), false),
  /** ROAs of the block go along, so that its announcements stay valid. */
  withRoas: z._default(z.boolean(), true),
  /** Objects with a plan of their own. */
  plans: z._default(z.array(PlannedObject).check(z.maxLength(500)), []),
  /** Of a merger or acquisition. */
  occasion: z._default(z.enum(['', 'merger', 'acquisition', 'reorganisation']), ''),
  legalName: z._default(z.string().check(z.maxLength(255)), ''),
  registrationNumber: z._default(z.string().check(z.maxLength(60)), ''),
  closeAfter: z._default(z.boolean(), false),
  /** The recipient uses its pre-approval instead of a new plan. */
  usePreApproval: z._default(z.boolean(), false),
});
export type RequestForm = z.infer<typeof RequestForm>;
/** A form without answers. */
export const emptyForm: RequestForm = RequestForm.parse({});

/** A field that is missing or wrong, by its name in the form. */
export type FormProblem = { field: keyof RequestForm | 'documents' | 'truthful'; message: string };

const sumAt = (plan: readonly PlanLine[], index: number): number => plan.reduce((sum, line) => sum + (line.amounts[index] ?? 0), 0);
/** Addresses a plan needs at one of its points in time. */
export const plannedAt = sumAt;

/** Says what is missing before a form of this kind can be sent. Whether policy allows it, is checked on the server. */
export function problemsOfForm(kind: RequestKind, form: RequestForm): FormProblem[] {
  const problems: FormProblem[] = [];
  const need = (field: FormProblem['field'], met: boolean, message: string): void => {
    if (!met) problems.push({ field, message });
  };
  if (kind === 'ipv4' || kind === 'ipv6') {
    need('path', form.path !== '', 'Choose what the addresses are for');
    need('length', form.length > 0, 'Choose a size');
  }
  if ((kind === 'ipv4' && form.path !== 'temporary' && form.path !== 'ixp') || kind === 'pre-approval')
    need(
      'plan',
      form.plan.some(({ purpose, amounts }) => purpose.trim() !== '' && amounts.some(amount => amount > 0)),
      'Enter at least one line with a purpose and a number of addresses',
    );
  if (['ipv4', 'ipv6', 'asn'].includes(kind) && form.path === 'temporary') {
    need('startsOn', form.startsOn !== '', 'Enter the first day');
    need('endsOn', form.endsOn !== '' && form.endsOn >= form.startsOn, 'Enter the last day, not before the first');
  }
  if (kind === 'ipv4' && form.path === 'multihoming')
    need('multihomed', form.multihomed !== '', 'Choose whether you connect to several networks');
  if (kind === 'ipv6' && form.path !== 'temporary') need('startsOn', form.startsOn !== '', 'Enter the day from which you will announce it');
  if (kind === 'asn') {
    need(
      'neighbours',
      form.neighbours.some(({ asn }) => asn.trim() !== ''),
      'Enter at least one network you connect to, such as AS64496',
    );
    need('multihomed', form.multihomed !== '', 'Choose whether you connect to several networks');
    if (form.twoByte) need('reason', form.reason.trim() !== '', 'Enter why a four-byte number can’t be used');
  }
  if (kind === 'pre-approval') need('blocks', form.blocks > 0, 'Enter a number of /24 blocks, such as 4');
  if (kind === 'transfer' && form.incoming) {
    need('resources', form.resources.length > 0, 'Enter at least one resource, such as 203.0.112.0/24');
    need('legalName', form.legalName.trim() !== '', 'Enter the organisation that holds them at the other registry');
    if (!form.usePreApproval) {
      need(
        'plan',
        form.plan.some(({ purpose, amounts }) => purpose.trim() !== '' && amounts.some(amount => amount > 0)),
        'Enter at least one line with a purpose and a number of addresses, or use your pre-approval',
      );
      need('network', form.network.trim().length >= 20, 'Describe the network in a sentence or more');
    }
  }
  const registry = form.otherRegistry.trim();
  if (kind === 'transfer' && (form.incoming || registry !== ''))
    need(
      'otherRegistry',
      (regionalRegistries as readonly string[]).includes(registry),
      `Choose the other registry: ${regionalRegistries.join(', ')}`,
    );
  if (kind === 'ipv4' || kind === 'ipv6' || kind === 'asn' || kind === 'pre-approval')
    need('network', form.network.trim().length >= 20, 'Describe the network in a sentence or more');
  if (kind === 'return' || (kind === 'transfer' && !form.incoming) || kind === 'acquisition') {
    need('resources', form.resources.length > 0, 'Choose at least one resource');
    need('reason', form.reason.trim() !== '', 'Enter a reason');
  }
  if (kind === 'return') need('startsOn', form.startsOn !== '', 'Enter the day from which nothing uses them any more');
  if ((kind === 'transfer' && !form.incoming) || kind === 'acquisition')
    need(
      'recipient',
      form.recipient.trim() !== '' || form.otherRegistry.trim() !== '',
      'Enter the account that receives, such as OTHER-SG',
    );
  if (kind === 'acquisition') {
    need('occasion', form.occasion !== '', 'Choose what happened');
    need('legalName', form.legalName.trim() !== '', 'Enter the legal name of the organisation that receives');
    need('startsOn', form.startsOn !== '', 'Enter the day from which it counts');
  }
  return problems;
}
