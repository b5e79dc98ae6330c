import type { HelpArticle, HelpFound } from '@portal/contract/help-article';

const isRecord = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null;
const hasTexts = (given: Record<string, unknown>): boolean =>
  ['slug', 'title', 'summary'].every(name => typeof given[name] === 'string') && /^[a-z0-9-]+$/.test(String(given['slug']));

/** An article as the server sends it; null for anything else, such as the page of a proxy. Its blocks are those of the same release. */
export const articleFrom = (given: unknown): HelpArticle | null =>
  isRecord(given) && hasTexts(given) && Array.isArray(given['blocks']) ? (given as HelpArticle) : null;

/** Articles that may answer a question; none for anything else. */
export const foundIn = (given: unknown): HelpFound['articles'] =>
  isRecord(given) && Array.isArray(given['articles'])
    ? (given['articles'] as unknown[]).filter((each): each is HelpFound['articles'][number] => isRecord(each) && hasTexts(each))
    : [];
