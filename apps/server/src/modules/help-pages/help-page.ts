import { type Content, html } from '../../platform/http/html.ts';
import type { Article } from './articles.ts';

/** How an article ends: who answers what it doesn’t. */
type Support = { supportEmail: string; supportPhone: string; appUrl: string };

const pathOf = ({ slug }: Article): string => `/help/${slug}`;

const searchForm = (asked = ''): Content =>
  html`<form class="help-find" action="/help" role="search"><label class="away" for="help-q">Search help</label><input id="help-q" name="q" type="search" value="${asked}" placeholder="Search help" maxlength="200" autocomplete="off"><button class="btn plain">Search</button></form>`;

/** Articles by group; they are in their order. */
function groupsOf(articles: readonly Article[]): Map<string, Article[]> {
  const groups = new Map<string, Article[]>();
  for (const article of articles) groups.set(article.group, [...(groups.get(article.group) ?? []), article]);
  return groups;
}

function contents(articles: readonly Article[], shown?: Article): Content {
  return html`<nav class="contents" aria-label="Help articles">${[...groupsOf(articles)].map(
    ([group, members]) =>
      html`<h2>${group}</h2><ul>${members.map(
        each => html`<li><a href="${pathOf(each)}"${each.slug === shown?.slug && html` aria-current="page"`}>${each.title}</a></li>`,
      )}</ul>`,
  )}</nav>`;
}

const stillStuck = ({ supportEmail, supportPhone, appUrl }: Support): Content =>
  html`<h2>Still stuck?</h2><p class="quiet">Members ask in the portal, and see the answer there. Everyone can write to <a href="mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}">${supportEmail}</a>${supportPhone && html` or call <a href="tel:${supportPhone.replaceAll(/[^\d+]/g, '')}">${supportPhone}</a>`}.</p><a class="btn plain" href="${appUrl}/contact/helpdesk/rt-tickets">Ask a question</a>`;

/** An article, with the others beside it. */
export const articlePage = (articles: readonly Article[], article: Article, support: Support): Content =>
  html`<div class="help"><div class="side">${searchForm()}${contents(articles, article)}</div><article><p class="crumbs"><a href="/help">Help</a> / ${article.group}</p><h1>${article.title}</h1><p class="lead">${article.summary}</p>${article.body}</article>
<aside class="toc" aria-label="On this page">${
    article.headings.length > 1 &&
    html`<h2>On this page</h2><ul>${article.headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`
  }${stillStuck(support)}</aside></div>`;

/** The first page: all articles by group. */
export const helpHome = (articles: readonly Article[]): Content =>
  html`<div class="answer"><h1>Help</h1><p class="lead">How to do what members do, step by step. No account needed to read.</p></div>${searchForm()}<div class="groups">${[
    ...groupsOf(articles),
  ].map(
    ([group, members]) =>
      html`<section class="sheet"><header><h2>${group}</h2></header><ul>${members.map(each => html`<li><a href="${pathOf(each)}">${each.title}</a><p class="quiet">${each.summary}</p></li>`)}</ul></section>`,
  )}</div>`;

/** The articles that a search found. */
export const foundPage = (articles: readonly Article[], asked: string, found: readonly Article[], support: Support): Content =>
  html`<div class="help"><div class="side">${searchForm(asked)}${contents(articles)}</div><div><h1>${
    found.length === 0 ? 'Nothing found' : found.length === 1 ? '1 article' : `${found.length} articles`
  }</h1><p class="lead">${found.length === 0 ? html`No article has all the words of “${asked}”. Use fewer words, or look in the list.` : html`About “${asked}”`}</p><ul class="found">${found.map(
    each => html`<li><a href="${pathOf(each)}">${each.title}</a><p class="quiet">${each.group}. ${each.summary}</p></li>`,
  )}</ul></div><aside class="toc" aria-label="Help from people">${stillStuck(support)}</aside></div>`;
