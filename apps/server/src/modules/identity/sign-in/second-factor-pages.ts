import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import { type Content, type Html, html } from '../../../platform/http/html.ts';
import type { SecondFactorMethod } from './second-factor-gate.ts';
import { passkeyForm } from '../factors/factor-pages.ts';
import { alert, type Frame, hiddenToken, type PageContext } from '../pages/frame.ts';

/** A form of a sign-in. */
export type SignInForm = { uid: string; csrf: string };

/** The purpose of a request for a second factor: "invite a contact", "Xenia Newman". */
export type StepUpPurpose = { act: string; object: string | null };

export type SecondFactorPage = SignInForm & {
  /** A session of this person is open: only the second factor is asked for. */
  stepUp: boolean;
  purpose: StepUpPurpose | null;
  email: string;
  /** All methods of the person, this one included. */
  ways: readonly SecondFactorMethod[];
  message: string | null;
};
export type CodePage = SecondFactorPage & {
  code: string;
  secondsLeft: number;
  /** A demo person's code, shown on the page; empty until there is an unused one. */
  demo: { name: string; code: string } | null;
};

const steps = (names: readonly [string, string], now: 1 | 2): Html =>
  html`<ol class="steps"><li${now === 1 ? html` class="now" aria-current="step"` : html` class="done"`}>${names[0]}</li><li${now === 2 ? html` class="now" aria-current="step"` : null}>${names[1]}</li></ol>`;

const wayNames: Record<SecondFactorMethod, string> = {
  code: 'Use a one-time code',
  passkey: 'Use a passkey',
  recovery: 'Use a recovery code',
};

/** Links to the other methods; empty if there are none. */
const otherWays = (uid: string, ways: readonly SecondFactorMethod[], here: SecondFactorMethod): Html | null => {
  const others = ways.filter(way => way !== here);
  return others.length === 0
    ? null
    : html`<ul class="ways" aria-label="Other ways">${others.map(way => html`<li><a href="/sign-in/${uid}/${way}">${wayNames[way]}</a></li>`)}</ul>`;
};

/** Returns the link back: to the page that was open before, or to log in as another person. */
const wayOut = ({ uid, stepUp }: Pick<SecondFactorPage, 'uid' | 'stepUp'>): Html =>
  stepUp
    ? html`<button class="link" formaction="/sign-in/${uid}/cancel" formnovalidate>Cancel</button>`
    : html`<a class="small" href="/sign-in/${uid}/password">Not you?</a>`;
const head = ({ stepUp, purpose }: Pick<SecondFactorPage, 'stepUp' | 'purpose'>, title: string, lead: Content): Html =>
  html`${!stepUp && steps(['Password', 'Second factor'], 2)}<div><h1>${title}</h1>${stepUp && html`<p>Confirm it’s you${purpose && html` to ${actOf(purpose)}`}. Nothing is lost.</p>`}<p class="lead">${lead}</p></div>`;
const actOf = ({ act, object }: StepUpPurpose): Html => html`<b>${act}${object && `: ${object}`}</b>`;
/** With scripts the page fetches the next code itself; without them the link does. */
const demoCode = (uid: string, { name, code }: { name: string; code: string }): Html =>
  code === ''
    ? html`Both codes ${name} could enter now were used. <a href="/sign-in/${uid}/code">Show the next one</a>.`
    : html`The code for ${name} is <a class="mono" href="/sign-in/${uid}/code?fill=code" data-code="${code}">${code.slice(0, 3)} ${code.slice(3)}</a>.`;

/** Why a method can't be used: title, and what happened. */
const closed: Record<SecondFactorMethod, readonly [string, string]> = {
  code: [
    'One-time codes are switched off',
    'There were a hundred wrong codes in a row, so your authenticator codes are no longer accepted.',
  ],
  recovery: ['No recovery codes', 'They’re used up, or there were a hundred wrong codes in a row.'],
  passkey: ['No passkey', 'Your login has no passkey for this site.'],
};

