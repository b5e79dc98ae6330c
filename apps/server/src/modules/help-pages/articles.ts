import fs from 'node:fs';
import path from 'node:path';
import { termsArticle } from '@portal/contract/terms';
import { dayInWords } from '../../platform/attention.ts';
import { type Rendered, renderMarkdown } from '../../platform/http/markdown.ts';
import { release } from '../../release.ts';
import { explainTerms, termsMarkdown } from './explained-terms.ts';
import { named, type Pictures, readOwnPictures, readPictures } from './pictures.ts';

/** Groups of the help centre, in their order. A registry’s own groups follow them. */
export const groupOrder = [
  'Start here',
  'Addresses and AS numbers',
  'Whois',
  'Reverse DNS',
  'Routes and RPKI',
  'Transfers',
  'Account',
  'Fees and invoices',
  'Voting and events',
  'Programs',
  'National registries',
] as const;

export type Article = Rendered & {
  /** Its name in addresses: `create-a-roa`. */
  slug: string;
  title: string;
  group: string;
  /** Place in its group. */
  order: number;
  /** The answer in one or two sentences. */
  summary: string;
  /** How long its task takes, who may do it, and whether it can be undone: what people want to know first. Null where an article says nothing of it. */
  minutes: number | null;
  who: string | null;
  undo: string | null;
  /** When someone last held it against the product: the day that the file names, or the release that it came with. Null where neither is known. */
  checked: string | null;
  /** Articles that people read next, by their names. */
  related: readonly string[];
};

/** Articles that come with the program. */
const ownArticles = path.join(import.meta.dirname, '../../../help');

const fields = ['title', 'group', 'order', 'summary'] as const;
const optionalFields = ['minutes', 'who', 'undo', 'related', 'checked'] as const;
const knownFields: readonly string[] = [...fields, ...optionalFields];
/** The facts of an article that names none. */
const noFacts = { minutes: null, who: null, undo: null, related: [], checked: null } as const;

/** Reads an article: fields between two lines of ---, then Markdown. @throws Error that says what is wrong in the file, without naming it */
export function readArticle(slug: string, text: string, pictures: Pictures = new Map()): Article {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? [];
  if (head === undefined || body === undefined)
    throw new Error('it must begin with title, group, order and summary between two lines of ---');
  const given = new Map(
    head.split('\n').map(line => {
      const [, name, value] = /^(\w+): +(.+)$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new Error(`“${line}” must be a name, a colon and a value, such as title: Create a ROA`);
      return [name, value.trim()] as const;
    }),
  );
  for (const name of given.keys())
    if (!knownFields.includes(name)) throw new Error(`“${name}” is unknown; known are ${knownFields.join(', ')}`);
  for (const field of fields) if (!given.has(field)) throw new Error(`“${field}” is missing`);
  const order = Number(given.get('order'));
  if (!Number.isInteger(order)) throw new Error('“order” must be a whole number such as 10');
  const minutes = given.has('minutes') ? Number(given.get('minutes')) : null;
  if (minutes !== null && !(Number.isInteger(minutes) && minutes > 0)) throw new Error('“minutes” must be a whole number such as 4');
  return {
    slug,
    title: given.get('title')!,
    group: given.get('group')!,
    order,
    summary: given.get('summary')!,
    minutes,
    who: given.get('who') ?? null,
    undo: given.get('undo') ?? null,
    checked: checkedIn(given.get('checked')),
    related: given.get('related')?.split(/,\s*/) ?? [],
    ...renderMarkdown(body, named(pictures), explainTerms),
  };
}

/** The day on which an article was checked, in words. @throws Error for what is no day */
function checkedIn(day: string | undefined): string | null {
  if (day === undefined) return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) throw new Error('“checked” must be a day such as 2026-11-09');
  return dayInWords(day);
}

function articlesIn(folder: string, pictures: Pictures): Article[] {
  let names: string[];
  try {
    names = fs.readdirSync(folder).filter(name => name.endsWith('.md'));
  } catch (error) {
    throw new Error(`The folder of help articles ${folder} can’t be read: ${(error as Error).message}`, { cause: error });
  }
  return names.map(name => {
    const slug = name.slice(0, -'.md'.length);
    try {
      if (!/^[a-z0-9][a-z0-9-]{0,79}$/.test(slug)) throw new Error('its name must be of small letters, digits and hyphens');
      return readArticle(slug, fs.readFileSync(path.join(folder, name), 'utf8'), pictures);
    } catch (error) {
      throw new Error(`The help article ${path.join(folder, name)}: ${(error as Error).message}.`, { cause: error });
    }
  });
}

