import { formatCount } from '@portal/number-resources';
import { refuseFields } from '../../platform/failure.ts';
import { portions } from '../../platform/portions.ts';
import { type AnnouncedLine, readAnnouncementLines } from './announcement-lines.ts';

/** Maximum number of lines named in a refusal. */
const NAMED = 200;

/** Yields the announcements of a text, and returns how many AS sets it has. @throws Failure INVALID_REQUEST with `text.17` for each line that can't be read */
export function* read(text: string): Generator<AnnouncedLine[], { sets: number }> {
  const { announced, sets, problems } = readAnnouncementLines(text);
  if (problems.length > 0)
    throw refuseFields(
      problems.slice(0, NAMED).map(({ line, problem }, index) => ({
        field: `text.${line}`,
        message: `Line ${line}: ${problem}${index === NAMED - 1 && problems.length > NAMED ? `. ${formatCount(problems.length - NAMED)} more lines can’t be read` : ''}`,
      })),
    );
  yield* portions(announced);
  return { sets };
}
