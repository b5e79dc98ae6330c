import type { FastifyReply } from 'fastify';
import { type Content, type Html, html } from '../../../platform/http/html.ts';
import type { AuthenticatorEnrolment } from './authenticator-enrolment.ts';
import { LONGEST_FACTOR_NAME } from './factor-names.ts';
import { qrCode } from '../../../platform/qr-code.ts';
import { type AccountPage, section } from '../pages/account-frame.ts';
import { alert, hiddenToken } from '../pages/frame.ts';
import type { LocalTimes } from '../pages/local-times.ts';

/** One factor in the list. */
export type FactorLine = {
  kind: 'passkey' | 'totp';
  /** Names it in addresses. */
  key: string;
  name: string;
  enrolledAt: string;
  lastUsedAt: string | null;
  /** Disabled by too many wrong codes. */
  off: boolean;
};

/** The part of a second-factor page that the login's frame encloses. */
type Part = Pick<AccountPage, 'title' | 'lead' | 'main' | 'script'>;

const script = 'apps/server/web/factors.ts';
/** Above the recovery codes. */
export const recoveryCodesLead = 'If you lose your other factors, each code lets you log in once. They’re shown only now.';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
/** The key in groups of four, as people type it. */
const inFours = (key: string): string => key.replaceAll(/.{4}(?=.)/g, '$& ');

const nameField = (name: string, { help = null, required = true }: { help?: string | null; required?: boolean } = {}): Html =>
  html`<div class="field"><label for="factor-name">Name</label><input class="inp" id="factor-name" name="name" value="${name}" maxlength="${LONGEST_FACTOR_NAME}" autocomplete="off"${required && html` required`}${help && html` aria-describedby="name-help"`}>${help && html`<span class="help" id="name-help">${help}</span>`}</div>`;

/** Returns the fields for adding an authenticator app within a form: QR code, key, and the field `code`. Used at sign-in too. */
export function authenticatorFields({ enrolment, secret, uri }: AuthenticatorEnrolment, more: Content = null): Html {
  return html`<input type="hidden" name="enrolment" value="${enrolment}">
<div class="enrol">${qrCode(uri, 'QR code for an authenticator app')}<div><p>Scan this with your authenticator app, or <a href="${uri}">open the app on this phone</a>.</p>
<p class="help">Or type this key into it:</p><p class="mono key">${inFours(secret)}</p></div></div>${more}
<div class="field"><label for="factor-code">Code the app shows</label><div class="code6"><i></i><i></i><i></i><i></i><i></i><i></i><input id="factor-code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="6" required></div></div>`;
}

/**
 * The form of a passkey; its script is `enablePasskeyForms` of web/passkey.ts. Used at sign-in too.
 * @param action where the answer goes, in the field `answer`.
 * @param options where the script gets the options from, by POST.
 * @param link an alternative rather than the main purpose of the page.
 */
export const passkeyForm = ({
  ceremony,
  action,
  options,
  csrf,
  button,
  fields = null,
  beside = null,
  secondary = false,
}: {
  ceremony: 'create' | 'get';
  action: string;
  options: string;
  csrf: string;
  button: string;
  fields?: Content;
  beside?: Content;
  secondary?: boolean;
}): Html =>
  html`<form method="post" action="${action}" data-passkey="${ceremony}" data-options="${options}">${hiddenToken(csrf)}<input type="hidden" name="answer" value="">${fields}<div class="row"><button class="btn${secondary && ' second'}" hidden>${button}</button>${beside}</div><p class="help" data-said aria-live="polite">Passkeys need a browser that runs scripts.</p></form>`;

export type RecoveryCodesForm = {
  codes: readonly string[];
  csrf: string;
  /** Target of "Continue". */
  action: string;
  /** Source of the text file. */
  download: string;
  /** E-mail address of the codes' owner, for the printed page. */
  owner?: string;
  message?: string | null;
};

