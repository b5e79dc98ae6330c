import { cutText } from '../../platform/cut-text.ts';
import { portionsOfJson } from '../../platform/portions.ts';
import { type EntityFacts, readEntityLines } from './entity-csv.ts';

/** Maximum lengths of a cell as it is shown, and of the problem of a line, in characters. */
const LONGEST_SHOWN = 200;
const LONGEST_PROBLEM = 300;

/** A row of a file: what its answer shows, and the names by which an organisation may be recorded already; null for a row with a problem. */
export type EntityRowRead = {
  line: number;
  name: string;
  registrationNumber: string;
  economy: string;
  problem: string | null;
  known: Pick<EntityFacts, 'name' | 'registrationNumber'> | null;
};
/** Rows of a file, and the organisations of those without a problem, as JSON of `EntityFacts` that the database takes apart. */
export type EntityPortion = { rows: EntityRowRead[]; facts: string };

/** Yields the rows of a file of organisations. @throws Failure INVALID_REQUEST */
export function* read(csv: string): Generator<EntityPortion, void> {
  for (const portion of portionsOfJson(readEntityLines(csv)))
    yield {
      rows: portion.map(({ line, given, facts, problem }) => {
        const shown = (column: string): string => cutText(given[column] ?? '', LONGEST_SHOWN);
        return {
          line,
          name: shown('name'),
          registrationNumber: shown('registrationNumber'),
          economy: shown('economy'),
          problem: problem && cutText(problem, LONGEST_PROBLEM),
          known: facts && { name: facts.name, registrationNumber: facts.registrationNumber },
        };
      }),
      facts: JSON.stringify(portion.flatMap(({ facts }) => facts ?? [])),
    };
}
