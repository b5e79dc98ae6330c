import { splitParagraphs } from '@portal/rpsl';
import { answerQuery, NOT_FOUND, type PersonalLimit, QueryProblem, type QueryPlace, readQueryLine, sourcesOf } from '../whois/index.ts';

/** Characters of objects on a page, whose values are links, and of the same as text; port 43 has the rest. */
const LONGEST = { page: 40_000, text: 200_000 };

/** The answer of port 43 to the same question. */
export type WhoisText = {
  /** Objects as text, the one that was asked for first. */
  objects: string[];
  /** Remarks of the server on its answer. */
  remarks: string[];
  /** Null where something was found. */
  problem: { sentences: readonly string[] } | null;
  /** Contacts were left out, because the address asked for as many as it may on a day; null where it didn't. */
  overLimit: { forGood: boolean; sentence: string } | null;
  /** There is more than a page lists. */
  more: boolean;
};

const sentences = {
  today: 'Your address has asked for as many contacts as it may on a day. That ends at midnight UTC.',
  forGood: 'Your address has asked for too many contacts on too many days. Write to the registry if you need them.',
};

/** Asks as port 43 does, and counts the personal data in the answer for the address that asked. Over its limit, contacts are left out. @param flags of port 43 @param form what it is for: a page has less */
export async function whoisText(
  place: QueryPlace,
  key: string,
  { limit, caller, flags = [], form }: { limit: PersonalLimit; caller: string; flags?: readonly string[]; form: keyof typeof LONGEST },
): Promise<WhoisText> {
  const refused = limit.refuses(caller);
  const overLimit = refused && { forGood: refused.forGood, sentence: refused.forGood ? sentences.forGood : sentences.today };
  const found: WhoisText = { objects: [], remarks: [], problem: null, overLimit, more: false };
  const objects = new Set<string>();
  let characters = 0;
  let asked: readonly string[] = [place.source];
  try {
    const query = readQueryLine([...(overLimit ? [...new Set([...flags, '-r', '--no-personal'])] : flags), key].join(' '), place);
    asked = sourcesOf(place, query);
    for await (const { text, personal } of answerQuery(place, query)) {
      limit.count(caller, personal);
      for (const { text: paragraph } of splitParagraphs(text)) {
        const room = LONGEST[form] - characters;
        characters += paragraph.length;
        if (room < paragraph.length) {
          found.more = true;
          // One that is longer than the page begins on it.
          if (objects.size === 0 && !paragraph.startsWith('%')) objects.add(paragraph.slice(0, paragraph.lastIndexOf('\n', room) + 1));
          break;
        }
        // Blocks repeat the contacts that they share.
        if (!paragraph.startsWith('%')) objects.add(paragraph);
        else if (!paragraph.startsWith('% Information related to')) found.remarks.push(paragraph.replace(/^% ?/gm, '').trim());
      }
      if (found.more) break;
    }
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    if (error.code !== NOT_FOUND && objects.size > 0) throw error;
    return { ...found, problem: { sentences: error.explanation } };
  }
  if (objects.size === 0)
    return { ...found, problem: { sentences: [`No entries found in ${asked.length === 1 ? 'source' : 'sources'} ${asked.join(', ')}.`] } };
  found.objects = [...objects].sort((a, b) => Number(isAbout(b, key)) - Number(isAbout(a, key)));
  return found;
}

/** Returns whether an object is the one that was asked for by its name: the AS number, and not the block around it. A route of the same prefix comes after the network. */
const isAbout = (text: string, key: string): boolean => {
  const [, name, value] = /^([\w-]+):[ \t]*(.*)$/m.exec(text.slice(0, 300)) ?? [];
  return value?.toLowerCase() === key.toLowerCase() && name !== 'route' && name !== 'route6';
};