/** New recovery codes, shown only once. Used at sign-in too; the pages need web/factors.ts for printing. */
export const recoveryCodesForm = ({ codes, csrf, action, download, owner, message = null }: RecoveryCodesForm): Html =>
  html`<form method="post" action="${action}">${hiddenToken(csrf)}<input type="hidden" name="codes" value="${codes.join(' ')}">${alert(message)}
${owner !== undefined && html`<p class="on-paper">Recovery codes of ${owner}. Each works once.</p>`}<ol class="codes mono" aria-label="Recovery codes">${codes.map(code => html`<li>${code}</li>`)}</ol>
<div class="row no-print"><button class="btn second" formaction="${download}" formnovalidate>Download</button><button class="btn second" type="button" data-print hidden>Print</button></div>
<div class="tick no-print"><input type="checkbox" id="saved" name="saved" value="yes" required><label for="saved">I have saved them</label></div>
<div class="row no-print"><button class="btn">Continue</button></div></form>`;

/** The text file of recovery codes. */
export const recoveryCodesText = (
  codes: readonly string[],
  { product, home, email, at }: { product: string; home: string; email: string; at: Date },
): string =>
  [
    `Recovery codes of ${email} for ${product}`,
    home,
    `Made ${day.format(at)}. Each one works once; new ones replace them all.`,
    '',
    ...codes,
    '',
  ].join('\r\n');

const what = { passkey: 'passkey', totp: 'authenticator app' } as const;
const cancel = html`<a class="small" href="/account/factors">Cancel</a>`;
const addressOf = ({ kind, key }: Pick<FactorLine, 'kind' | 'key'>, verb: 'rename' | 'remove'): string =>
  `/account/factors/${kind}/${key}/${verb}`;

const factorItem = (factor: FactorLine, times: LocalTimes): Html => {
  const { name, enrolledAt, lastUsedAt, off } = factor;
  return html`<li><div><b>${name}</b><p class="help">Added ${times.at(enrolledAt, 'date')}, ${lastUsedAt ? html`last used ${times.at(lastUsedAt)}` : 'not used yet'}</p>${off && html`<p class="wrong">Switched off after 100 wrong codes. Remove it and add it again.</p>`}</div><p class="acts"><a href="${addressOf(factor, 'rename')}" aria-label="Rename ${name}">Rename</a><a href="${addressOf(factor, 'remove')}" aria-label="Remove ${name}">Remove</a></p></li>`;
};

/** Everything a person signs in with besides the password. */
export function factorsPart(factors: readonly FactorLine[], recoveryCodesLeft: number, times: LocalTimes): Part {
  const listOf = (kind: FactorLine['kind']): Html => {
    const lines = factors.filter(factor => factor.kind === kind);
    return lines.length > 0
      ? html`<ul class="factors">${lines.map(factor => factorItem(factor, times))}</ul>`
      : html`<p class="quiet">None yet</p>`;
  };
  const left = recoveryCodesLeft === 1 ? 'One code left' : `${recoveryCodesLeft === 0 ? 'No' : recoveryCodesLeft} codes left`;
  return {
    title: 'Second factors',
    lead: 'A second step when you log in. Set up at least two, in case you lose one.',
    main: [
      section(
        'Passkeys',
        'Use your fingerprint, face or PIN. A passkey works only on this site, so it can’t be phished.',
        html`${listOf('passkey')}<a class="btn" href="/account/factors/passkey">Add a passkey</a>`,
      ),
      section(
        'Authenticator apps',
        'A phone shows a new code every 30 seconds.',
        html`${listOf('totp')}<a class="btn second" href="/account/factors/authenticator">Add an authenticator app</a>`,
      ),
      section(
        'Recovery codes',
        'If you lose the others. Each works once. After using one, you can’t change registrations for a day.',
        factors.length > 0
          ? html`<p>${left}</p><a class="btn second" href="/account/factors/recovery-codes">Create new codes</a>`
          : html`<p class="quiet">You get ten with your first passkey or authenticator app.</p>`,
      ),
    ],
  };
}