/** The pages of the second step that prove a second factor. */
export function secondFactorPages(page: Frame) {
  const script = 'apps/server/web/sign-in.ts';

  /** For a person who has no factor at hand: who can help, how, and what happens next. */
  const noneOfThese = (email: string): Html =>
    html`<details class="none"><summary>I can’t use any of these</summary><p>Write to ${page.registryName} at <a href="mailto:${page.supportEmail}">${page.supportEmail}</a> from ${email}. Give your account name.</p>
<p>${page.lostFactorProcedure}</p></details>`;
  return {
    code: (context: PageContext, given: CodePage): string => {
      const { uid, csrf, stepUp, email, ways, message, code, secondsLeft, demo } = given;
      const wrong = message !== null;
      return page(
        context,
        'Second factor',
        html`<form method="post" action="/sign-in/${uid}/code">${hiddenToken(csrf)}${head(given, 'Enter your code', html`Six digits from the authenticator of <b class="nw">${email}</b>`)}${alert(message)}
<div class="field"><div class="code6"><i></i><i></i><i></i><i></i><i></i><i></i><input id="code" name="code" aria-label="One-time code" value="${code}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="7" required autofocus aria-describedby="${wrong && 'alert '}left"${wrong && html` aria-invalid="true"`}></div><span class="help" id="left" data-left="${secondsLeft}">A new code in ${secondsLeft} s</span></div>
<div class="row"><button class="btn">Log in</button>${wayOut(given)}</div></form>${otherWays(uid, ways, 'code')}${noneOfThese(email)}
${
  demo &&
  html`<section class="demo" aria-label="Demo code"><p><b>Demo registry.</b> <span class="demo-code">${demoCode(uid, demo)}</span>${!stepUp && html` <a href="/sign-in/${uid}/password">Other people</a>`}</p></section>`
}`,
        { script },
      );
    },

    passkey: (context: PageContext, given: SecondFactorPage): string => {
      const { uid, csrf, email, ways, message } = given;
      return page(
        context,
        'Second factor',
        html`${head(given, 'Use your passkey', html`The one of <b class="nw">${email}</b>: fingerprint, face, PIN or security key`)}${alert(message)}
${passkeyForm({
  ceremony: 'get',
  action: `/sign-in/${uid}/passkey`,
  options: `/sign-in/${uid}/passkey/options`,
  csrf,
  button: 'Use passkey',
  beside: wayOut(given),
})}${otherWays(uid, ways, 'passkey')}${noneOfThese(email)}`,
        { script },
      );
    },

    recovery: (context: PageContext, given: SecondFactorPage): string => {
      const { uid, csrf, email, ways, message } = given;
      return page(
        context,
        'Recovery code',
        html`<form method="post" action="/sign-in/${uid}/recovery">${hiddenToken(csrf)}${head(given, 'Enter a recovery code', html`One of those <b class="nw">${email}</b> kept for a lost device`)}${alert(message)}
<div class="field"><label for="recovery">Recovery code</label><input class="inp mono" id="recovery" name="recovery" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="60" required autofocus aria-describedby="${message !== null && 'alert '}after"${message !== null && html` aria-invalid="true"`}><span class="help" id="after">It works once. Next you add a new second factor; authenticator apps you have now stop working. For ${coolDownHours} hours your login cannot change registrations.</span></div>
<div class="row"><button class="btn">Log in</button>${wayOut(given)}</div></form>${otherWays(uid, ways, 'recovery')}${noneOfThese(email)}`,
        { script },
      );
    },

    /** A method that the person doesn't have, or that too many wrong codes disabled. */
    wayClosed: (
      context: PageContext,
      { uid, csrf, stepUp, way, ways }: Omit<SecondFactorPage, 'email' | 'message' | 'purpose'> & { way: SecondFactorMethod },
    ): string => {
      const [title, happened] = closed[way];
      const advice =
        ways.length > 0
          ? 'Log in another way. Then remove and add it again under Your login.'
          : `Write to ${page.registryName} at ${page.supportEmail}. ${page.lostFactorProcedure}`;
      return page(
        context,
        title,
        html`<form method="post" action="/sign-in/${uid}/cancel">${hiddenToken(csrf)}<h1>${title}</h1><p>${happened}</p><p>${advice}</p>${otherWays(uid, ways, way)}
<div class="row"><button class="btn${ways.length > 0 && ' second'}">${stepUp ? 'Go back' : 'Cancel'}</button></div></form><p class="help">Trace id <span class="mono">${context.traceId}</span></p>`,
      );
    },

    /** A person without a second factor is about to do something that needs one. */
    noSecondFactor: (
      context: PageContext,
      { uid, csrf, stepUp, purpose }: SignInForm & Pick<SecondFactorPage, 'stepUp' | 'purpose'>,
    ): string =>
      page(
        context,
        'MFA is not enabled',
        html`<form method="post" action="/sign-in/${uid}/enrol">${hiddenToken(csrf)}<h1>MFA is not enabled!</h1>
<p>${purpose ? html`To ${actOf(purpose)} you need` : 'This action needs'} two-factor authentication, which your login doesn’t have yet. Setting it up takes a minute, with a passkey or an authenticator app. Nothing is lost meanwhile.</p>
<div class="row"><button class="btn">Set it up now</button><button class="btn second" formaction="/sign-in/${uid}/${stepUp ? 'cancel' : 'without-second-factor'}">${stepUp ? 'Go back' : 'Continue without'}</button></div></form>`,
      ),
  };
}
