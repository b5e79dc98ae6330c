import { maxRouteLines, type RouteProblem } from '@portal/contract/routes/routes';
import { formatCount } from '@portal/number-resources';
import { refuseField } from '../../platform/failure.ts';
import { portions } from '../../platform/portions.ts';
import { type ReadLine, readImport } from './import-lines.ts';

/** Yields the lines of a text, and the problems of unreadable ones. @throws Failure INVALID_REQUEST for more lines than one change may have */
export function* read(text: string): Generator<{ lines: ReadLine[] } | { problems: RouteProblem[] }, void> {
  const { lines, problems } = readImport(text);
  const count = lines.length + new Set(problems.map(({ index }) => index)).size;
  if (count > maxRouteLines)
    throw refuseField('text', `This text has ${formatCount(count)} lines. Send at most ${formatCount(maxRouteLines)} at a time`);
  for (const portion of portions(lines)) yield { lines: portion };
  for (const portion of portions(problems)) yield { problems: portion };
}
