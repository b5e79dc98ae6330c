import { html } from '../../../platform/http/html.ts';
import { type CopyRefusal, DATA_COPY_DAYS, type DataCopy } from '../copies/data-copies.ts';
import { section } from '../pages/account-frame.ts';
import { hiddenToken } from '../pages/frame.ts';
import type { LocalTimes } from '../pages/local-times.ts';
import { logInFirst, type Part } from './account-pages.ts';

export type DataPage = { csrf: string; fresh: boolean; times: LocalTimes; copies: readonly DataCopy[]; refusal: CopyRefusal | null };

/** A size of a file in words. */
const sizeWords = (bytes: number): string => (bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`);

/** Why no copy can be asked for now, in words. */
export const refusalWords = ({ why, until }: CopyRefusal, times: LocalTimes): string =>
  why === 'lately'
    ? `You can request one copy a day, the next one from ${times.words(until)}.`
    : `The sign-in of your login was changed lately. You can request a copy from ${times.words(until)}.`;

/** `/account/data`: copies of what the registry keeps about a person. */
export function dataPart({ csrf, fresh, times, copies, refusal }: DataPage): Part {
  const state = ({ state: now, itemsDone, itemsTotal, dataCopyId, size }: DataCopy) =>
    now === 'ready'
      ? html`<a href="/account/data/${dataCopyId}.zip" aria-label="Download the copy">Download</a>${!fresh && html`<small>You log in again first</small>`}<small>ZIP, ${sizeWords(size ?? 0)}</small>`
      : now === 'too-large'
        ? html`It would be too large. Write to us, and we put it together.`
        : now === 'failed'
          ? html`It couldn’t be made. Request another one.`
          : html`Being prepared${itemsTotal !== null && html`<small>${itemsDone} of ${itemsTotal} kinds of data</small>`}`;
  return {
    here: '/account/data',
    title: 'Your data',
    lead: html`What the registry keeps about you. Our <a href="/privacy">privacy page</a> lists each kind of data, what it is for and how long it is kept.`,
    main: html`${section(
      'Copy of your data',
      'Files of JSON lines, and an index.',
      html`<p>We put together what the registry keeps about you: your login, your sessions, your contacts of accounts, the subjects of e-mails to you, your tickets, votes and requests, and what you did. Passwords, keys and codes are left out, and so is other people’s data.</p><p class="quiet">You get an e-mail when the copy is ready. You can then download it for ${DATA_COPY_DAYS} days.</p>${
        refusal
          ? html`<p>${refusalWords(refusal, times)}</p>`
          : !fresh
            ? logInFirst('/account/data', 'Log in again to request a copy')
            : html`<form method="post" action="/account/data">${hiddenToken(csrf)}<div class="row"><button class="btn">Request a copy</button></div></form>`
      }`,
    )}${
      copies.length > 0 &&
      html`<section class="wide"><div class="about"><h2>Your copies</h2></div><div class="body"><div class="table"><table class="cards"><caption class="hidden">Copies of your data, newest first</caption><thead><tr><th scope="col">Requested</th><th scope="col">Copy</th><th scope="col">Deleted on</th></tr></thead><tbody>${copies.map(
        copy =>
          html`<tr><th scope="row">${times.at(copy.requestedAt)}</th><td data-name="Copy">${state(copy)}</td><td data-name="Deleted on">${times.at(copy.expiresAt)}</td></tr>`,
      )}</tbody></table></div>${copies.some(copy => copy.state === 'preparing') && html`<div class="row"><a class="btn second" href="/account/data">Check again</a></div>`}</div></section>`
    }`,
  };
}
