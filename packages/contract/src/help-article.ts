import type { RoaPicture } from './roa-picture.ts';

/** Words of an article: text, code, strong words, links. */
export type HelpWords = readonly HelpWord[];
export type HelpWord =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong'; words: HelpWords }
  | { kind: 'link'; address: string; words: HelpWords }
  /** A term of the field, as it stands there, with what it means. */
  | { kind: 'term'; text: string; address: string; words: string };

export type HelpItem = { words: HelpWords; more: HelpWords | null };
/** Blocks of an article, as `apps/server/help` has them in Markdown. */
export type HelpBlock =
  | { kind: 'heading'; level: 2 | 3; id: string; words: HelpWords }
  | { kind: 'paragraph'; words: HelpWords }
  | { kind: 'code'; text: string }
  | HelpPicture
  /** A ROA and the validity of announcements, drawn. */
  | { kind: 'roa'; roa: RoaPicture }
  | { kind: 'list'; isOrdered: boolean; items: readonly HelpItem[] }
  | { kind: 'table'; head: readonly HelpWords[]; rows: readonly (readonly HelpWords[])[] };

/**
 * A picture of a page. Its size is that on the page, in pixels.
 * @property words what it shows, for those who don’t see it
 * @property dark address of the same in dark colours, where there is one
 */
export type HelpPicture = { kind: 'picture'; words: string; light: string; dark: string | null; width: number; height: number };

/** A help article for the panel beside a page: `/help/<slug>?as=json`. */
export type HelpArticle = { slug: string; title: string; summary: string; blocks: readonly HelpBlock[] };

/** Articles that may answer a question: `/help?q=…&as=json`. */
export type HelpFound = { articles: readonly Pick<HelpArticle, 'slug' | 'title' | 'summary'>[] };
