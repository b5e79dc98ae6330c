import { type Content, html } from '../../../platform/html.ts';
import { type Frame, hiddenToken, type PageContext } from './frame.ts';

/** The next step. */
type WayOn = { href: string; label: string };

/** Returns pages with the problem, what to do about it, and a link that does not lead back here. */
export function problemPages(page: Frame) {
  const { product, registryName, home } = page;
  const back = { href: home, label: `Back to ${product}` };
  const startAgain = { href: home, label: 'Start again' };

  const problem = (context: PageContext, title: string, words: Content, { href, label }: WayOn = back): string =>
    page(
      context,
      title,
      html`<h1>${title}</h1><p>${words}</p><div class="row"><a class="btn" href="${href}">${label}</a></div><p class="help">Trace id <span class="mono">${context.traceId}</span></p>`,
    );

  return {
    problem,

    expired: (context: PageContext): string =>
      problem(
        context,
        'This log in has expired',
        'It took longer than 15 minutes, or was finished or begun anew in another tab. Nothing was changed.',
        startAgain,
      ),

    noCookies: (context: PageContext): string =>
      problem(
        context,
        'This log in has expired',
        `Your browser sent no cookie for it. Either the address was opened in another browser, or this one keeps no cookies of ${product}: allow them, then start again.`,
        startAgain,
      ),

    signedInAlready: (context: PageContext): string =>
      problem(context, 'You are logged in', 'This log in is finished, here or in another tab. There is nothing left to do on this page.', {
        href: home,
        label: `Go to ${product}`,
      }),

    /** The database is away or busy, or (`paused`) can only be read. `again`: the address that may be tried again; null: from the start. */
    unavailable: (context: PageContext, { paused, again }: { paused: boolean; again: string | null }): string =>
      problem(
        context,
        paused ? 'Nothing can be saved right now' : 'Not available right now',
        paused
          ? `${registryName} can’t save anything at the moment, so nobody can log in or change a login. Nothing was changed. People who are logged in can go on reading. Try again in a few minutes.`
          : `${registryName} has too much to do, or its database can’t be reached. Nothing was changed. Wait a few seconds and try again.`,
        again === null ? startAgain : { href: again, label: 'Try again' },
      ),

    /** Too many sign-ins were begun from one address. */
    tooManyStarts: (context: PageContext, minutes: number): string =>
      problem(
        context,
        'Too many log-ins from your network',
        `So many log-ins were begun from your network address that no more can begin there for now. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. Whoever is logged in stays logged in. If it happens again, tell ${registryName} the trace id.`,
        startAgain,
      ),

    notUnderstood: (context: PageContext, reason: string | null): string =>
      problem(context, 'This could not be done', reason ?? 'The form was not sent as its page would send it. Nothing was changed.'),

    defect: (context: PageContext): string =>
      problem(
        context,
        'This could not be done',
        `An unexpected error has occurred, please try again later. If it happens again, tell ${registryName} the trace id.`,
      ),

    loginDisabled: (context: PageContext, { uid, csrf }: { uid: string; csrf: string }): string =>
      page(
        context,
        'This login is disabled',
        html`<form method="post" action="/sign-in/${uid}/cancel">${hiddenToken(csrf)}<h1>This login is disabled</h1>
<p>${registryName} has disabled it, so nobody can log in with it. If you think it should be open, write to them with the trace id.</p>
<div class="row"><a class="btn" href="/sign-in/${uid}/password">Log in as somebody else</a><button class="link">Cancel</button></div></form><p class="help">Trace id <span class="mono">${context.traceId}</span></p>`,
      ),

    loginFrozen: (context: PageContext, { uid, csrf }: { uid: string; csrf: string }): string =>
      page(
        context,
        'This login is frozen',
        html`<form method="post" action="/sign-in/${uid}/cancel">${hiddenToken(csrf)}<h1>This login is frozen</h1>
<p>Somebody who got an e-mail about a change made with it said that it was not you. So that nobody does more harm, nobody gets in with it at the moment.</p>
<p>To get it back, choose a new password: a link for it goes to the address of the login. Where that cannot be read, ${registryName} can help.</p>
<div class="row"><a class="btn" href="/account/reset">Choose a new password</a><a class="small" href="/sign-in/${uid}/password">Log in as somebody else</a><button class="link">Cancel</button></div></form>`,
      ),

    providerError: (context: PageContext, code: string, description: string | undefined): string => {
      const ours = code === 'server_error' || code === 'temporarily_unavailable';
      return page(
        context,
        'Log in failed',
        html`<h1>This could not be done</h1>
<p>${ours ? 'An unexpected error has occurred, please try again later.' : `The request was refused: ${description ?? code}.`}</p>
<div class="row"><a class="btn" href="${home}">Back to ${product}</a></div><p class="help">${code} · Trace id <span class="mono">${context.traceId}</span></p>`,
      );
    },
  };
}
