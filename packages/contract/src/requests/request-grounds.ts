import {
  type FormProblem,
  plannedAt,
  planMonths,
  type RequestForm,
  type RequestKind,
  type RequestPath,
  requestPaths,
} from './request-form.ts';

/** Prefix lengths of a registry's policy, by their names in its profile. */
export const sizeBounds = [
  'ipv4Smallest',
  'ipv4Limit',
  'ixpUsual',
  'ixpLargest',
  'temporaryLargest',
  'temporaryIpv6Largest',
  'ipv6Provider',
  'ipv6EndSite',
  'ipv6Explained',
  'ipv6Largest',
] as const;
export type SizeBound = (typeof sizeBounds)[number];

/**
 * The sizes that can be asked for on some grounds. A block lies between `usual` and `largest`; a form offers them up to `offered`; with `looksAtLarger` a person looks at more than the usual one. `growth`: shorter than the block held
 * by a bit or more. `number`: one AS number. `blocks`: so many /24. `held`: resources of the account, or of another registry.
 */
export type GroundSizes =
  | { usual: SizeBound; largest: SizeBound; offered?: SizeBound; looksAtLarger?: true }
  | 'growth'
  | 'number'
  | 'blocks'
  | 'held';

/** A document that shows what grounds say. */
type GroundDocument = { name: string; why: string; required: boolean };

/** Answers that grounds need before a form can be sent, beside a size. */
type GroundAnswer = 'plan' | 'days' | 'multihomed' | 'announcement' | 'neighbours' | 'participants' | 'network';

/** Rules that show need, each one function of the server. */
export type NeedRule =
  | 'provider'
  | 'multihoming'
  | 'exchange'
  | 'critical'
  | 'event'
  | 'announcement'
  | 'assignments'
  | 'growth'
  | 'routing-policy';

/** Limits of an account on some grounds: a share of the last pool, one event at a time, one exchange, one first block, some AS numbers. */
export type GroundLimit = 'last-pool' | 'event' | 'exchange' | 'first-block' | 'as-numbers' | 'none';

/** The rules of one kind of request on one kind of grounds. */
export type GroundRules = {
  sizes: GroundSizes;
  limits: readonly GroundLimit[];
  answers: readonly GroundAnswer[];
  need: readonly NeedRule[];
  documents: readonly GroundDocument[];
};

const needed = (name: string, why: string): GroundDocument => ({ name, why, required: true });
const helpful = (name: string, why: string): GroundDocument => ({ name, why, required: false });

const eventPapers = [needed('Announcement of the event', 'Shows its purpose and days')];
const networkPapers = [
  helpful('Network diagram', 'Shows the sites of your plan'),
  helpful('Upstream contract or invoice', 'Shows who connects you; prices can be blacked out'),
];
const addressPlan = [helpful('Address plan', 'Asked for when you need more than the usual size')];
const upstreamLetter = [helpful('Letter or contract of an upstream', 'Shows the network you connect to; prices can be blacked out')];
const lastPoolSizes = { usual: 'ipv4Smallest', largest: 'ipv4Limit' } as const;
const handOver = { sizes: 'held', limits: ['none'], answers: [], need: [] } as const;

/**
 * Every kind of request with the grounds it can have, and the rules of each pair. The empty name is a request without grounds. A pair that is not in
 * the table is refused everywhere (`problemOfGrounds`). Form, server, robot, requests of national registries and desk read it. Sources: policies of
 * the registry (sizes and limits are
 * numbers of its profile), prop-154 for exchanges, prop-156 for events.
 */
export const requestGrounds: Record<RequestKind, Partial<Record<RequestPath | '', GroundRules>>> = {
  ipv4: {
    lir: { sizes: lastPoolSizes, limits: ['last-pool'], answers: ['plan', 'network'], need: ['provider'], documents: networkPapers },
    multihoming: {
      sizes: lastPoolSizes,
      limits: ['last-pool'],
      answers: ['plan', 'multihomed', 'network'],
      need: ['multihoming'],
      documents: networkPapers,
    },
    ixp: {
      sizes: { usual: 'ixpUsual', largest: 'ixpLargest' },
      limits: ['exchange'],
      answers: ['participants', 'network'],
      need: ['exchange'],
      documents: [needed('List of participants', 'At least three networks on the exchange')],
    },
    critical: { sizes: lastPoolSizes, limits: ['last-pool'], answers: ['plan', 'network'], need: ['critical'], documents: networkPapers },
    temporary: {
      sizes: { usual: 'ipv4Smallest', largest: 'temporaryLargest' },
      limits: ['event'],
      answers: ['days', 'network'],
      need: ['event'],
      documents: eventPapers,
    },
  },
  ipv6: {
    lir: {
      sizes: { usual: 'ipv6Provider', largest: 'ipv6Largest', offered: 'ipv6Explained' },
      limits: ['first-block'],
      answers: ['announcement', 'network'],
      need: ['announcement', 'assignments'],
      documents: addressPlan,
    },
    'end-site': {
      sizes: { usual: 'ipv6EndSite', largest: 'ipv6EndSite' },
      limits: ['first-block'],
      answers: ['announcement', 'network'],
      need: ['announcement'],
      documents: addressPlan,
    },
    subsequent: {
      sizes: 'growth',
      limits: ['none'],
      answers: ['announcement', 'network'],
      need: ['announcement', 'growth'],
      documents: addressPlan,
    },
    temporary: {
      sizes: { usual: 'ipv6EndSite', largest: 'temporaryIpv6Largest', looksAtLarger: true },
      limits: ['event'],
      answers: ['days', 'network'],
      need: ['event'],
      documents: eventPapers,
    },
  },
  asn: {
    '': {
      sizes: 'number',
      limits: ['as-numbers'],
      answers: ['neighbours', 'multihomed', 'network'],
      need: ['routing-policy'],
      documents: upstreamLetter,
    },
    temporary: {
      sizes: 'number',
      limits: ['event'],
      answers: ['neighbours', 'multihomed', 'days', 'network'],
      need: ['routing-policy', 'event'],
      documents: eventPapers,
    },
  },
  'pre-approval': {
    '': {
      sizes: 'blocks',
      limits: ['none'],
      answers: ['plan', 'network'],
      need: [],
      documents: [helpful('Network plan', 'Shows how the addresses are used within 24 months')],
    },
  },
  return: { '': { ...handOver, documents: [] } },
  transfer: { '': { ...handOver, documents: [helpful('Authorisation', 'Only needed for historical resources')] } },
  acquisition: {
    '': {
      ...handOver,
      documents: [
        needed('Agreement of the merger or sale', 'Shows that the resources go to the new organisation'),
        helpful('Certificate of a government authority', 'Shows that the organisation exists under its name'),
      ],
    },
  },
};

