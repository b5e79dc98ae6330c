import { type Content, html } from '../../platform/http/html.ts';
import { sheet } from './page-frame.ts';

type Facts = { registryName: string; product: string; supportEmail: string; release: string };

/** Checks of each release, as the tests of the program make them (e2e: `expectAccessible`, `expectFit`). */
const checked: readonly (readonly [string, string])[] = [
  ['Every page, as each kind of user', 'axe, with all its rules of WCAG 2.0 to 2.2, levels A and AA'],
  ['1280 and 390 pixels wide, light and dark', 'the same rules, and no scrolling in two directions'],
  ['Menus, lists, tables and dialogs', 'each key of the patterns of WAI-ARIA'],
  ['Colours of text, lines and icons', 'contrast of 4.5:1 for text and 3:1 for everything else, computed'],
];

const features = [
  'Everything works with a keyboard alone, and the focus is always visible.',
  'Pages have headings, landmarks and live messages for screen readers.',
  'Each picture has a table or a text that says the same. No state is shown by colour alone.',
  'Pages follow the theme, text size and reduced motion that your device asks for.',
  'Public pages work without scripts and can be printed. PDF files are tagged.',
];

const limits = [
  'Automatic checks find only some of the barriers. People who use screen readers don’t test each release.',
  'Documents that members and other people upload are shown as they are.',
  'Text of whois objects keeps its lines, and scrolls sideways on narrow screens.',
];

const list = (sentences: readonly string[]): Content =>
  html`<ul class="lines">${sentences.map(sentence => html`<li>${sentence}</li>`)}</ul>`;

/** The accessibility statement, in the order of the W3C’s: the goal, what is checked, what is known not to work, and who to write to. */
export const accessibilityPage = ({ registryName, product, supportEmail, release }: Facts): Content =>
  html`<div class="answer"><h1>Accessibility</h1><p class="lead">${registryName} wants everyone to be able to use ${product} and these pages. They’re built to the <a href="https://www.w3.org/TR/WCAG22/">Web Content Accessibility Guidelines (WCAG) 2.2</a>, level AA.</p></div>
<div class="columns"><div>${sheet('checked', 'Checked in each release', {
    body: html`<div class="wide" tabindex="0" role="region" aria-label="What is checked"><table><thead><tr><th scope="col">Subject</th><th scope="col">Checked for</th></tr></thead><tbody>${checked.map(
      ([what, how]) => html`<tr><th scope="row">${what}</th><td class="quiet">${how}</td></tr>`,
    )}</tbody></table></div>`,
    foot: `This statement is about release ${release}.`,
  })}${sheet('features', 'What you can rely on', { body: list(features) })}${sheet('limits', 'Known limits', { body: list(limits) })}</div>
<aside aria-label="Help">${sheet('barrier', 'Report a barrier', {
    body: html`<div class="pad"><p>Write to <a href="mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=Accessibility">${supportEmail}</a>: which page, what you tried to do, and the browser and assistive technology that you use.</p></div>`,
    foot: 'If a page keeps you from a deadline, say so: we can do it for you.',
  })}</aside></div>`;
