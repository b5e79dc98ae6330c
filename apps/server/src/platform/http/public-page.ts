import type { FastifyReply } from 'fastify';
import { brandStyle, portalNameOf } from '../../brand.ts';
import type { Profile } from '../../profile.ts';
import { type Content, html } from './html.ts';
import { publicPaths } from './public-paths.ts';

/** A drawn share; the text beside it says the same. */
export const bar = (share: number, first = false): Content =>
  html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="${first ? 'first' : ''}" width="${(100 * share).toFixed(1)}" height="8"/></svg>`;

type Frame = {
  /** The page has its names and colours as they are when it is made. */
  profile: Profile;
  /** Part of the product that the page belongs to: `Ballots`. */
  area: string;
  /** Address of the built `apps/server/web/public-page.css`, or of a sheet that imports it. */
  styleSheet: string;
  /** Address of the page's script; without it the page has none. */
  script?: string;
  /** Search engines may list the page. */
  listed?: boolean;
};
/** @param who the person who reads the page, in place of the way to sign in */
export type PublicPage = (title: string, main: Content, who?: Content) => string;

/** Returns the frame of pages that are open without signing in and are rendered here: one sheet below the name of the product. */
export const publicPage =
  ({ profile, area, styleSheet, script, listed = false }: Frame): PublicPage =>
  (title, main, who) =>
    html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${!listed && html`<meta name="robots" content="noindex">`}
<title>${title} · ${portalNameOf(profile)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${styleSheet}">${brandStyle(profile)}${script !== undefined && html`<script type="module" src="${script}"></script>`}</head>
<body><nav class="ways" aria-label="Public pages">${Object.entries(publicPaths).map(([path, name]) => html`<a href="${path}">${name}</a>`)}${who ?? html`<a class="push" href="/">Sign in</a>`}</nav><main><p class="brand">${portalNameOf(profile)} <span>${area}</span></p><div class="sheet"><h1>${title}</h1>${main}</div></main></body></html>`
      .markup;

/** Sends a page that browsers do not keep. */
export const sendPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
