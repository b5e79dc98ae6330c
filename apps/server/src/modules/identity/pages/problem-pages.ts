import { type Content, html } from '../../../platform/http/html.ts';
import { type Frame, hiddenToken, type PageContext } from './frame.ts';

/** The next step. */
type WayOn = { href: string; label: string };

/** Returns pages with the problem, what to do about it, and a link that does not lead back here. */
export function problemPages(page: Frame) {
  const { home } = page;
  const back = { href: home, label: `Back to ${page.product}` };
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
        'It took longer than 15 minutes, or was finished or restarted in another tab. No changes were made.',
        startAgain,
      ),

    noCookies: (context: PageContext): string =>
      problem(
        context,
        'This log in has expired',
        `Your browser sent no cookie. Either you opened the address in another browser, or cookies of ${page.product} are blocked. Allow them and start again.`,
        startAgain,
      ),

    signedInAlready: (context: PageContext): string =>
      problem(context, 'You’re logged in', 'You’ve logged in, here or in another tab.', {
        href: home,
        label: `Go to ${page.product}`,
      }),

    /** The database is unavailable or busy, or (`paused`) read-only. `again`: the address that may be tried again; null: from the start. */
    unavailable: (context: PageContext, { paused, again }: { paused: boolean; again: string | null }): string =>
      problem(
        context,
        paused ? 'Changes can’t be saved right now' : 'Not available right now',
        paused
          ? `${page.registryName} can’t save anything at the moment, so log-ins and changes of logins aren’t possible. You can still view everything if you’re logged in. Try again in a few minutes.`
          : `${page.registryName} is too busy, or its database can’t be reached. No changes were made. Wait a few seconds and try again.`,
        again === null ? startAgain : { href: again, label: 'Try again' },
      ),

    /** Too many sign-ins were begun from one address. */
    tooManyStarts: (context: PageContext, minutes: number): string =>
      problem(
        context,
        'Too many log-ins from your network',
        `Too many log-ins were started from your network in a short time, by you or by others who share its address. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again. If you’re already logged in elsewhere, you stay logged in. If it happens again, send ${page.registryName} the trace id.`,
        { href: home, label: 'Try again' },
      ),

    notUnderstood: (context: PageContext, reason: string | null): string =>
      problem(context, 'This couldn’t be done', reason ?? 'The form is invalid or has expired. No changes were made.'),

    defect: (context: PageContext): string =>
      problem(
        context,
        'This couldn’t be done',
        `An unexpected error has occurred, please try again later. If it happens again, tell ${page.registryName} the trace id.`,
      ),

    loginDisabled: (context: PageContext, { uid, csrf }: { uid: string; csrf: string }): string =>
      page(
        context,
        'This login is disabled',
        html`<form method="post" action="/sign-in/${uid}/cancel">${hiddenToken(csrf)}<h1>This login is disabled</h1>
<p>It was disabled by ${page.registryName}. If you think this is a mistake, write to them with the trace ID.</p>
<div class="row"><a class="btn" href="/sign-in/${uid}/password">Log in as someone else</a><button class="link">Cancel</button></div></form><p class="help">Trace id <span class="mono">${context.traceId}</span></p>`,
      ),

    loginFrozen: (context: PageContext, { uid, csrf }: { uid: string; csrf: string }): string =>
      page(
        context,
        'This login is frozen',
        html`<form method="post" action="/sign-in/${uid}/cancel">${hiddenToken(csrf)}<h1>This login is frozen</h1>
<p>Someone reported a change made with it that wasn’t yours. To prevent harm, it can’t be used right now.</p> <p>To unfreeze it, choose a new password. We send a link to the login’s address. If you can’t read that mailbox, ${page.registryName} can help.</p>
<div class="row"><a class="btn" href="/account/reset">Choose a new password</a><a class="small" href="/sign-in/${uid}/password">Log in as someone else</a><button class="link">Cancel</button></div></form>`,
      ),

    providerError: (context: PageContext, code: string, description: string | undefined): string => {
      const ours = code === 'server_error' || code === 'temporarily_unavailable';
      return page(
        context,
        'Log in failed',
        html`<h1>This couldn’t be done</h1>
<p>${ours ? 'An unexpected error has occurred, please try again later.' : `The request was refused: ${description ?? code}.`}</p>
<div class="row"><a class="btn" href="${home}">Back to ${page.product}</a></div><p class="help">${code} · Trace id <span class="mono">${context.traceId}</span></p>`,
      );
    },
  };
}
