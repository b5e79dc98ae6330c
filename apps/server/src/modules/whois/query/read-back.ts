import { type ClassName, parseObject, primaryKey, splitParagraphs } from '@portal/rpsl';
import { answerImmediately, answerQuery } from './answer.ts';
import { answerIrr } from './irr.ts';
import { textOf } from './object-text.ts';
import { readQueryLine } from './query-line.ts';
import type { QueryPlace } from './query-place.ts';
import { QueryProblem } from './query-problem.ts';

export type ReadBackObject = { class: string; key: string; shown: string };
/** The query, and the text of the object in its answer; null if it is missing. */
export type ReadBack = { query: string; text: string | null };

const style = { brief: false, keysOnly: false, filtering: false };
/** Returns the text as both protocols show it, for comparison. */
export const publicText = (object: ReadBackObject & { text: string }): string =>
  textOf({ ...object, class: object.class as ClassName, objectId: 0 }, style).trimEnd();

/** Queries port 43 for one object, as a client would, without contacts. */
export async function readBackWhois(place: QueryPlace, object: ReadBackObject): Promise<ReadBack> {
  const { class: className, shown } = object;
  const isNetwork = ['inetnum', 'inet6num', 'route', 'route6', 'as-block'].includes(className);
  const key = className.startsWith('route') && className !== 'route-set' ? shown.replace(/\s*AS\d+$/i, '') : shown;
  const query = `${isNetwork ? '-x ' : ''}-r -T ${className} ${key}`;
  let answer = '';
  try {
    const line = readQueryLine(query, { source: place.source });
    // Port 43 answers from the copy in memory while that has the whole answer.
    const whole = answerImmediately({ ...place, db: place.db.primary }, line);
    if (whole) answer = whole.text;
    else for await (const part of answerQuery(place, line)) answer += part.text;
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
  }
  return { query, text: objectIn(answer, object) };
}

/** Asks the IRRd protocol for one object by its class and key. */
export async function readBackIrr(place: QueryPlace, object: ReadBackObject): Promise<ReadBack> {
  const query = `!m${object.class},${object.shown}`;
  const unlimited = { refuses: () => null, count: () => undefined };
  const session = { keepOpen: false, persistent: false, without: new Set<string>(), rpkiFilter: false, sources: [place.source] };
  const { answer } = answerIrr({ ...place, limit: unlimited }, session, { address: '', idle: 0 }, query);
  const said = await answer;
  let text = '';
  if (typeof said === 'string') text = said;
  else if (Buffer.isBuffer(said)) text = said.toString();
  else for await (const part of said as AsyncIterable<string | Buffer>) text += part.toString();
  return { query, text: objectIn(text.replace(/^A\d+\n/, '').replace(/\nC\n$/, ''), object) };
}

function objectIn(answer: string, { class: className, key }: ReadBackObject): string | null {
  for (const { text } of splitParagraphs(answer)) {
    const { object } = parseObject(text);
    const found = object && primaryKey(object);
    if (found && found.class === className && found.key.toLowerCase() === key) return text.trimEnd();
  }
  return null;
}
