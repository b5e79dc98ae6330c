import type { HelpBlock, HelpItem, HelpPicture, HelpWord, HelpWords } from './help-article.ts';
import { readRoaPicture } from './roa-picture.ts';

/** Parts of a text that a table of contents names. */
export type Heading = { id: string; text: string };
/** A text in blocks, with its headings of the second level and the addresses to which it leads. */
export type ReadMarkdown = { blocks: HelpBlock[]; headings: Heading[]; links: string[] };

/** Pictures that a text may show, by their names in it. */
export type NamedPictures = ReadonlyMap<string, Omit<HelpPicture, 'kind' | 'words'>>;

/** Addresses that an article may lead to: this server’s pages, the web over TLS, mail, and places in the article. */
const safeAddress = /^(?:\/(?!\/)|#|https:\/\/|mailto:)[^\s<>"']*$/;

type Notes = { headings: Heading[]; links: string[] };

/** Reads the words of a line: code, strong words and links; everything else is text as it stands. @throws Error for an address that isn’t allowed */
function wordsIn(text: string, notes: Notes): HelpWord[] {
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^[\]]+)\]\(([^)\s]+)\)/g;
  const parts: HelpWord[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(text.slice(end, found.index));
    end = found.index + found[0].length;
    const [, code, strong, label, address] = found;
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', words: wordsIn(strong, notes) });
    else {
      if (!safeAddress.test(address!)) throw new Error(`the link to ${address} must begin with /, #, https:// or mailto:`);
      notes.links.push(address!);
      parts.push({ kind: 'link', address: address!, words: wordsIn(label!, notes) });
    }
  }
  return [...parts, text.slice(end)].filter(part => part !== '');
}

const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map(cell => cell.trim());

/** Reads a list: items begin with `1. ` or `- `, and go on in lines that are indented. */
function listIn(text: string, notes: Notes): HelpBlock {
  const items = text.split(/\n(?=(?:\d+\.|-) )/).map(item => item.replace(/^(?:\d+\.|-) +/, '').split(/\n +/));
  return {
    kind: 'list',
    isOrdered: /^\d+\. /.test(text),
    items: items.map(
      ([first = '', ...rest]): HelpItem => ({
        words: wordsIn(first, notes),
        more: rest.length > 0 ? wordsIn(rest.join(' '), notes) : null,
      }),
    ),
  };
}

function pictureIn(words: string, name: string, pictures: NamedPictures): HelpBlock {
  const picture = pictures.get(name);
  if (!picture) throw new Error(`there is no picture “${name}”`);
  return { kind: 'picture', words, ...picture };
}

function blockIn(text: string, notes: Notes, pictures: NamedPictures): HelpBlock {
  const [, shown, name] = /^!\[([^[\]]+)\]\(([^)\s]+)\)$/.exec(text) ?? [];
  if (name !== undefined) return pictureIn(shown!, name, pictures);
  const heading = /^(#{2,3}) +(.+)$/.exec(text);
  if (heading) {
    const [, marks, words = ''] = heading;
    const id = idOf(words);
    if (marks === '##') notes.headings.push({ id, text: words });
    return { kind: 'heading', level: marks === '##' ? 2 : 3, id, words: wordsIn(words, notes) };
  }
  const roa = /^```roa\n(.+)\n```$/.exec(text);
  if (roa) return { kind: 'roa', roa: readRoaPicture(roa[1]!) };
  const code = /^```\w*\n([\s\S]*?)\n?```$/.exec(text);
  if (code) return { kind: 'code', text: code[1]! };
  const lines = text.split('\n');
  if (lines.length > 1 && text.startsWith('|') && /^\|[\s|:-]+\|$/.test(lines[1]!.trim())) {
    const [head = '', , ...rows] = lines;
    const read = (line: string): HelpWords[] => cellsOf(line).map(cell => wordsIn(cell, notes));
    return { kind: 'table', head: read(head), rows: rows.map(read) };
  }
  if (/^(?:\d+\.|-) /.test(text)) return listIn(text, notes);
  if (text.startsWith('#')) throw new Error(`“${lines[0]}” must be a heading of the second or third level, such as ## Steps`);
  return { kind: 'paragraph', words: wordsIn(lines.join(' '), notes) };
}

/** Blocks are parted by empty lines; code keeps its own. */
const blocksOf = (markdown: string): string[] =>
  (markdown.replaceAll('\r\n', '\n').match(/```[\s\S]*?```|[^\n](?:(?!\n\s*\n|\n```)[\s\S])*/g) ?? [])
    .map(each => each.trim())
    .filter(each => each !== '');

/**
 * Reads the Markdown of help articles and legal texts: headings, paragraphs, lists of one level, tables, code, strong words and links. It has no HTML: what looks like it is text.
 * A picture is a block of its own, `![What it shows](name)`; code of the kind `roa`, such as `AS64500 198.18.40.0/22 up to /23`, is drawn.
 * @param pictures those that it may show; none: it shows none
 * @throws Error for a heading or link that isn’t allowed, or a picture that isn’t there, in a sentence without its end
 */
export function readMarkdown(markdown: string, pictures: NamedPictures = new Map()): ReadMarkdown {
  const notes: Notes = { headings: [], links: [] };
  return { blocks: blocksOf(markdown).map(each => blockIn(each, notes, pictures)), ...notes };
}

/** Returns what isn’t allowed in a text, as the end of a sentence; null if all is. */
export function problemOfMarkdown(markdown: string): string | null {
  try {
    readMarkdown(markdown);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
