import type { RouteProblem } from '@portal/contract/routes/routes';
import { portions } from '../../platform/portions.ts';
import { type ReadLine, readImport } from './import-lines.ts';

/** Yields the lines of a text, and the problems of unreadable ones. */
export function* read(text: string): Generator<{ lines: ReadLine[] } | { problems: RouteProblem[] }, void> {
  const { lines, problems } = readImport(text);
  for (const portion of portions(lines)) yield { lines: portion };
  for (const portion of portions(problems)) yield { problems: portion };
}
