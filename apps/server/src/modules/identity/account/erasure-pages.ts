import { type Content, type Html, html } from '../../../platform/http/html.ts';
import type { ErasureObstacle, OpenErasure } from '../erasure/erasures.ts';
import { section } from '../pages/account-frame.ts';
import { hiddenToken } from '../pages/frame.ts';
import type { LocalTimes } from '../pages/local-times.ts';
import { logInFirst, type Part } from './account-pages.ts';

/** Fate of a kind of data in an erasure. */
export type Fate = { data: string; fate: 'deleted' | 'replaced' | 'kept'; until: string | null };

export type ErasurePage = {
  csrf: string;
  fresh: boolean;
  times: LocalTimes;
  open: OpenErasure | null;
  obstacles: readonly ErasureObstacle[];
  kinds: readonly Fate[];
  waitDays: number;
};

const fateList = (kinds: readonly Fate[], fate: Fate['fate']): Html =>
  html`<ul>${kinds.filter(kind => kind.fate === fate).map(({ data }) => html`<li>${data}</li>`)}</ul>`;

type Column = readonly [head: string, cell: Content];
/** A table of two columns. */
const table = (caption: string, rows: readonly (readonly [first: Column, second: Column])[]): Html =>
  html`<div class="table"><table class="cards"><caption class="hidden">${caption}</caption><thead><tr>${rows[0]?.map(([head]) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map(
    ([[, first], [head, second]]) => html`<tr><th scope="row">${first}</th><td data-name="${head}">${second}</td></tr>`,
  )}</tbody></table></div>`;

/** A section as wide as the page. */
const wide = (title: string, about: string, body: Content): Html =>
  html`<section class="wide"><div class="about"><h2>${title}</h2><p>${about}</p></div><div class="body">${body}</div></section>`;

/** `/account/erasure`: a request to erase everything that the registry keeps about a person and may delete. */
export function erasurePart({ csrf, fresh, times, open, obstacles, kinds, waitDays }: ErasurePage): Part {
  const form = (action: string, label: string, kind: string): Html =>
    html`<form method="post" action="${action}">${hiddenToken(csrf)}<div class="row"><button class="btn ${kind}">${label}</button></div></form>`;
  return {
    here: '/account/erasure',
    title: 'Erasure',
    lead: html`Have your login and your data erased. To keep your data, <a href="/account/data">download a copy</a> first.`,
    main: html`${
      obstacles.length > 0 &&
      wide(
        'To settle first',
        'Nothing is erased before.',
        table(
          'To settle first',
          obstacles.map(
            ({ what, remedy, ownPath }) =>
              [
                ['In the way', ownPath === null ? what : html`<a href="${ownPath}">${what}</a>`],
                ['What to do', remedy],
              ] as const,
          ),
        ),
      )
    }${section(
      'Your request',
      open ? 'Open' : 'You can take it back while it waits.',
      open
        ? html`<p>${open.filedBy === null ? 'You asked' : 'Registry staff filed it for you'} on ${times.at(open.requestedAt)}. From ${times.at(open.dueAt)} two people of the registry can carry it out. You get a last e-mail then.</p>${fresh ? form('/account/erasure/withdraw', 'Take the request back', 'second') : logInFirst('/account/erasure', 'Log in again to take it back')}`
        : html`<p>Your login ends and can’t be restored. You lose access to every account, and your API keys are revoked. The request waits ${waitDays} days, and each of your addresses gets an e-mail about it.</p>${fresh ? form('/account/erasure', 'Request erasure', 'danger') : logInFirst('/account/erasure', 'Log in again to request erasure')}`,
    )}${section('Deleted', 'In the history too.', fateList(kinds, 'deleted'))}${section(
      'Replaced',
      'Your name becomes “Erased person”, in the history too.',
      fateList(kinds, 'replaced'),
    )}${wide(
      'Kept',
      'What the law and the registry’s records need.',
      html`${table(
        'Kept data',
        kinds
          .filter(({ fate }) => fate === 'kept')
          .map(
            ({ data, until }) =>
              [
                ['Data', data],
                ['Kept', until ?? ''],
              ] as const,
          ),
      )}<p class="quiet">The activity log keeps who did what, and what other people wrote about you. Backups keep your data until they are deleted themselves. Someone who registers later with your address sees none of it.</p>`,
    )}`,
  };
}
