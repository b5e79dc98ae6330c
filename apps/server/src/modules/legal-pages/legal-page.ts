import { dayInFull } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { renderMarkdown } from '../../platform/http/markdown.ts';
import type { PublicText } from '../legal/index.ts';

const addressOf = ({ text, version }: PublicText): string => `/legal/${text}/${version}`;

/** All texts. */
export const listPage = (texts: readonly PublicText[]): Content =>
  html`<div class="answer"><h1>Legal texts</h1><p class="lead">Terms, agreements and notices of the registry, with all their versions.</p></div>${
    texts.length === 0
      ? html`<p class="quiet">No texts yet. They appear here, with their versions.</p>`
      : html`<section class="sheet"><ul class="found">${texts.map(
          each =>
            html`<li><a href="/legal/${each.text}">${each.title}</a><p class="quiet">Version ${each.version}, ${since(each)}</p></li>`,
        )}</ul></section>`
  }`;

const since = ({ hasBegun, validFrom }: PublicText): string =>
  hasBegun ? `in force since ${dayInFull(validFrom)}` : `takes effect on ${dayInFull(validFrom)}`;

/** One version, with the others beside it. @param versions the newest first */
export function textPage(versions: readonly PublicText[], shown: PublicText): Content {
  const inForce = versions.find(({ hasBegun }) => hasBegun);
  const { body, headings } = renderMarkdown(shown.body);
  const later = versions.findLast(({ version, hasBegun }) => hasBegun && version > shown.version);
  return html`<div class="help"><div class="side"><nav class="contents" aria-label="Versions"><h2>Versions</h2><ul>${versions.map(
    each =>
      html`<li><a href="${addressOf(each)}"${each.version === shown.version && html` aria-current="page"`}>Version ${each.version}<span class="quiet">, ${each.hasBegun ? '' : 'from '}${dayInFull(each.validFrom)}${each === inForce && ', in force'}</span></a></li>`,
  )}</ul></nav></div><article><p class="crumbs"><a href="/legal">Legal texts</a> / ${shown.title}</p><h1>${shown.title}</h1><p class="lead">Version ${shown.version}, ${
    later === undefined
      ? since(shown)
      : `in force from ${dayInFull(shown.validFrom)} until version ${later.version} on ${dayInFull(later.validFrom)}`
  }.${later !== undefined && html` <a href="/legal/${shown.text}">Read the version in force</a>`}</p>${
    shown.changes !== '' && html`<p><b>What is new:</b> ${shown.changes}</p>`
  }${body}</article>
<aside class="toc" aria-label="On this page">${
    headings.length > 1 &&
    html`<h2>On this page</h2><ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`
  }</aside></div>`;
}
