import type { Config } from '../../../config.ts';
import { brandStyle, portalNameOf } from '../../../brand.ts';
import { heldSubmit } from '../../../platform/http/held-submit.ts';
import { type Content, type Html, html } from '../../../platform/http/html.ts';
import { publicPaths } from '../../../platform/http/public-paths.ts';
import type { Profile } from '../../../profile.ts';
import { addressMap } from './address-map.ts';

/** Request data that every page needs. */
export type PageContext = {
  cookie: string | undefined;
  traceId: string /** The person saves data (Save-Data Client Hint): no typeface, no picture. */;
  savesData?: boolean;
};

export type PageOptions = { config: Config; profile: Profile; asset: (source: string) => string };

type More = {
  /** Shown in the footer beside the registry's name. */
  footer?: Content;
  /** Source of the page's one script; the page works without it. */
  script?: string | null;
  /** The page starts its sign-in itself; the web app server adds the necessary script to the head. */
  begins?: boolean;
};

/** The frame of the sign-in pages: server-rendered HTML in the look of the portal, small and without scripts of its own. */
export type Frame = ((context: PageContext, title: string, main: Content, more?: More) => string) & {
  /** Name of the portal, such as `MyRegistry`. */
  readonly product: string;
  readonly registryName: string;
  readonly supportEmail: string;
  readonly lostFactorProcedure: string;
  /** Address of the portal's start page. */
  home: string;
};

export const themeOf = (cookie: string | undefined): string | null => /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookie ?? '')?.[1] ?? null;

export const mark = html`<svg viewBox="0 0 22 22" aria-hidden="true"><path class="mark" d="M1 1h20v20H1z"/><path class="mark-full" d="M1 1h10v20H1z"/><path class="mark" d="M11 11h10M16 11v10"/><path class="mark-accent" d="M16.8 11.8h3.4v8.4h-3.4z"/></svg>`;

/** The frame for pages of one column beside the sample network. */
export function signInFrame({ config, profile, asset }: PageOptions): Frame {
  const frame = (
    { cookie, savesData = false }: PageContext,
    title: string,
    main: Content,
    { footer, script = null, begins = false }: More = {},
  ): string => {
    const theme = themeOf(cookie);
    const product = portalNameOf(profile);
    return html`<!doctype html>
<html lang="en"${theme && html` data-theme="${theme}"`}${begins && html` data-begins`}${savesData && html` data-save`}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title} · ${product}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${asset('apps/server/web/sign-in.css')}">${brandStyle(profile)}${script && html`<script type="module" src="${asset(script)}"></script>`}${begins && html`${heldSubmit}<!--begin--><noscript><meta http-equiv="refresh" content="0; url=/plain"></noscript>`}</head>
<body><main><header><p class="brand">${mark}${product}</p><nav aria-label="Public pages">${Object.entries(publicPaths).map(
      ([path, name]) => html`<a href="${path}">${name}</a>`,
    )}</nav></header>
<div class="content">${main}</div>
<footer><span>${config.contentSiteUrl ? html`<a href="${config.contentSiteUrl}">${profile.registryName}</a>` : profile.registryName}</span>${footer}</footer></main>
${!savesData && html`<aside aria-hidden="true"><p>A sample network as a registry sees it</p><figure>${addressMap}</figure></aside>`}</body></html>`
      .markup;
  };
  const names = {
    get product() {
      return portalNameOf(profile);
    },
    get registryName() {
      return profile.registryName;
    },
    get supportEmail() {
      return profile.supportEmail;
    },
  };
  // As they are when a page is made.
  Object.defineProperties(frame, Object.getOwnPropertyDescriptors(names));
  return Object.assign(frame, { lostFactorProcedure: profile.lostFactorProcedure, home: `${config.appUrl}/` }) as Frame;
}

/** The token that a form sends back, so that no other site's page can send it. */
export const hiddenToken = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

export const alert = (message: string | null): Html | null =>
  message ? html`<p class="alert" role="alert" id="alert">${message}</p>` : null;