/** The article of the terms that pages explain. */
const theTerms = (): Article => ({
  slug: termsArticle,
  title: 'Glossary',
  group: 'Start here',
  order: 90,
  summary:
    'What the terms on the registry’s pages mean. Point at an underlined one, or go to it with the keyboard, to read it where it stands.',
  ...noFacts,
  ...renderMarkdown(termsMarkdown()),
});

/** Those of the program, which change with a release only: a process with many portals, as in tests, reads them once. */
let ofProgram: HelpCentre | undefined;

export type HelpCentre = { articles: readonly Article[]; pictures: Pictures };

function readOwn(): HelpCentre {
  const pictures = readOwnPictures(ownArticles);
  // Tests hold them against the product of each release: their links, their pictures and the pages that they are about.
  const articles = [theTerms(), ...articlesIn(ownArticles, pictures)];
  return { articles: articles.map(article => ({ ...article, checked: article.checked ?? `with release ${release}` })), pictures };
}

const rank = (group: string): number => {
  const place = (groupOrder as readonly string[]).indexOf(group);
  return place === -1 ? groupOrder.length : place;
};

/**
 * Reads the articles of the program, and those of a folder of the registry, which replace them by their names or are added; so do its pictures.
 * @param ofRegistry folder of HELP_DIR; empty: none
 * @throws Error that names the file and says what is wrong
 */
export function readHelp(ofRegistry: string): HelpCentre {
  ofProgram ??= readOwn();
  const pictures = ofRegistry === '' ? ofProgram.pictures : new Map([...ofProgram.pictures, ...readPictures(ofRegistry)]);
  const all = new Map(ofProgram.articles.map(article => [article.slug, article]));
  if (ofRegistry !== '') for (const article of articlesIn(ofRegistry, pictures)) all.set(article.slug, article);
  const articles = [...all.values()].toSorted(
    (a, b) => rank(a.group) - rank(b.group) || a.group.localeCompare(b.group) || a.order - b.order || a.title.localeCompare(b.title),
  );
  return { articles, pictures };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Where a word counts how much: people search for what they want to do, which is in titles. */
const weights = { title: 12, summary: 4, plain: 1 } as const;

/** Words that say nothing of what a question is about. */
const emptyWords: ReadonlySet<string> = new Set(
  'a about an and are be can cannot do does for from has have help how i in is it me my no not of on or our please that the this to we what when where which why will with you your'.split(
    ' ',
  ),
);

/** Words of articles by their places: articles don’t change, and strangers ask often. */
const wordsByArticle = new WeakMap<Article, (readonly [weight: number, words: string[]])[]>();

/** Words of a question that count: each is compared with all words of all articles. */
const MAX_ASKED = 20;

/** How often articles have words, by the places where they count; zero where they don’t. */
function scoresOf(article: Article, asked: readonly string[]): number[] {
  let places = wordsByArticle.get(article);
  if (!places) {
    places = (Object.keys(weights) as (keyof typeof weights)[]).map(place => [weights[place], wordsOf(article[place])] as const);
    wordsByArticle.set(article, places);
  }
  return asked.map(word =>
    places.reduce((sum, [weight, words]) => {
      const found = words.filter(each => each.startsWith(word)).length;
      return sum + (found > 0 ? weight + Math.min(found, 5) / 10 : 0);
    }, 0),
  );
}

/** The score from which an article is suggested: its title, or several places, have what was asked. */
const LEAST = weights.title;

/**
 * Finds articles that may answer what someone is writing: those with its words in their titles, the best first.
 * @param text at most some hundred characters
 */
export function suggestArticles(articles: readonly Article[], text: string, most: number): Article[] {
  const asked = [...new Set(wordsOf(text))].filter(word => word.length > 1 && !emptyWords.has(word)).slice(0, MAX_ASKED);
  return articles
    .map(article => ({ article, score: scoresOf(article, asked).reduce((sum, score) => sum + score, 0) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ article }) => article);
}

/**
 * Finds articles that have every word of a question, or words that begin with them; the best first.
 * @param text at most some hundred characters
 */
export function searchArticles(articles: readonly Article[], text: string): Article[] {
  const asked = [...new Set(wordsOf(text))].slice(0, MAX_ASKED);
  if (asked.length === 0) return [];
  const scored = articles.map(article => {
    const scores = scoresOf(article, asked);
    return { article, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ article }) => article);
}
