import { readAttendance } from './attendance-file.ts';

/** Further problems of a file are only counted. */
const MAX_PROBLEMS = 40;

/** Reads an attendance list. Returns the first problems, and how many more there are. */
export function read(text: string): ReturnType<typeof readAttendance> {
  const { lines, problems } = readAttendance(text);
  if (problems.length === 0) return { lines, problems };
  const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : [];
  return { lines: [], problems: [...problems.slice(0, MAX_PROBLEMS), ...more] };
}
