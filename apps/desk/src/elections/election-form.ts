import { type WindowKind, windowKindNames, windowKinds } from '@portal/contract/elections/election-windows';
import {
  type ElectionKind,
  electionKinds,
  type ElectionProblem,
  type ElectionValues,
  isZone,
  problemsOfElection,
  type StaffElection,
} from '@portal/contract/elections/elections';
import { clockTimeOf, instantOf } from './official-time.ts';

/** A window as it is typed: times on the clocks of the official zone. All empty: there is no such window. */
type TypedWindow = { opensAt: string; closesAt: string; url: string };

/** An election as it is typed. */
export type TypedElection = {
  kind: ElectionKind;
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

/** A form in which nothing is filled in yet. */
export const emptyElection = (timeZone: string): TypedElection => ({
  kind: 'EC',
  title: '',
  description: '',
  seats: '',
  maxSelections: '',
  timeZone,
  conference: '',
  registrationCutOff: '',
  candidatesUrl: '',
  resultsUrl: '',
  windows: Object.fromEntries(windowKindNames.map(kind => [kind, noWindow])) as TypedElection['windows'],
});

/** An election as it stands in the form. */
export function typedOf(election: StaffElection): TypedElection {
  const { timeZone, seats, maxSelections, conference, registrationCutOff } = election;
  const windows = election.windows.map(({ kind, opensAt, closesAt, url }) => [
    kind,
    { opensAt: clockTimeOf(opensAt, timeZone), closesAt: clockTimeOf(closesAt, timeZone), url },
  ]);
  return {
    kind: election.kind,
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

/** The windows that the kind has. */
export const windowsOf = (kind: ElectionKind): readonly WindowKind[] => electionKinds[kind].windows;
/** People are elected, or may be. */
export const hasSeats = (kind: ElectionKind): boolean => electionKinds[kind].seats || kind === 'OTHER';
export const hasAttendees = (kind: ElectionKind): boolean => windowsOf(kind).includes('ATTENDEE_VOTE');

const webAddress = (text: string): boolean => text === '' || (/^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text));

/** What was typed as the registry keeps it, or everything that is wrong with it, by field. What the kind does not have is left out. */
export function readTyped(typed: TypedElection): { values: ElectionValues } | { problems: ElectionProblem[] } {
  const problems: ElectionProblem[] = [];
  const problem = (field: string, message: string) => problems.push({ field, message });
  const { kind, timeZone } = typed;
  const [title, description] = [typed.title.trim(), typed.description.trim()];
  if (title.length < 3) problem('title', 'Write a title of at least 3 characters');
  if (!isZone(timeZone))
    return { problems: [...problems, { field: 'timeZone', message: 'Write the name of a time zone such as Australia/Brisbane' }] };

  const count = (field: 'seats' | 'maxSelections'): number | null => {
    const text = typed[field].trim();
    if (!hasSeats(kind) || text === '') return null;
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 1 && number <= 50) return number;
    problem(field, 'Write a number from 1 to 50');
    return null;
  };
  const instant = (field: string, text: string, what: string): string => {
    const found = instantOf(text, timeZone);
    if (found === null)
      problem(field, text === '' ? `Write when ${what}` : `There is no such time in ${timeZone}: clocks are turned forward then`);
    return found ?? '1970-01-01T00:00:00.000Z';
  };
  const address = (field: string, text: string): string => {
    if (!webAddress(text.trim())) problem(field, 'Write an address that begins with https:// or http://');
    return text.trim();
  };

  const windows = windowsOf(kind).flatMap(name => {
    const { opensAt, closesAt, url } = typed.windows[name];
    if (opensAt === '' && closesAt === '' && url.trim() === '') return [];
    const words = windowKinds[name].toLowerCase();
    return [
      {
        kind: name,
        opensAt: instant(`windows.${name}.opensAt`, opensAt, `${words} opens`),
        closesAt: instant(`windows.${name}.closesAt`, closesAt, `${words} closes`),
        url: address(`windows.${name}.url`, url),
      },
    ];
  });
  const attended = hasAttendees(kind);
  const values: ElectionValues = {
    kind,
    title,
    description,
    seats: count('seats'),
    maxSelections: count('maxSelections'),
    timeZone,
    conference: attended && typed.conference !== '' ? typed.conference : null,
    registrationCutOff:
      attended && typed.registrationCutOff !== '' ? instant('registrationCutOff', typed.registrationCutOff, 'registering ends') : null,
    candidatesUrl: address('candidatesUrl', typed.candidatesUrl),
    resultsUrl: address('resultsUrl', typed.resultsUrl),
    windows,
  };
  // Times that could not be read are compared with nothing.
  if (problems.length === 0) problems.push(...problemsOfElection(values));
  return problems.length > 0 ? { problems } : { values };
}