/** The grounds that a kind of request can have, the empty name for none. */
export const groundsOf = (kind: RequestKind): (RequestPath | '')[] => Object.keys(requestGrounds[kind]) as (RequestPath | '')[];

/** The rules of a kind on some grounds; null for a pair that is not in the table. */
export const groundRules = (kind: RequestKind, path: RequestPath | ''): GroundRules | null => requestGrounds[kind][path] ?? null;

/** Returns why a kind of request can't have these grounds, with those it can have; null if it can. A draft may have none yet. */
export function problemOfGrounds(kind: RequestKind, path: RequestPath | '', { isDraft = false } = {}): FormProblem | null {
  if (groundRules(kind, path) || (isDraft && path === '')) return null;
  const named = groundsOf(kind).flatMap(each => (each === '' ? [] : [`${each} (${requestPaths[each]})`]));
  if (path === '') return { field: 'path', message: 'Choose what the addresses are for' };
  const without = groundsOf(kind).includes('') ? 'Leave the grounds empty' : '';
  const choice = named.length === 0 ? '' : `${without === '' ? 'Choose' : ', or choose'} ${named.join(', ')}`;
  return { field: 'path', message: `${requestPaths[path]} isn’t possible for this request. ${without}${choice}` };
}

/** The most addresses that one plan can name: those of a /8. */
export const maxPlannedAddresses = 16_777_216;

type Answer = { field: FormProblem['field']; message: string; met: (form: RequestForm) => boolean };
const twoNetworks: Answer = {
  field: 'multihomed',
  message: 'Choose whether you connect to several networks',
  met: ({ multihomed }) => multihomed !== '',
};

const answerRules: Record<GroundAnswer, readonly Answer[]> = {
  plan: [
    {
      field: 'plan',
      message: 'Enter at least one line with a purpose and a number of addresses',
      met: ({ plan }) => plan.some(({ purpose, amounts }) => purpose.trim() !== '' && amounts.some(amount => amount > 0)),
    },
    {
      field: 'plan',
      message: 'Enter at most the addresses of a /8 in all',
      met: ({ plan }) => planMonths['pre-approval'].every((_, index) => plannedAt(plan, index) <= maxPlannedAddresses),
    },
  ],
  days: [
    { field: 'startsOn', message: 'Enter the first day', met: ({ startsOn }) => startsOn !== '' },
    {
      field: 'endsOn',
      message: 'Enter the last day, not before the first',
      met: ({ startsOn, endsOn }) => endsOn !== '' && endsOn >= startsOn,
    },
  ],
  multihomed: [twoNetworks],
  announcement: [{ field: 'startsOn', message: 'Enter the day from which you will announce it', met: ({ startsOn }) => startsOn !== '' }],
  neighbours: [
    {
      field: 'neighbours',
      message: 'Enter at least one network you connect to, such as AS64496',
      met: ({ neighbours }) => neighbours.some(({ asn }) => asn.trim() !== ''),
    },
  ],
  participants: [
    {
      field: 'neighbours',
      message: 'Enter the AS number of each participant, such as AS64496',
      met: ({ neighbours }) => neighbours.some(({ asn }) => asn.trim() !== ''),
    },
  ],
  network: [{ field: 'network', message: 'Describe the network in a sentence or more', met: ({ network }) => network.trim().length >= 20 }],
};

/** Lists the answers that the grounds of a form ask for and that it lacks. */
export const lackingAnswers = (kind: RequestKind, form: RequestForm): FormProblem[] =>
  (groundRules(kind, form.path)?.answers ?? [])
    .flatMap(each => answerRules[each])
    .filter(({ met }) => !met(form))
    .map(({ field, message }) => ({ field, message }));
