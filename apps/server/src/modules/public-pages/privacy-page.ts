import type { Retention } from '../../profile.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { dataSubjects, keptUntil, type KeptData } from '../../platform/kept-data.ts';
import { sheet } from './page-frame.ts';

type Facts = {
  hasLoginPages: boolean;
  registryName: string;
  product: string;
  supportEmail: string;
  kept: readonly KeptData[];
  retention: Retention;
};

/** Where another provider signs people in, the registry has no pages of one’s login. */
const rights = (hasLoginPages: boolean): string[] => [
  'Your own login: name, addresses, second factors and sessions, in “Your login”. Contacts of an account change what the account keeps about its contacts.',
  'The activity log of an account shows each change, who made it, and each time registry staff read its private data. “Activity log” on these public pages says how to check that nothing in it was changed.',
  ...(hasLoginPages
    ? [
        'A copy of the data about you, in “Your login” under “Your data”: a ZIP archive with files for each kind of data.',
        'The erasure of your login and your data, in “Your login” under “Erasure”, which says before what is kept, why and how long. If you can’t log in, write to us.',
      ]
    : []),
  'Contacts download the log, contacts, invoices, objects and other lists of their account as files.',
  'To be shown, to have corrected or to have removed anything else, write to us. What public data says about you is corrected by the member that wrote it.',
];

const never = [
  'No advertising, no profiles, and no pages that other companies measure.',
  'These public pages set no cookie. The portal sets only those that keep you signed in, and your theme.',
  'The registry can’t read your password.',
  'Votes: the registry knows who voted, and not how.',
];

const list = (sentences: readonly string[]): Content =>
  html`<ul class="lines">${sentences.map(sentence => html`<li>${sentence}</li>`)}</ul>`;

const table = (subject: keyof typeof dataSubjects, kept: readonly KeptData[], retention: Retention): Content =>
  sheet(subject, dataSubjects[subject], {
    body: html`<div class="wide" tabindex="0" role="region" aria-label="${dataSubjects[subject]}: data"><table class="kept"><thead><tr><th scope="col">Data</th><th scope="col">Purpose</th><th scope="col">Kept</th></tr></thead><tbody>${kept.map(
      each => html`<tr><th scope="row">${each.data}</th><td>${each.purpose}</td><td class="quiet">${keptUntil(each, retention)}</td></tr>`,
    )}</tbody></table></div>`,
  });

/** The privacy page: personal data by whose it is, why the registry keeps it and until when, as the modules declare it (`keeps`); then what one can do about it. */
export const privacyPage = ({ hasLoginPages, registryName, product, supportEmail, kept, retention }: Facts): Content =>
  html`<div class="answer"><h1>Privacy</h1><p class="lead">The personal data that ${registryName} keeps in ${product}, and for how long. These tables come from the program itself.</p></div>
<div class="stack">${(Object.keys(dataSubjects) as (keyof typeof dataSubjects)[]).map(subject => {
    const lines = kept.filter(({ of }) => of === subject);
    return lines.length > 0 && table(subject, lines, retention);
  })}${sheet('rights', 'Your rights', {
    body: list(rights(hasLoginPages)),
    foot: html`Questions and requests: <a href="mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=Privacy">${supportEmail}</a>`,
  })}${sheet('never', 'What we don’t do', { body: list(never) })}</div>`;
