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

/** Marks of the facts of an article: a clock, a person and an arrow back. */
const factMarks = {
  minutes: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.300l2.200 1.700',
  who: 'M8 8a2.700 2.700 0 1 0 0-5.400A2.700 2.700 0 0 0 8 8zM2.800 14c.5-2.700 2.500-4.200 5.200-4.200s4.700 1.500 5.200 4.200',
  undo: 'M5.500 3 2.500 6l3 3M2.500 6h7a3.750 3.750 0 0 1 0 7.500H6',
} as const;

/** How long it takes, who may do it, and whether it can be undone. */
function factsOf({ minutes, who, undo }: Article): Content {
  const facts: [keyof typeof factMarks, string][] = [
    ...(minutes === null ? [] : [['minutes', minutes === 1 ? '1 minute' : `${minutes} minutes`] as [keyof typeof factMarks, string]]),
    ...(who === null ? [] : [['who', who] as [keyof typeof factMarks, string]]),
    ...(undo === null ? [] : [['undo', undo] as [keyof typeof factMarks, string]]),
  ];
  return (
    facts.length > 0 &&
    html`<ul class="task-facts">${facts.map(([fact, words]) => html`<li><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${factMarks[fact]}"/></svg>${words}</li>`)}</ul>`
  );
}

/** Neighbours of the same group that are named beside an article without related ones. */
const MAX_BESIDE = 3;

/** Articles that people read next: those it names, otherwise its neighbours in the group. */
function relatedTo(articles: readonly Article[], article: Article): Article[] {
  if (article.related.length > 0) return article.related.flatMap(slug => articles.find(each => each.slug === slug) ?? []);
  return articles.filter(each => each.group === article.group && each.slug !== article.slug).slice(0, MAX_BESIDE);
}

/** Pages of the portal, where tasks are done. */
const ofPortal = /^\/(?:resources|member-account-settings|voting|events|contact|technical|task)\b/;

/** Facts of an account that articles are about, by their group. */
const aboutOf: Readonly<Record<string, string>> = { 'Routes and RPKI': 'routes', 'Reverse DNS': 'reverse' };

/** The page of the portal where the steps of an article begin: the first that they link to. Null where they link to none. */
function startOf({ blocks }: Article): { address: string; words: string } | null {
  const links = blocks.flatMap(block =>
    block.kind === 'list' && block.isOrdered
      ? block.items.flatMap(item => [...item.words, ...(item.more ?? [])].filter(word => typeof word !== 'string' && word.kind === 'link'))
      : [],
  );
  const link = links.find(({ address }) => ofPortal.test(address));
  return link ? { address: link.address, words: `Open ${link.words.filter(word => typeof word === 'string').join('')}` } : null;
}

/** An empty place for readers who are signed in, which a script fills: the page is the same for everyone. */
function startPart(article: Article, { appUrl }: Support): Content {
  const start = startOf(article);
  return (
    start &&
    html`<div class="start-now" data-start="${appUrl}${start.address}" data-words="${start.words}"${aboutOf[article.group] !== undefined && html` data-about="${aboutOf[article.group]}"`} hidden></div>`
  );
}

/** How a reader answered the question at the end of an article. */
export const helpedAnswers = ['yes', 'no'] as const;
export type Helped = (typeof helpedAnswers)[number];

const mailTo = ({ supportEmail }: Support, subject: string): string =>
  `mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=${encodeURIComponent(subject)}`;

/** The end of an article: whether it helped, and a way to those who write it. @param helped what the reader answered; null before that */
function answerPart(article: Article, helped: Helped | null, support: Support): Content {
  const edit = html`<a class="push" href="${mailTo(support, `Help: ${article.title}`)}">Suggest an edit</a>`;
  if (helped !== null)
    return html`<div class="helped" id="helped" role="status"><p>Thank you.${
      helped === 'no' &&
      html` What’s missing? <a href="${support.appUrl}/contact/helpdesk/rt-tickets">Ask a question</a>, or suggest an edit.`
    }</p>${edit}</div>`;
  return html`<form class="helped" id="helped" method="post" action="${pathOf(article)}/answer"><p id="helped-question">Did this answer your question?</p>${helpedAnswers.map(
    answer =>
      html`<button class="btn plain" name="helped" value="${answer}" aria-describedby="helped-question">${answer === 'yes' ? 'Yes' : 'No'}</button>`,
  )}${edit}</form>`;
}

