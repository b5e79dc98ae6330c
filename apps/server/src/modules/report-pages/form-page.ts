import { type Content, html } from '../../platform/http/html.ts';
import { sheet } from '../public-pages/index.ts';
import { faults, type ReportFields, type ReportWrong } from './report-form.ts';

const problemOf = (name: string, wrong: string | null | undefined): Content =>
  wrong && html`<p class="wrong" id="${name}-wrong">${wrong}</p>`;
const described = (name: string, wrong: string | null | undefined): Content =>
  wrong ? html` aria-invalid="true" aria-describedby="${name}-wrong"` : null;

type FormPage = { fields: ReportFields; wrong: ReportWrong; message: string | null };

/** The form of a report of wrong data, with what was typed. */
export function reportFormPage({ fields, wrong, message }: FormPage): Content {
  const line = (name: 'about' | 'name' | 'email', label: string, attributes: Content): Content =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${fields[name]}" required${attributes}${described(name, wrong[name])}>${problemOf(name, wrong[name])}</div>`;
  const count = Object.keys(wrong).length;
  const summary = message ?? (count === 0 ? null : count === 1 ? 'One field needs another look.' : `${count} fields need another look.`);
  return html`<div class="answer"><h1>Report wrong data</h1><p class="lead">Tell us what is wrong. We ask the holder, without your name, and answer you by e-mail.</p></div>${
    summary !== null && html`<p class="note" role="alert">${summary}</p>`
  }<div class="columns"><div>${sheet('report', 'What is wrong', {
    body: html`<form class="tool" method="post" action="/whois/report" novalidate>${line('about', 'About', html` class="mono" maxlength="255" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="198.18.0.0/19, AS64500 or a handle"`)}
<fieldset class="lines"${described('fault', wrong.fault)}><legend>What is wrong</legend>${Object.entries(faults).map(
      ([fault, words]) =>
        html`<label><input type="radio" name="fault" value="${fault}"${fields.fault === fault && html` checked`} required> ${words}</label>`,
    )}${problemOf('fault', wrong.fault)}</fieldset>
<div class="field"><label for="text">What you saw, and what would be right</label><textarea id="text" name="text" rows="7" maxlength="4000" required${described('text', wrong.text)}>${fields.text}</textarea>${problemOf('text', wrong.text)}</div>
${line('name', 'Your name', html` maxlength="100" autocomplete="name"`)}${line('email', 'Your e-mail', html` type="email" maxlength="254" autocomplete="email" spellcheck="false"`)}<button class="btn">Continue</button></form>`,
    foot: 'We mail you a link. The report is sent when you confirm there.',
  })}</div><aside aria-label="Before you write">${sheet('abuse-first', 'Spam or an attack?', {
    body: html`<p class="pad quiet">Write to the contact for abuse reports of the network: it is on the page of each address. The registry can’t stop traffic. Report here if that contact doesn’t answer.</p>`,
  })}${sheet('kept', 'What happens with it', {
    body: html`<p class="pad quiet">Registry staff read it and ask the holder to correct the data. Your name and address stay with us, with the answers. A report that isn’t confirmed is deleted within two days.</p>`,
  })}</aside></div>`;
}

/** The page after the form: the link is in the mail. */
export const checkMailPage = ({ about, email }: Pick<ReportFields, 'about' | 'email'>): Content =>
  html`<div class="answer"><h1>Check your mail</h1><p class="lead">We sent a link to <b>${email}</b>. Open it within two hours to send your report about <span class="mono">${about}</span>.</p><p class="quiet">No mail? Look into the folder for junk, or <a href="/whois/report?about=${encodeURIComponent(about)}">start again</a>.</p></div>`;
