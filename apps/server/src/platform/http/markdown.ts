import type { HelpBlock, HelpWords } from '@portal/contract/help-article';
import { type NamedPictures, type ReadMarkdown, readMarkdown } from '@portal/contract/markdown';
import { type RoaPicture, roaPictureInWords } from '@portal/contract/roa-picture';
import { type Content, html } from './html.ts';

export type Rendered = ReadMarkdown & { body: Content; plain: string };

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

/** A ROA above the announcements that it makes valid or invalid, to scale. */
const roaFigure = (roa: RoaPicture): Content =>
  html`<div class="roa" role="img" aria-label="${roaPictureInWords(roa)}"><div aria-hidden="true"><span>ROA</span><p class="allowed"><b>${roa.asn}</b> ${roa.prefix}, up to /${roa.maxLength}</p></div>${roa.rows.map(
    ({ length, parts, isValid }) =>
      html`<div aria-hidden="true"><span>announced /${length}</span>${parts.map((part, place) => html`<p class="${isValid ? 'valid' : 'invalid'}" title="${part}">${place === 0 && (isValid ? 'valid' : 'invalid, too long')}</p>`)}</div>`,
  )}<div class="scale" aria-hidden="true"><span></span>${roa.rows.at(-1)!.parts.map(part => html`<span>${part.split('/')[0]!}</span>`)}</div></div>`;

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
    case 'picture': {
      const { light, dark, words, width, height } = block;
      const source = dark !== null && html`<source srcset="${dark}" media="(prefers-color-scheme: dark)">`;
      return html`<figure><a href="${light}"><picture>${source}<img src="${light}" width="${width}" height="${height}" alt="${words}" loading="lazy"></picture></a></figure>`;
    }
    case 'roa':
      return roaFigure(block.roa);
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

/**
 * Reads and renders the Markdown of help articles and legal texts (`readMarkdown`).
 * @param pictures those that it may show
 * @param change what is made of its blocks before they are rendered
 * @throws Error for a heading or link that isn’t allowed, or a picture that isn’t there, in a sentence without its end
 */
export function renderMarkdown(
  markdown: string,
  pictures?: NamedPictures,
  change: (blocks: HelpBlock[]) => HelpBlock[] = blocks => blocks,
): Rendered {
  const { blocks: read, ...notes } = readMarkdown(markdown, pictures);
  const blocks = change(read);
  const plain = markdown.replaceAll(/!?\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*#|]/g, ' ');
  return { body: blocks.map(each => html`${rendered(each)}\n`), blocks, ...notes, plain };
}
