import type { HelpBlock, HelpItem, HelpWord, HelpWords } from '@portal/contract/help-article';
import { type Content, html } from '../../platform/http/html.ts';

/** Parts of an article that a table of contents names. */
export type Heading = { id: string; text: string };
export type Rendered = { body: Content; blocks: HelpBlock[]; headings: Heading[]; links: string[]; plain: string };

/** Addresses that an article may lead to: this server’s pages, the web over TLS, mail, and places in the article. */
const safeAddress = /^(?:\/(?!\/)|#|https:\/\/|mailto:)[^\s<>"']*$/;

type Notes = { headings: Heading[]; links: string[] };

/** Reads the words of a line: code, strong words and links; everything else is text as it stands. @throws Error for an address that isn’t allowed */
function wordsIn(text: string, notes: Notes): HelpWord[] {
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
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

function blockIn(text: string, notes: Notes): HelpBlock {
  const heading = /^(#{2,3}) +(.+)$/.exec(text);
  if (heading) {
    const [, marks, words = ''] = heading;
    const id = idOf(words);
    if (marks === '##') notes.headings.push({ id, text: words });
    return { kind: 'heading', level: marks === '##' ? 2 : 3, id, words: wordsIn(words, notes) };
  }
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

const inline = (words: HelpWords): Content =>
  words.map(word => {
    if (typeof word === 'string') return word;
    if (word.kind === 'code') return html`<code>${word.text}</code>`;
    if (word.kind === 'term') return html`<a class="term" href="${word.address}" title="${word.words}">${word.text}</a>`;
    return word.kind === 'strong' ? html`<b>${inline(word.words)}</b>` : html`<a href="${word.address}">${inline(word.words)}</a>`;
  });

/** The text of words, without their marks. */
const textOf = (words: HelpWords): string =>
  words
    .map(word => (typeof word === 'string' ? word : word.kind === 'code' || word.kind === 'term' ? word.text : textOf(word.words)))
    .join('');

/** A block in HTML. A table’s rows become cards on narrow screens. */
function rendered(block: HelpBlock): Content {
  switch (block.kind) {
    case 'heading':
      return block.level === 2
        ? html`<h2 id="${block.id}">${inline(block.words)}</h2>`
        : html`<h3 id="${block.id}">${inline(block.words)}</h3>`;
    case 'paragraph':
      return html`<p>${inline(block.words)}</p>`;
    case 'code':
      return html`<pre tabindex="0" role="region" aria-label="Example" data-copy="${block.text}">${block.text}</pre>`;
    case 'list': {
      const rows = block.items.map(({ words, more }) => html`<li>${inline(words)}${more !== null && html`<p>${inline(more)}</p>`}</li>`);
      return block.isOrdered ? html`<ol class="steps">${rows}</ol>` : html`<ul class="points">${rows}</ul>`;
    }
    case 'table':
      return html`<div class="wide sheet" tabindex="0" role="region" aria-label="${block.head.map(textOf).join(', ')}"><table><thead><tr>${block.head.map(
        cell => html`<th scope="col">${inline(cell)}</th>`,
      )}</tr></thead><tbody>${block.rows.map(([first = [], ...others]) => html`<tr><th scope="row">${inline(first)}</th>${others.map(cell => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
  }
}

/** Blocks are parted by empty lines; code keeps its own. */
const blocksOf = (markdown: string): string[] =>
  (markdown.replaceAll('\r\n', '\n').match(/```[\s\S]*?```|[^\n](?:(?!\n\s*\n|\n```)[\s\S])*/g) ?? [])
    .map(each => each.trim())
    .filter(each => each !== '');

/**
 * Reads and renders the Markdown of help articles: headings, paragraphs, lists of one level, tables, code, strong words and links. It has no HTML: what looks like it is text.
 * @param change what is made of its blocks before they are rendered
 * @throws Error for a heading or link that isn’t allowed, in a sentence without its end
 */
export function renderMarkdown(markdown: string, change: (blocks: HelpBlock[]) => HelpBlock[] = blocks => blocks): Rendered {
  const notes: Notes = { headings: [], links: [] };
  const blocks = change(blocksOf(markdown).map(each => blockIn(each, notes)));
  const plain = markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*#|]/g, ' ');
  return { body: blocks.map(each => html`${rendered(each)}\n`), blocks, ...notes, plain };
}
