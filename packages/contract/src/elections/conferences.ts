import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { electionPermissions } from '../staff-permissions.ts';
import { oneLine } from '../one-line.ts';
import { ConferenceName } from './elections.ts';
import { longText } from '../long-text.ts';

/** People on the list of a conference that is brought in. */
export const maxAttendees = 20_000;

/** A conference of the community, and its number of attendees. */
export const Conference = z.object({
  conference: z.string(),
  title: z.string(),
  startsOn: z.iso.date(),
  registered: z.int(),
  attended: z.int(),
});
export type Conference = z.infer<typeof Conference>;

/** Registration and attendance of conferences; attendees can vote. */
export const conferences = group('elections.conferences', {
  listConferences: endpoint({
    method: 'GET',
    path: '/api/staff/conferences',
    summary: 'Conferences, the newest first, with how many registered and attended.',
    access: staff([...electionPermissions, 'announcements']),
    answer: z.object({ rows: z.array(Conference) }),
  }),
  addConference: endpoint({
    method: 'POST',
    path: '/api/staff/conferences',
    summary: 'Write down a conference.',
    access: staff('election-officer'),
    effect: 'votes',
    body: z.object({
      conference: ConferenceName,
      title: oneLine(200, 3, 'Enter a title of at least 3 characters'),
      startsOn: calendarDay('2027-02-22'),
    }),
    answer: Conference,
    errors: ['CONFERENCE_EXISTS'],
    activity: 'Added a conference',
    alone: 'no one votes by it before attendees are imported',
  }),
  importAttendance: endpoint({
    method: 'POST',
    path: '/api/staff/conferences/:conference/attendance',
    summary:
      'Bring in the whole list of a conference as CSV with the columns email, registered_at and attended. It replaces the current list; nothing is imported while a line is wrong.',
    access: staff('election-officer'),
    effect: 'votes',
    body: z.object({
      csv: longText({ most: 3_000_000, tooLong: 'The file is larger than 3 MB', empty: 'The file is empty' }),
      /** People missing from the new list are no longer registered. */
      mayRemove: z._default(z.boolean(), false),
    }),
    answer: z.object({ conference: Conference, added: z.int(), changed: z.int(), removed: z.int() }),
    errors: ['NOT_FOUND', 'ATTENDANCE_SHRINKS'],
    largestBody: 4_000_000,
    activity: 'Imported conference attendance',
    alone: 'it says who came to a conference, before the roll of its attendees is frozen',
  }),
});
