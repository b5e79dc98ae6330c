import { electionLife, electionStates, windowStates } from './life.ts';
import * as z from 'zod/mini';
import { HOUR_MS } from '../days.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { electionPermissions } from '../staff-permissions.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { type WindowKind, windowKindNames, windowKinds } from './election-windows.ts';
import { rowVersion } from '../whole-numbers.ts';

type KindFacts = {
  label: string;
  windows: readonly WindowKind[];
  /** `tier`: by the holdings of the account, `one`: one vote each; null: members do not vote. */
  memberVotes: 'tier' | 'one' | null;
  /** People are elected to a number of seats; without it resolutions are voted on. */
  seats: boolean;
  /** Unit of an account's votes, as in "4 votes per candidate". */
  per: string;
};

/** The kinds of election and what differs between them. */
export const electionKinds = {
  ec: {
    label: 'Executive Council election',
    windows: ['nomination', 'proxy-appoint', 'member-vote', 'proxy-vote'],
    memberVotes: 'tier',
    seats: true,
    per: 'candidate',
  },
  'nro-nc': {
    label: 'NRO Number Council election',
    windows: ['nomination', 'member-vote', 'attendee-vote'],
    memberVotes: 'one',
    seats: true,
    per: 'candidate',
  },
  sig: { label: 'SIG chair election', windows: ['nomination', 'attendee-vote'], memberVotes: null, seats: true, per: 'candidate' },
  resolution: {
    label: 'Resolutions',
    windows: ['proxy-appoint', 'member-vote', 'proxy-vote'],
    memberVotes: 'tier',
    seats: false,
    per: 'resolution',
  },
  other: { label: 'Other vote', windows: windowKindNames, memberVotes: 'one', seats: false, per: 'question' },
} as const satisfies Record<string, KindFacts>;
export type ElectionKind = keyof typeof electionKinds;
export const electionKindNames = Object.keys(electionKinds) as [ElectionKind, ...ElectionKind[]];

/** Kinds of ballots: `plain`, held by the registry or another voting system; `encrypted`, with trustees and an archive that anyone verifies (decision 226). */
export const ballotKinds = ['plain', 'encrypted'] as const;

/** How long before proxies vote their appointment ends. */
export const proxyAppointmentEndsBeforeMs = 48 * HOUR_MS;

/** The address of a page that is opened in a new window; empty for none. */
const WebAddress = oneLine(500).check(
  z.refine(address => address === '' || (/^https?:\/\/[^\s\\]+$/i.test(address) && URL.canParse(address) && !new URL(address).username), {
    error: 'Enter an address that starts with https:// or http://',
  }),
);
const Instant = z.iso.datetime({ offset: true, error: 'Enter a date and time with offset, such as 2027-02-16T14:00:00+10:00' });

/** True for a name of the IANA time zone database. */
export const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The short name of a conference, such as `CONF-62`. */
export const ConferenceName = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(/^[A-Z0-9][A-Z0-9-]{1,39}$/, { error: 'Enter at least two letters, digits or hyphens, such as CONF-62' }),
  );

const upToFifty = { error: 'Enter a number from 1 to 50' };
const UpToFifty = z.int(upToFifty).check(z.minimum(1, upToFifty), z.maximum(50, upToFifty));

const given = {
  kind: z.enum(electionKindNames),
  title: oneLine(200, 3, 'Enter a title of at least 3 characters'),
  description: severalLines(4000),
  /** Number of seats; null where no one is elected. */
  seats: z.nullable(UpToFifty),
  /** Maximum selections on a ballot of the voting system: must equal the number of seats before publication. */
  maxSelections: z.nullable(UpToFifty),
  /** IANA name of the zone the timetable is published in. */
  timeZone: z.string().check(z.refine(isZone, { error: 'Enter an IANA time zone, such as Australia/Brisbane' })),
  /** The conference whose attendees vote, and until when they had to be registered for it; null where attendees do not vote. */
  conference: z.nullable(ConferenceName),
  registrationCutOff: z.nullable(Instant),
  candidatesUrl: WebAddress,
  resultsUrl: WebAddress,
  windows: z
    .array(
      z.object({
        kind: z.enum(windowKindNames),
        opensAt: Instant,
        closesAt: Instant,
        /** Address of the nomination form or the voting system; empty: people nominate, appoint proxies and vote with the registry itself. */
        url: WebAddress,
      }),
    )
    .check(z.maxLength(windowKindNames.length)),
} as const;

/** The election's values as staff enter them. */
const Values = z.object(given);
export type ElectionValues = z.infer<typeof Values>;

/** A problem of an election: the field, such as `windows.member-vote.closesAt`, and what would be valid. */
export type ElectionProblem = { field: string; message: string };

