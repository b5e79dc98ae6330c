import { splitParagraphs } from '@portal/rpsl';
import { answerQuery, NOT_FOUND, type PersonalLimit, QueryProblem, type QueryPlace, readQueryLine } from '../whois/index.ts';

/** Characters of objects on one page; port 43 has the rest. */
const LONGEST_ANSWER = 200_000;

/** The answer of port 43 to the same question. */
export type WhoisText = {
  /** Objects as text, the one that was asked for first. */
  objects: string[];
  /** Remarks of the server on its answer. */
  remarks: string[];
  /** Null where something was found. */
  problem: { found: boolean; sentences: readonly string[] } | null;
  /** Contacts were left out, because the address asked for as many as it may on a day. */
  withoutContacts: boolean;
  /** There is more than a page lists. */
  more: boolean;
};

/** Asks as port 43 does, and counts the personal data in the answer for the address that asked. Over its limit, contacts are left out. */
export async function whoisText(
  place: QueryPlace,
  key: string,
  { limit, caller }: { limit: PersonalLimit; caller: string },
): Promise<WhoisText> {
  const withoutContacts = limit.refuses(caller) !== null;
  const found: WhoisText = { objects: [], remarks: [], problem: null, withoutContacts, more: false };
  let characters = 0;
  try {
    const query = readQueryLine(`${withoutContacts ? '-r --no-personal ' : ''}${key}`, place.source);
    for await (const { text, personal } of answerQuery(place, query)) {
      limit.count(caller, personal);
      for (const { text: paragraph } of splitParagraphs(text)) {
        if (paragraph.startsWith('%')) {
          if (paragraph.startsWith('% RPKI:')) found.remarks.push(paragraph.replace(/^% /gm, ''));
          continue;
        }
        characters += paragraph.length;
        if (characters > LONGEST_ANSWER) return { ...found, more: true };
        found.objects.push(paragraph);
      }
    }
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    return { ...found, problem: { found: error.code !== NOT_FOUND, sentences: error.explanation } };
  }
  found.objects.sort((a, b) => Number(isAbout(b, key)) - Number(isAbout(a, key)));
  return found;
}

/** Returns whether an object is the one that was asked for by its name: the AS number, and not the block around it. */
const isAbout = (text: string, key: string): boolean =>
  text
    .slice(0, 200)
    .split('\n', 1)[0]!
    .replace(/^[^:]*:\s*/, '')
    .toLowerCase() === key.toLowerCase();
