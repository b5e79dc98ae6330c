import { DAY_MS, HOUR_MS, instantBefore, utcDay } from '@portal/contract/days';
import type { ElectionValues } from '@portal/contract/elections/elections';
import type { Change } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import { addConference, replaceAttendance } from './attendance.ts';
import { inOrder, readAttendance } from './attendance-file.ts';
import { addDemoResolution } from './demo-resolution.ts';
import { addElection, publishElection } from './elections.ts';

const hours = (count: number): number => count * HOUR_MS;

/** Six months lie between two conferences; the next one begins in 50 days. */
const conferenceDays = [-497, -315, -132, 50];

type List = readonly (readonly [email: string, place: number, attended: boolean])[];
/** Registrations and attendance: Corin attended all, Tess comes for the first time, and Nadia, who has no account, attended the last one. */
const lists: List = [
  ['corin@example-au.example', 0, true],
  ['corin@example-au.example', 1, true],
  ['corin@example-au.example', 2, true],
  ['corin@example-au.example', 3, false],
  ['nils@natreg.example', 1, true],
  ['nils@natreg.example', 2, true],
  ['olive@other-sg.example', 1, false],
  ['olive@other-sg.example', 3, false],
  ['tess@example-au.example', 3, false],
  ['nadia@newcomer.example', 2, true],
  ['nadia@newcomer.example', 3, false],
  ['guest@elsewhere.example', 2, true],
];

const nameOf = (place: number): string => `CONF-${60 + place}`;
const csvOf = (place: number, startsAt: number): string =>
  [
    'email,registered_at,attended',
    ...lists
      .filter(([, of]) => of === place)
      .map(([email, , attended]) => `${email},${instantBefore(startsAt, 80 * DAY_MS)},${attended ? 'yes' : 'no'}`),
  ].join('\n');

const system = 'https://vote.registry.example';
const page = 'https://www.registry.example/elections';

/**
 * Conferences with who came, an election to the Executive Council of which nominations are open, an election of attendees at the next conference, and
 * a past election of members and attendees. The voting system and linked pages are examples.
 */
export const addDemo = (registry: DemoRegistry): Promise<void> =>
  registry.change({ action: 'demo.elections', summary: 'Published the demo elections' }, change => addElections(change, registry.today));

async function addElections(change: Change, today: Date): Promise<void> {
  // Times of day in Brisbane, which knows no summer time: 04:00 UTC is 14:00.
  const midnight = Math.floor(today.getTime() / DAY_MS) * DAY_MS;
  const at = (day: number, time = hours(4)): string => new Date(midnight + day * DAY_MS + time).toISOString();
  const [, , last = 0, next = 0] = conferenceDays;
  for (const [place, day] of conferenceDays.entries()) {
    await addConference({
      change,
      body: {
        conference: nameOf(place),
        title: `Example Conference ${60 + place}`,
        startsOn: utcDay(at(day)),
      },
    });
    const { lines, problems } = readAttendance(csvOf(place, midnight + day * DAY_MS));
    await replaceAttendance(change, nameOf(place), { portions: [...inOrder(lines)], answer: { problems } }, { mayRemove: false });
  }
  const common = { timeZone: 'Australia/Brisbane', conference: null, registrationCutOff: null, resultsUrl: '' };
  const council: ElectionValues = {
    ...common,
    kind: 'ec',
    title: `Executive Council election ${at(next).slice(0, 4)}`,
    description: 'Members elect three of the seven elected members of the Executive Council for two years.',
    seats: 3,
    maxSelections: 3,
    candidatesUrl: '',
    windows: [
      { kind: 'nomination', opensAt: at(-6), closesAt: at(26, hours(7.5)), url: '' },
      { kind: 'proxy-appoint', opensAt: at(next - 14), closesAt: at(next + 1, hours(-0.5)), url: '' },
      { kind: 'member-vote', opensAt: at(next - 14), closesAt: at(next + 3, hours(4.5)), url: `${system}/ec` },
      { kind: 'proxy-vote', opensAt: at(next + 3, hours(-0.5)), closesAt: at(next + 3, hours(4.5)), url: `${system}/ec` },
    ],
  };
  const chair: ElectionValues = {
    ...common,
    kind: 'sig',
    title: 'Routing security SIG chair',
    description: 'Attendees of the conference elect the chair of the special interest group for two years.',
    seats: 1,
    maxSelections: 1,
    conference: nameOf(3),
    registrationCutOff: at(next, 0),
    candidatesUrl: `${page}/sig/candidates`,
    windows: [
      { kind: 'nomination', opensAt: at(next - 30), closesAt: at(next - 7), url: `${page}/sig/nominate` },
      { kind: 'attendee-vote', opensAt: at(next + 1, hours(1.5)), closesAt: at(next + 3, hours(3.5)), url: `${system}/sig` },
    ],
  };
  const numberCouncil: ElectionValues = {
    ...common,
    kind: 'nro-nc',
    title: `NRO Number Council election ${at(last).slice(0, 4)}`,
    description: 'Members and attendees elect one of the three who represent the region in the Number Council.',
    seats: 1,
    maxSelections: 1,
    conference: nameOf(2),
    registrationCutOff: at(last + 2, 0),
    candidatesUrl: `${page}/number-council/candidates`,
    resultsUrl: `${page}/number-council/results`,
    windows: [
      { kind: 'nomination', opensAt: at(last - 60), closesAt: at(last - 30), url: `${page}/number-council/nominate` },
      { kind: 'member-vote', opensAt: at(last - 12), closesAt: at(last + 2, hours(4.5)), url: `${system}/nc` },
      { kind: 'attendee-vote', opensAt: at(last + 2, hours(-0.5)), closesAt: at(last + 2, hours(4.5)), url: `${system}/nc` },
    ],
  };
  for (const [values, publishedOn] of [
    [numberCouncil, last - 70],
    [council, -20],
    [chair, -20],
  ] as const) {
    const { electionId, version } = await addElection({ change, body: values });
    await publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(at(publishedOn)) });
  }
}

/** Adds a resolution that members vote on now. */
export async function addDemoLife({ change: changeDemo, today }: DemoRegistry): Promise<void> {
  await changeDemo({ action: 'demo.openElection', summary: 'Opened a vote' }, change =>
    addDemoResolution(change, today, {
      title: 'Fee schedule from 2028',
      description: 'Members decide whether fees follow the amount of address space in finer steps from 2028 on.',
      windows: [
        { kind: 'proxy-appoint', opens: [-4, 4], closes: [7, 4] },
        { kind: 'member-vote', opens: [-4, 4], closes: [10, 7.5] },
        { kind: 'proxy-vote', opens: [10, 0], closes: [10, 7.5] },
      ],
      options: [
        { name: 'For', statement: 'Fees follow the amount of address space in finer steps from 2028 on.' },
        { name: 'Against', statement: 'The steps stay as they are.' },
      ],
      published: -25,
    }),
  );
}
