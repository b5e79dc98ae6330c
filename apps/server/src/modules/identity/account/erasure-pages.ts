import { type Html, html } from '../../../platform/http/html.ts';
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

const titles = {
  deleted: 'What is deleted',
  replaced: 'What then says “Erased person”',
  kept: 'What is kept, why, and how long',
} as const;

const fateList = (kinds: readonly Fate[], fate: Fate['fate']): Html =>
  html`<h3>${titles[fate]}</h3><ul>${kinds
    .filter(kind => kind.fate === fate)
    .map(({ data, until }) => html`<li>${data}${until !== null && html`<small>${until}</small>`}</li>`)}</ul>`;

/** `/account/erasure`: a request to erase everything that the registry keeps about a person and may delete. */
export function erasurePart({ csrf, fresh, times, open, obstacles, kinds, waitDays }: ErasurePage): Part {
  // A hold can be part of an investigation: the person isn't told of it here.
  const shown = obstacles.filter(({ isSecret }) => !isSecret);
  const form = (action: string, label: string, kind: string): Html =>
    html`<form method="post" action="${action}">${hiddenToken(csrf)}<div class="row"><button class="btn ${kind}">${label}</button></div></form>`;
  return {
    here: '/account/erasure',
    title: 'Erasure',
    lead: html`Have your login and your data erased. A <a href="/account/data">copy of your data</a> is the way to keep it.`,
    main: html`${
      shown.length > 0 &&
      section(
        'To settle first',
        'Nothing is erased before.',
        html`<ul>${shown.map(
          ({ what, remedy, ownPath }) =>
            html`<li>${ownPath === null ? what : html`<a href="${ownPath}">${what}</a>`}<small>${remedy}</small></li>`,
        )}</ul>`,
      )
    }${section(
      'Your request',
      open ? 'Open' : 'You can take it back while it waits.',
      open
        ? html`<p>${open.filedBy === null ? 'You asked' : 'Registry staff filed it for you'} on ${times.at(open.requestedAt)}. From ${times.at(open.dueAt)} two people of the registry can carry it out. You get a last e-mail then.</p>${fresh ? form('/account/erasure/withdraw', 'Take the request back', 'second') : logInFirst('/account/erasure', 'Log in again to take it back')}`
        : html`<p>Your login ends and can’t be restored. You lose access to every account, and your API keys are revoked. The request waits ${waitDays} days, and each of your addresses gets an e-mail about it.</p>${fresh ? form('/account/erasure', 'Request erasure', 'danger') : logInFirst('/account/erasure', 'Log in again to request erasure')}`,
    )}${section(
      'What happens to your data',
      'In the history too.',
      html`${fateList(kinds, 'deleted')}${fateList(kinds, 'replaced')}${fateList(kinds, 'kept')}<p class="quiet">The activity log keeps who did what, and what texts of others say. Backups keep your data until they are deleted themselves. Someone who registers later with your address sees none of it.</p>`,
    )}`,
  };
}