/** Returns all contradictions within an election; a draft may still lack values (`missingForPublishing`). */
function problemsOfElection({ kind, seats, conference, registrationCutOff, windows }: ElectionValues): ElectionProblem[] {
  const problems: ElectionProblem[] = [];
  const { label, windows: possible } = electionKinds[kind] as KindFacts;
  const windowOf = (name: WindowKind) => windows.find(each => each.kind === name);
  for (const [place, window] of windows.entries()) {
    const words = windowKinds[window.kind];
    const of = (part: string) => `windows.${window.kind}.${part}`;
    if (!possible.includes(window.kind)) problems.push({ field: of('kind'), message: `${words} isn’t part of: ${label}` });
    if (windows.findIndex(each => each.kind === window.kind) < place)
      problems.push({ field: of('kind'), message: `${words} is there twice` });
    if (Date.parse(window.closesAt) <= Date.parse(window.opensAt))
      problems.push({ field: of('closesAt'), message: `${words} must close after it opens` });
  }
  const [nomination, appointment, proxies] = [windowOf('nomination'), windowOf('proxy-appoint'), windowOf('proxy-vote')];
  for (const name of ['member-vote', 'attendee-vote'] as const) {
    const vote = windowOf(name);
    if (nomination && vote && Date.parse(nomination.closesAt) > Date.parse(vote.opensAt))
      problems.push({ field: 'windows.nomination.closesAt', message: `Nominations must close before voting opens` });
  }
  if (appointment && proxies && Date.parse(appointment.closesAt) > Date.parse(proxies.opensAt) - proxyAppointmentEndsBeforeMs)
    problems.push({
      field: 'windows.proxy-appoint.closesAt',
      message: 'Proxy appointment must close at least 48 hours before proxies vote',
    });
  if (seats !== null && !electionKinds[kind].seats && kind !== 'other')
    problems.push({ field: 'seats', message: `There are no seats in: ${label}` });
  const attendees = windowOf('attendee-vote');
  if (!possible.includes('attendee-vote') && (conference !== null || registrationCutOff !== null))
    problems.push({ field: 'conference', message: `Attendees can’t vote in: ${label}` });
  if (attendees && registrationCutOff !== null && Date.parse(registrationCutOff) > Date.parse(attendees.closesAt))
    problems.push({ field: 'registrationCutOff', message: 'The registration deadline must be before voting of attendees closes' });
  return problems;
}

/** Returns everything an election still lacks before it can be published. Whether its ballots have options is checked on the server. */
export function missingForPublishing({
  kind,
  seats,
  maxSelections,
  conference,
  registrationCutOff,
  windows,
}: ElectionValues): ElectionProblem[] {
  const problems: ElectionProblem[] = [];
  const has = (name: WindowKind): boolean => windows.some(each => each.kind === name);
  if (!has('member-vote') && !has('attendee-vote')) problems.push({ field: 'windows', message: 'Enter when members or attendees vote' });
  if (has('proxy-appoint') !== has('proxy-vote'))
    problems.push({ field: 'windows', message: 'Enter both when proxies are appointed and when they vote' });
  if (electionKinds[kind].seats && seats === null) problems.push({ field: 'seats', message: 'Enter the number of seats' });
  if (maxSelections !== seats)
    problems.push({
      field: 'maxSelections',
      message:
        seats === null
          ? 'Remove selections: there are no seats'
          : `The ballot must allow as many selections as seats (${seats}). Check the voting system`,
    });
  if (has('attendee-vote') && conference === null) problems.push({ field: 'conference', message: 'Choose the conference' });
  if (has('attendee-vote') && registrationCutOff === null)
    problems.push({ field: 'registrationCutOff', message: 'Enter the registration deadline' });
  return problems;
}

/** Windows of the registry’s own votes, also on encrypted ballots: the credentials are those of accounts, for which a contact or a proxy votes. */
export const encryptedWindows = ['nomination', 'proxy-appoint', 'member-vote', 'proxy-vote'] as const satisfies readonly WindowKind[];

/** Windows that elections with encrypted ballots don’t have: their credentials are those of accounts, and ballots stay with the registry. */
export function unsuitedToEncrypted({ windows }: Pick<ElectionValues, 'windows'>): ElectionProblem[] {
  return windows.flatMap(({ kind, url }): ElectionProblem[] => {
    if (!(encryptedWindows as readonly WindowKind[]).includes(kind))
      return [{ field: `windows.${kind}.kind`, message: `${windowKinds[kind]} isn’t possible on encrypted ballots` }];
    return (kind === 'member-vote' || kind === 'proxy-vote') && url !== ''
      ? [{ field: `windows.${kind}.url`, message: 'Encrypted ballots are cast with the registry itself: leave the address empty' }]
      : [];
  });
}