/** An article, with the others beside it. @param helped what its reader answered; null before that */
export const articlePage = (
  articles: readonly Article[],
  article: Article,
  support: Support,
  helped: Helped | null = null,
  after: Content = null,
): Content => {
  const related = relatedTo(articles, article);
  return html`<div class="help"><div class="side">${searchForm()}${contents(articles, article)}</div><article><p class="crumbs"><a href="/help">Help</a> / ${article.group}${article.checked !== null && html`<span class="push">Checked ${article.checked}</span>`}</p><h1>${article.title}</h1><p class="lead">${article.summary}</p>${factsOf(article)}${startPart(article, support)}${article.body}${after}${answerPart(article, helped, support)}</article>
<aside class="toc" aria-label="On this page">${
    article.headings.length > 1 &&
    html`<h2>On this page</h2><ul>${article.headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`
  }${related.length > 0 && html`<h2>Related</h2><ul>${related.map(each => html`<li><a href="${pathOf(each)}">${each.title}</a></li>`)}</ul>`}${stillStuck(support)}</aside></div>`;
};

/** Says that an address answered too often, with the way back. */
export const answeredOften = (article: Article, wait: string): Content =>
  html`<div class="answer"><h1>Try again later</h1><p class="lead">${wait} Your answers so far are counted. <a href="${pathOf(article)}">Back to ${article.title}</a></p></div>`;

/** The first page: all articles by group. */
export const helpHome = (articles: readonly Article[]): Content =>
  html`<div class="answer"><h1>Help</h1><p class="lead">How to do what members do, step by step. You don’t need to sign in.</p></div>${searchForm()}<div class="groups">${[
    ...groupsOf(articles),
  ].map(
    ([group, members]) =>
      html`<section class="sheet"><header><h2>${group}</h2></header><ul>${members.map(each => html`<li><a href="${pathOf(each)}">${each.title}</a><p class="quiet">${each.summary}</p></li>`)}</ul></section>`,
  )}</div>`;

/** The articles that a search found. */
export const foundPage = (articles: readonly Article[], asked: string, found: readonly Article[], support: Support): Content =>
  listPage(articles, asked, support, {
    heading: found.length === 0 ? 'Nothing found' : found.length === 1 ? '1 article' : `${found.length} articles`,
    lead:
      found.length === 0 ? html`No article has all the words of “${asked}”. Use fewer words, or look in the list.` : html`About “${asked}”`,
    found,
  });

/** Says that an address has no article, with those that have its words. @param asked the words of the address */
export const missingPage = (articles: readonly Article[], asked: string, found: readonly Article[], support: Support): Content =>
  listPage(articles, asked, support, {
    heading: 'This article isn’t here',
    lead:
      found.length === 0
        ? html`The address may be mistyped, or the article has gone. Look in the list, or search.`
        : html`The address may be mistyped, or the article has gone. You may be looking for:`,
    found,
  });

/** Lists some articles under a heading, with the search and the list of all beside them. */
const listPage = (
  articles: readonly Article[],
  asked: string,
  support: Support,
  { heading, lead, found }: { heading: string; lead: Content; found: readonly Article[] },
): Content =>
  html`<div class="help"><div class="side">${searchForm(asked)}${contents(articles)}</div><div><h1>${heading}</h1><p class="lead">${lead}</p><ul class="found">${found.map(
    each => html`<li><a href="${pathOf(each)}">${each.title}</a><p class="quiet">${each.group}. ${each.summary}</p></li>`,
  )}</ul></div><aside class="toc" aria-label="Help from people">${stillStuck(support)}</aside></div>`;
