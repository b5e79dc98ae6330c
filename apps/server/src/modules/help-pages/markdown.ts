import { type Content, html } from '../../platform/http/html.ts';

/** Parts of an article that a table of contents names. */
export type Heading = { id: string; text: string };
export type Rendered = { body: Content; headings: Heading[]; links: string[]; plain: string };

/** Addresses that an article may lead to: this server’s pages, the web over TLS, mail, and places in the article. */
const safeAddress = /^(?:\/(?!\/)|#|https:\/\/|mailto:)[^\s<>"']*$/;

type Notes = { headings: Heading[]; links: string[] };

/** Text of a line: code, strong words and links; everything else is text as it stands. @throws Error for an address that isn’t allowed */
function inline(text: string, notes: Notes): Content {
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
  const parts: Content[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(text.slice(end, found.index));
    end = found.index + found[0].length;
    const [, code, strong, label, address] = found;
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<b>${inline(strong, notes)}</b>`);
    else {
      if (!safeAddress.test(address!)) throw new Error(`the link to ${address} must begin with /, #, https:// or mailto:`);
      notes.links.push(address!);
      parts.push(html`<a href="${address}">${inline(label!, notes)}</a>`);
    }
  }
  return [...parts, text.slice(end)];
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

/** A table whose second line is `| --- | --- |`. On narrow screens its rows become cards. */
function table(lines: readonly string[], notes: Notes): Content {
  const [head = '', , ...rows] = lines;
  return html`<div class="wide sheet" tabindex="0" role="region" aria-label="${cellsOf(head).join(', ')}"><table><thead><tr>${cellsOf(
    head,
  ).map(cell => html`<th scope="col">${inline(cell, notes)}</th>`)}</tr></thead><tbody>${rows.map(row => {
    const [first = '', ...others] = cellsOf(row);
    return html`<tr><th scope="row">${inline(first, notes)}</th>${others.map(cell => html`<td>${inline(cell, notes)}</td>`)}</tr>`;
  })}</tbody></table></div>`;
}

/** A list: items begin with `1. ` or `- `, and go on in lines that are indented. */
function list(block: string, notes: Notes): Content {
  const isOrdered = /^\d+\. /.test(block);
  const items = block.split(/\n(?=(?:\d+\.|-) )/).map(item => item.replace(/^(?:\d+\.|-) +/, '').split(/\n +/));
  const rows = items.map(
    ([first = '', ...rest]) => html`<li>${inline(first, notes)}${rest.length > 0 && html`<p>${inline(rest.join(' '), notes)}</p>`}</li>`,
  );
  return isOrdered ? html`<ol class="steps">${rows}</ol>` : html`<ul class="points">${rows}</ul>`;
}

function block(text: string, notes: Notes): Content {
  const heading = /^(#{2,3}) +(.+)$/.exec(text);
  if (heading) {
    const [, marks, words = ''] = heading;
    const id = idOf(words);
    if (marks === '###') return html`<h3 id="${id}">${inline(words, notes)}</h3>`;
    notes.headings.push({ id, text: words });
    return html`<h2 id="${id}">${inline(words, notes)}</h2>`;
  }
  const code = /^```\w*\n([\s\S]*?)\n?```$/.exec(text);
  if (code) return html`<pre tabindex="0" role="region" aria-label="Example" data-copy="${code[1]}">${code[1]}</pre>`;
  const lines = text.split('\n');
  if (lines.length > 1 && text.startsWith('|') && /^\|[\s|:-]+\|$/.test(lines[1]!.trim())) return table(lines, notes);
  if (/^(?:\d+\.|-) /.test(text)) return list(text, notes);
  if (text.startsWith('#')) throw new Error(`“${lines[0]}” must be a heading of the second or third level, such as ## Steps`);
  return html`<p>${inline(lines.join(' '), notes)}</p>`;
}

/** Blocks are parted by empty lines; code keeps its own. */
const blocksOf = (markdown: string): string[] =>
  (markdown.replaceAll('\r\n', '\n').match(/```[\s\S]*?```|[^\n](?:(?!\n\s*\n|\n```)[\s\S])*/g) ?? [])
    .map(each => each.trim())
    .filter(each => each !== '');

/**
 * Renders the Markdown of help articles: headings, paragraphs, lists of one level, tables, code, strong words and links. It has no HTML: what looks like it is text.
 * @throws Error for a heading or link that isn’t allowed, in a sentence without its end
 */
export function renderMarkdown(markdown: string): Rendered {
  const notes: Notes = { headings: [], links: [] };
  const body = blocksOf(markdown).map(each => html`${block(each, notes)}\n`);
  const plain = markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*#|]/g, ' ');
  return { body, ...notes, plain };
}