const consistent = z.check<ElectionValues>(input => {
  for (const { field, message } of problemsOfElection(input.value))
    input.issues.push({ code: 'custom', message, path: field.split('.'), input: input.value });
});
/** The kind of ballots is chosen as an election is added, and stays. */
const ElectionGiven = z.object({ ...given, ballots: z._default(z.enum(ballotKinds), 'plain') }).check(consistent, input => {
  for (const { field, message } of input.value.ballots === 'encrypted' ? unsuitedToEncrypted(input.value) : [])
    input.issues.push({ code: 'custom', message, path: field.split('.'), input: input.value });
});
const ElectionChanged = z.object({ version: rowVersion, ...given }).check(consistent);

/** An election as registry staff see it. */
export const StaffElection = z.object({
  electionId: z.string(),
  /** Grows with every change; a change of what was read earlier is refused with 412 STALE. */
  version: rowVersion,
  state: z.enum(electionStates),
  /** Grows when a vote has to be repeated. */
  generation: z.int(),
  kind: z.enum(electionKindNames),
  ballots: z.enum(ballotKinds),
  /** When its encrypted ballot was set up; null also while it is set up again after a correction of the roll. */
  setUpAt: z.nullable(z.iso.datetime()),
  /** When it was set up for the first time: from then on title, description, seats and answers stay, and it has a public page. */
  firstSetUpAt: z.nullable(z.iso.datetime()),
  title: z.string(),
  description: z.string(),
  seats: z.nullable(z.int()),
  maxSelections: z.nullable(z.int()),
  timeZone: z.string(),
  conference: z.nullable(z.string()),
  registrationCutOff: z.nullable(z.iso.datetime()),
  candidatesUrl: z.string(),
  resultsUrl: z.string(),
  /** In the order of the timetable. */
  windows: z.array(
    z.object({
      kind: z.enum(windowKindNames),
      opensAt: z.iso.datetime(),
      closesAt: z.iso.datetime(),
      url: z.string(),
      state: z.enum(windowStates),
      /** `Opens in 3 days`. */
      words: z.string(),
    }),
  ),
  publishedAt: z.nullable(z.iso.datetime()),
  cancelledAt: z.nullable(z.iso.datetime()),
  /** Members read it. */
  cancelReason: z.string(),
});
export type StaffElection = z.infer<typeof StaffElection>;

const notDone = ['NOT_FOUND', 'STALE', 'ELECTION_OVER'] as const;

/** Election management by registry staff. */
export const elections = group('elections', {
  listElections: endpoint({
    method: 'GET',
    path: '/api/staff/elections',
    summary: 'Elections of any state, the newest first.',
    access: staff(electionPermissions),
    query: z.object({
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({ rows: z.array(StaffElection), total: z.int() }),
  }),
  getElection: endpoint({
    method: 'GET',
    path: '/api/staff/elections/:electionId',
    summary: 'One election with its timetable.',
    access: staff(electionPermissions),
    answer: StaffElection,
    errors: ['NOT_FOUND'],
  }),
  addElection: endpoint({
    method: 'POST',
    path: '/api/staff/elections',
    summary: 'Write down an election. Members see nothing of it until it is published.',
    access: staff('election-officer'),
    effect: 'votes',
    body: ElectionGiven,
    answer: StaffElection,
    errors: ['NOT_FOUND'],
    activity: 'Added an election',
    alone: 'a draft is seen by the registry only',
  }),
  changeElection: endpoint({
    method: 'PUT',
    path: '/api/staff/elections/:electionId',
    summary: 'Change an election. Of one that is published, what has begun stays as it was announced.',
    access: staff('election-officer'),
    effect: 'votes',
    body: ElectionChanged,
    answer: StaffElection,
    errors: [...notDone, 'ELECTION_NOT_READY', 'ELECTION_BEGUN'],
    activity: 'Changed an election',
    secondPersonWhen: 'an election that is published, so also more time to vote',
    secondRole: 'election-observer',
  }),
  publishElection: endpoint({
    method: 'POST',
    path: '/api/staff/elections/:electionId/publish',
    summary: 'Show an election to those who vote in it.',
    moves: electionLife.publish,
    access: staff('election-officer'),
    effect: 'votes',
    body: z.object({ version: rowVersion }),
    answer: StaffElection,
    errors: [...notDone, 'ELECTION_NOT_READY'],
    activity: 'Published an election',
    secondPerson: 'always',
    secondRole: 'election-observer',
  }),
  cancelElection: endpoint({
    method: 'POST',
    path: '/api/staff/elections/:electionId/cancel',
    summary: 'Cancel an election that is not over. Those who were shown it are shown the reason.',
    moves: electionLife.cancel,
    access: staff('election-officer'),
    effect: 'votes',
    body: z.object({ version: rowVersion, reason: severalLines(500, 3) }),
    answer: StaffElection,
    errors: [...notDone],
    activity: 'Cancelled an election',
    secondPerson: 'always',
    secondRole: 'election-observer',
  }),
});
