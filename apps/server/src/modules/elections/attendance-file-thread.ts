import { cutText } from '../../platform/cut-text.ts';
import { type AttendancePortion, inOrder, readAttendance } from './attendance-file.ts';

/** Further problems of a file are only counted. */
const MAX_PROBLEMS = 40;
/** Maximum length of a problem, which quotes its line, in characters. */
const LONGEST_PROBLEM = 300;

/** Reads an attendance list, and yields its people. Returns the first problems, and how many more there are. */
export function* read(text: string): Generator<AttendancePortion, { problems: string[] }> {
  const { lines, problems } = readAttendance(text);
  if (problems.length === 0) yield* inOrder(lines);
  const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : [];
  return { problems: [...problems.slice(0, MAX_PROBLEMS).map(problem => cutText(problem, LONGEST_PROBLEM)), ...more] };
}
