import type { HelpBlock, HelpWord, HelpWords } from '@portal/contract/help-article';
import { termAddress, type TermName, termNames, terms } from '@portal/contract/terms';

/** Terms that are explained in articles, where they stand first; others are ordinary words too. */
const explained = [
  'asNumber',
  'prefix',
  'delegation',
  'economy',
  'maintainer',
  'reverseDns',
  'roa',
  'rpki',
  'irr',
  'irt',
  'rdap',
  'nrtm',
  'rrdp',
] as const satisfies readonly TermName[];

/** Finds a term in a text, in one or several; abbreviations as they are written. */
const patternOf = (name: TermName): RegExp => new RegExp(`\\b${terms[name].name}s?\\b`, /^[A-Z]+$/.test(terms[name].name) ? '' : 'i');
const patterns = new Map(explained.map(name => [name, patternOf(name)]));

/** Marks the terms of a text that were not explained before. */
function explainText(text: string, open: Set<TermName>): HelpWord[] {
  const found = [...open].flatMap(name => {
    const match = patterns.get(name as (typeof explained)[number])!.exec(text);
    return match ? [{ name, at: match.index, label: match[0] }] : [];
  });
  const [first] = found.toSorted((a, b) => a.at - b.at || b.label.length - a.label.length);
  if (!first) return [text];
  open.delete(first.name);
  const { words } = terms[first.name];
  return [
    ...(first.at > 0 ? [text.slice(0, first.at)] : []),
    { kind: 'term' as const, text: first.label, address: termAddress(first.name), words },
    ...explainText(text.slice(first.at + first.label.length), open),
  ].filter(part => part !== '');
}

const explainWords = (words: HelpWords, open: Set<TermName>): HelpWords =>
  words.flatMap(word => (typeof word === 'string' ? explainText(word, open) : [word]));

/** Marks each term where an article has it first, in its paragraphs and lists: not in code, links and headings. */
export function explainTerms(blocks: readonly HelpBlock[]): HelpBlock[] {
  const open = new Set<TermName>(explained);
  return blocks.map(block => {
    if (block.kind === 'paragraph') return { ...block, words: explainWords(block.words, open) };
    if (block.kind !== 'list') return block;
    const items = block.items.map(({ words, more }) => ({ words: explainWords(words, open), more: more && explainWords(more, open) }));
    return { ...block, items };
  });
}

/** The article of all terms, in Markdown: each is a heading, so that links lead to it. */
export const termsMarkdown = (): string =>
  termNames
    .toSorted((a, b) => terms[a].name.localeCompare(terms[b].name))
    .map(name => `## ${terms[name].name}\n\n${terms[name].words}`)
    .join('\n\n');