export const newPasskeyPart = ({ csrf, name }: { csrf: string; name: string }): Part => ({
  title: 'Add a passkey',
  lead: 'Your browser asks where to save it: this device, a nearby phone or a security key.',
  script,
  main: section(
    'New passkey',
    'All your other sessions end.',
    passkeyForm({
      ceremony: 'create',
      action: '/account/factors/passkey',
      options: '/account/factors/passkey/options',
      csrf,
      button: 'Add passkey',
      fields: nameField(name, { help: 'Optional. Defaults to the device’s name.', required: false }),
      beside: cancel,
    }),
  ),
});

export const newAuthenticatorPart = ({
  csrf,
  name,
  enrolment,
}: {
  csrf: string;
  name: string;
  enrolment: AuthenticatorEnrolment;
}): Part => ({
  title: 'Add an authenticator app',
  lead: 'Use any authenticator app, on your phone or in a password manager.',
  main: section(
    'New app',
    'Valid for ten minutes. All your other sessions end.',
    html`<form method="post" action="/account/factors/authenticator">${hiddenToken(csrf)}
${authenticatorFields(enrolment, nameField(name, { help: 'For example, the phone it’s on.' }))}
<div class="row"><button class="btn">Add</button>${cancel}</div></form>`,
  ),
});

export const recoveryCodesPart = (form: Pick<RecoveryCodesForm, 'codes' | 'csrf' | 'owner' | 'message'>): Part => ({
  title: 'Save your recovery codes',
  lead: recoveryCodesLead,
  script,
  main: section(
    'Ten codes',
    'Keep them on paper or in a password manager, not on the phone they replace.',
    recoveryCodesForm({ ...form, action: '/account/factors/recovery-codes/saved', download: '/account/factors/recovery-codes/download' }),
  ),
});

export const renameFactorPart = (factor: FactorLine, csrf: string, times: LocalTimes, name: string): Part => ({
  title: `Rename ${what[factor.kind]}`,
  main: section(
    factor.name,
    html`Added ${times.at(factor.enrolledAt, 'date')}`,
    html`<form method="post" action="${addressOf(factor, 'rename')}">${hiddenToken(csrf)}${nameField(name)}
<div class="row"><button class="btn">Save</button>${cancel}</div></form>`,
  ),
});

/** `refused`: why it can't be removed. `last`: removing it leaves only the password. */
export const removeFactorPart = (
  factor: FactorLine,
  csrf: string,
  times: LocalTimes,
  { last, refused }: { last: boolean; refused: string | null },
): Part => ({
  title: `Remove ${what[factor.kind]}`,
  main: section(
    factor.name,
    html`Added ${times.at(factor.enrolledAt, 'date')}`,
    refused !== null
      ? html`<p>${refused}</p><a class="btn" href="/account/factors">Back to second factors</a>`
      : html`<form method="post" action="${addressOf(factor, 'remove')}">${hiddenToken(csrf)}
<p>It can no longer be used to log in.${factor.kind === 'passkey' && ' Delete it in your device as well.'} All your other sessions end.</p>
${last && html`<p class="warn"><b>This is your last second factor.</b> Your login will be protected by a password only, your recovery codes stop working, and you can’t do what needs two-factor.</p>`}
<div class="row"><button class="btn danger">Remove</button>${cancel}</div></form>`,
  ),
});

export const newRecoveryCodesPart = (csrf: string, left: number): Part => ({
  title: 'Create new recovery codes',
  main: section(
    left === 0 ? 'No codes left' : left === 1 ? 'One code left' : `${left} codes left`,
    null,
    html`<form method="post" action="/account/factors/recovery-codes">${hiddenToken(csrf)}
<p>${left > 0 && 'Your current codes stop working immediately. '}All your other sessions end.</p>
<div class="row"><button class="btn">Create ten new codes</button>${cancel}</div></form>`,
  ),
});

/** Answers with the text file of recovery codes. */
export const sendRecoveryCodes = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('text/plain; charset=utf-8').header('content-disposition', 'attachment; filename="recovery-codes.txt"').send(text);
