import type { Problems } from '@portal/app-kit/form/use-form';
import { type WindowKind, windowKindNames, windowKinds } from '@portal/contract/elections/election-windows';
import {
  type ballotKinds,
  type ElectionKind,
  electionKinds,
  type ElectionValues,
  encryptedWindows,
  isZone,
  type StaffElection,
} from '@portal/contract/elections/elections';
import { clockTimeOf, instantOf, problemOfTime } from '../shell/official-time.ts';

type BallotKind = (typeof ballotKinds)[number];

/** A window as it is typed: times on the clocks of the official zone. All empty: there is no such window. */
type TypedWindow = { opensAt: string; closesAt: string; url: string };

/** An election as it is typed. */
export type TypedElection = {
  kind: ElectionKind;
  ballots: BallotKind;
  title: string;
  description: string;
  seats: string;
  maxSelections: string;
  timeZone: string;
  conference: string;
  registrationCutOff: string;
  candidatesUrl: string;
  resultsUrl: string;
  windows: Record<WindowKind, TypedWindow>;
};

const noWindow: TypedWindow = { opensAt: '', closesAt: '', url: '' };

/** A form in which nothing is filled in yet; its fields in the order of the screen. */
export const emptyElection = (timeZone: string): TypedElection => ({
  kind: 'ec',
  ballots: 'plain',
  title: '',
  description: '',
  seats: '',
  maxSelections: '',
  timeZone,
  windows: Object.fromEntries(windowKindNames.map(kind => [kind, noWindow])) as TypedElection['windows'],
  conference: '',
  registrationCutOff: '',
  candidatesUrl: '',
  resultsUrl: '',
});

/** Returns the form's values for an election. */
export function typedOf(election: StaffElection): TypedElection {
  const { timeZone, seats, maxSelections, conference, registrationCutOff } = election;
  const windows = election.windows.map(({ kind, opensAt, closesAt, url }) => [
    kind,
    { opensAt: clockTimeOf(opensAt, timeZone), closesAt: clockTimeOf(closesAt, timeZone), url },
  ]);
  return {
    ...emptyElection(timeZone),
    kind: election.kind,
    ballots: election.ballots,
    title: election.title,
    description: election.description,
    seats: seats === null ? '' : String(seats),
    maxSelections: maxSelections === null ? '' : String(maxSelections),
    timeZone,
    conference: conference ?? '',
    registrationCutOff: registrationCutOff === null ? '' : clockTimeOf(registrationCutOff, timeZone),
    candidatesUrl: election.candidatesUrl,
    resultsUrl: election.resultsUrl,
    windows: { ...emptyElection(timeZone).windows, ...(Object.fromEntries(windows) as Partial<TypedElection['windows']>) },
  };
}

/** The windows that the kind has; on encrypted ballots none of attendees. */
export const windowsOf = ({ kind, ballots }: Pick<TypedElection, 'kind' | 'ballots'>): readonly WindowKind[] =>
  electionKinds[kind].windows.filter(name => ballots === 'plain' || (encryptedWindows as readonly WindowKind[]).includes(name));
/** Members vote in it, so its ballots can be encrypted. */
export const canBeEncrypted = (kind: ElectionKind): boolean =>
  (electionKinds[kind].windows as readonly WindowKind[]).includes('member-vote');
/** People are elected, or may be. */
export const hasSeats = (kind: ElectionKind): boolean => electionKinds[kind].seats || kind === 'other';
export const hasAttendees = (typed: Pick<TypedElection, 'kind' | 'ballots'>): boolean => windowsOf(typed).includes('attendee-vote');

/** The fields of the windows, as the form names them. */
type WindowFieldName = `windows.${WindowKind}.${keyof TypedWindow}`;
const windowFields: readonly (keyof TypedWindow)[] = ['opensAt', 'closesAt', 'url'];
export const windowFieldNames: readonly WindowFieldName[] = windowKindNames.flatMap(kind =>
  windowFields.map((field): WindowFieldName => `windows.${kind}.${field}`),
);

/** Returns the windows of the kind with something typed; none without a time zone. */
const typedWindows = ({ kind, ballots, timeZone, windows }: TypedElection): (TypedWindow & { kind: WindowKind })[] =>
  (isZone(timeZone) ? windowsOf({ kind, ballots }) : []).flatMap(name => {
    const { opensAt, closesAt, url } = windows[name];
    return opensAt === '' && closesAt === '' && url.trim() === '' ? [] : [{ kind: name, ...windows[name] }];
  });
const count = (text: string): number | null => (text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
/** The instant, or nothing where the clocks of the zone never show the time. */
const instant = (text: string, timeZone: string): string => instantOf(text, timeZone) ?? '';

/** Returns the typed values as the registry expects them. Fields that the kind does not have are left out. */
export function bodyOf(typed: TypedElection): ElectionValues & { ballots: BallotKind } {
  const { kind, timeZone } = typed;
  const attended = hasAttendees(typed);
  return {
    kind,
    ballots: typed.ballots,
    title: typed.title,
    description: typed.description,
    seats: hasSeats(kind) ? count(typed.seats) : null,
    maxSelections: hasSeats(kind) ? count(typed.maxSelections) : null,
    timeZone,
    conference: attended && typed.conference !== '' ? typed.conference : null,
    registrationCutOff:
      attended && isZone(timeZone) && typed.registrationCutOff !== '' ? instant(typed.registrationCutOff, timeZone) : null,
    candidatesUrl: typed.candidatesUrl,
    resultsUrl: typed.resultsUrl,
    windows: typedWindows(typed).map(({ kind: name, opensAt, closesAt, url }) => ({
      kind: name,
      opensAt: instant(opensAt, timeZone),
      closesAt: instant(closesAt, timeZone),
      // Encrypted ballots are cast with the registry itself.
      url: typed.ballots === 'encrypted' && name !== 'nomination' ? '' : url,
    })),
  };
}

/** Returns what is wrong with times in the zone, which the registry never receives. Without a zone there is nothing to check. */
export function problemsOfTimes(typed: TypedElection): Problems<WindowFieldName | 'registrationCutOff'> {
  const { timeZone, registrationCutOff } = typed;
  if (!isZone(timeZone)) return {};
  const problem = (text: string, what: string): string | undefined => {
    if (text === '') return `Enter when ${what}`;
    return problemOfTime(text, timeZone);
  };
  return {
    ...Object.fromEntries(
      typedWindows(typed).flatMap(({ kind, opensAt, closesAt }) => {
        const words = windowKinds[kind].toLowerCase();
        return [
          [`windows.${kind}.opensAt`, problem(opensAt, `${words} opens`)],
          [`windows.${kind}.closesAt`, problem(closesAt, `${words} closes`)],
        ];
      }),
    ),
    ...(hasAttendees(typed) && registrationCutOff !== '' && { registrationCutOff: problem(registrationCutOff, 'registering ends') }),
  };
}

/** The field of the form that a place in the body is about: windows by their kind, and what is wrong with one as a whole at its first field. */
export const fieldAt = (place: string, typed: TypedElection): string =>
  place
    .replace(/^windows\.(\d+)/, (_, index: string) => `windows.${typedWindows(typed)[Number(index)]?.kind}`)
    .replace(/^(windows\.\w+)(\.kind)?$/, '$1.opensAt');
