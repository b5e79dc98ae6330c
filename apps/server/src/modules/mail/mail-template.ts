import { createHash } from 'node:crypto';
import { type TopicKey, topics } from '@portal/contract/notifications/topics';
import { type Content, type Html, html } from '../../platform/http/html.ts';

/** The sender of the registry's mails. */
export type MailSender = {
  /** `MyRegistry`. */
  product: string;
  registryName: string;
  appUrl: string;
  /** Answers by e-mail are read (MAIL_IN). */
  readsReplies?: boolean;
  /** Returns the address where a person stops the e-mails of a topic without signing in. */
  unsubscribeLink(stopped: { loginId: string; topic: TopicKey; from: string | null }): string;
  /** Returns the address where a subscriber without a login chooses services or unsubscribes. */
  subscriptionLink(subscriberId: string): string;
  /** Returns the address where a change can be reported as not made by the login's owner. */
  freezeAddress(freezeLinkId: string): string;
};

/** A message as written by a module. */
export type MailContent = {
  topic: TopicKey;
  subject: string;
  /** Paragraphs, separated by empty lines; the button replaces `{link}`. */
  body: string;
  /** Name of the recipient; empty if unknown. */
  recipientName: string;
  /** The login it is about. */
  username: string | null;
  account: { accountName: string; orgName: string } | null;
  /** Whole address the button opens; a placeholder once it has been sent and deleted. */
  link: string | null;
  /** Label of the button. */
  act: string | null;
  /** Deadline of the action. */
  answerBy: string | null;
  /** The login it offers to freeze; `whose` is null if it is the reader's own. */
  freeze: { whose: string | null; address: string } | null;
  /** In a conversation, whether an answer by e-mail is read. */
  replies?: boolean | null | undefined;
  /** Unsubscribe address, for recipients who can switch the topic off. */
  unsubscribe: string | null;
};

/** The same mail twice, for readers of text and of HTML. */
type RenderedMail = { text: string; content: Html };

/** Placeholder of a link that was sent. */
export const FORGOTTEN_LINK = '(the link was sent and isn’t stored)';
export const LINK_BLANK = '{link}';

/** An instant (ISO 8601) as mails say it: `2026-11-21 10:59 UTC`. */
const utcWords = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

/** Lines such as `When: 2026-11-21 10:59 UTC`. */
const factLine = /^([A-Z][\w -]{1,24}): (.+)$/;

/** Renders a mail as text and HTML: brand, greeting, paragraphs, button, deadline, and a footer that says why it was sent. */
export function renderMail(letter: MailContent, head: MailSender): RenderedMail {
  const { body, recipientName, link, answerBy } = letter;
  const act = letter.act ?? 'Open the page';
  const paragraphs = body.split(/\n{2,}/).filter(paragraph => paragraph.trim() !== '');
  const greets = /^(Hello|Dear)\b.*,$/.test(paragraphs[0] ?? '');
  const greeting = greets ? paragraphs.shift()! : recipientName === '' ? 'Hello,' : `Hello ${recipientName},`;
  // Without a placeholder, the link follows the text.
  if (link !== null && !body.includes(LINK_BLANK)) paragraphs.push(LINK_BLANK);
  const deadline = answerBy === null ? null : `Answer by ${utcWords(answerBy)}.`;
  const freeze = freezeWords(letter);
  const footer = footerOf(letter, head);
  if (letter.replies != null) footer.lines.unshift(repliesInWords(letter.replies, letter.username !== null));

  const textOf = (paragraph: string): string =>
    paragraph === LINK_BLANK && !body.includes(LINK_BLANK) ? `${act}:\n${link}` : paragraph.replaceAll(LINK_BLANK, () => link ?? '');
  const text = [
    greeting,
    ...paragraphs.map(textOf),
    ...(deadline === null ? [] : [deadline]),
    ...(freeze === null ? [] : [`${freeze.words}\n${freeze.address}`]),
    `-- \n${[...footer.lines, ...footer.links.map(({ label, href }) => `${label}: ${href}`), head.registryName].join('\n')}`,
  ].join('\n\n');

  const content = html`<div class="letter"><div class="letter-sheet">
<p class="letter-brand">${head.product}<span class="letter-org">${letter.account && ` · ${letter.account.accountName}`}</span></p>
<p class="letter-p">${greeting}</p>
${paragraphs.map(paragraph => htmlOf(paragraph, { link, act, appUrl: head.appUrl }))}
${deadline && html`<p class="letter-deadline">${deadline}</p>`}
${freeze && html`<p class="letter-freeze">${freeze.words} <a class="letter-a" href="${freeze.address}">${freeze.act}</a></p>`}</div>
<div class="letter-foot">${footer.lines.map(line => html`<p class="letter-small">${line}</p>`)}
<p class="letter-small">${footer.links.map(({ label, href }, i) => [i > 0 && ' · ', html`<a class="letter-quiet" href="${href}">${label}</a>`])}</p>
<p class="letter-small">${head.registryName}</p></div></div>`;
  return { text, content };
}

/** How a conversation goes on. Someone without a login has no portal to answer in. */
function repliesInWords(areRead: boolean, hasLogin: boolean): string {
  if (areRead) return hasLogin ? 'Reply to this e-mail to answer, or answer in the portal.' : 'Reply to this e-mail to add something.';
  return hasLogin
    ? 'We don’t read replies to this e-mail. Answer in the portal.'
    : 'We don’t read replies to this e-mail. To add something, write to us again and name the number in the subject.';
}

/** Returns how a mail about a security change offers to freeze the login that made it (S30). */
function freezeWords({ freeze }: MailContent): { words: string; act: string; address: string } | null {
  if (freeze === null) return null;
  const { whose, address } = freeze;
  return whose === null
    ? {
        words: 'Wasn’t you? Freeze your login. All sessions end and it can’t be used until you unfreeze it.',
        act: 'Freeze my login',
        address,
      }
    : {
        words: `Not expected from ${whose}? Freeze their login. All its sessions end and it can’t be used until they unfreeze it.`,
        act: `Freeze the login of ${whose}`,
        address,
      };
}

function footerOf({ topic, account, username, unsubscribe }: MailContent, { appUrl, product }: MailSender) {
  const { because, label, locked, listed } = topics[topic];
  const whose = [
    ...(account ? [`Account: ${account.accountName} (${account.orgName})`] : []),
    ...(username === null ? [] : [`Login: ${username}`]),
  ];
  // Without a login there are no settings that it could be switched off in.
  const fixed = username !== null && unsubscribe === null && locked !== null && listed;
  const choice = fixed ? [`E-mails about "${label}" can’t be switched off.`] : [];
  return {
    lines: [[`You get this e-mail because ${because}.`, ...choice].join(' '), ...whose],
    links: [
      { label: product, href: `${appUrl}/` },
      ...(username === null ? [] : [{ label: 'Notification settings', href: `${appUrl}/settings#notifications` }]),
      ...(unsubscribe === null
        ? []
        : [{ label: topic === 'status.notices' ? 'Choose services or unsubscribe' : 'Unsubscribe', href: unsubscribe }]),
    ],
  };
}

/** One paragraph: facts as a list, a link as a button, addresses of the portal as links. */
function htmlOf(written: string, { link, act, appUrl }: { link: string | null; act: string; appUrl: string }): Html {
  // A code to be typed elsewhere is as secret as a link, but not a button.
  const isCode = link !== null && link !== FORGOTTEN_LINK && !link.startsWith('http');
  const paragraph = isCode ? written.replaceAll(LINK_BLANK, () => link) : written;
  const lines = paragraph.split('\n');
  // “Link: {link}” is no fact: the button belongs there.
  if (!paragraph.includes(LINK_BLANK) && lines.every(line => factLine.test(line)))
    return html`<p class="letter-facts">${lines.map((line, i) => {
      const [, name, value] = factLine.exec(line)!;
      return html`${i > 0 && html`<br>`}<span class="letter-name">${name}:</span> ${value}`;
    })}</p>`;
  const parts = paragraph.split(LINK_BLANK).map(part => part.trim());
  const button = link === FORGOTTEN_LINK ? html`<p class="letter-p">${link}</p>` : link !== null && buttonOf(link, act);
  return html`${parts.map((part, i) => [i > 0 && button, part !== '' && html`<p class="letter-p">${linked(part, appUrl)}</p>`])}`;
}

/** Returns the button, and its address as text for readers who do not trust a button or can't press it. */
const buttonOf = (link: string, act: string): Html => html`<p class="letter-act"><a class="letter-button" href="${link}">${act}</a></p>
<p class="letter-small letter-address"><a class="letter-quiet" href="${link}">${link}</a></p>`;

/** Text with line breaks. Addresses of the portal open; others, which a person may have typed, stay words. */
function linked(text: string, appUrl: string): Content {
  return text.split('\n').map((line, i) => [
    i > 0 && html`<br>`,
    line.split(/(https?:\/\/[^\s<>]*[^\s<>.,;:)])/).map((part, j) => {
      const ours = j % 2 === 1 && (part === appUrl || part.startsWith(`${appUrl}/`));
      return ours ? html`<a class="letter-a" href="${part}">${part}</a>` : part;
    }),
  ]);
}

// Copied from packages/ui/src/tokens.css, which mail programs do not load.
const font = "font:16px/1.5 'Instrument Sans',Arial,Helvetica,sans-serif";
const small = "font:13px/1.5 'Instrument Sans',Arial,Helvetica,sans-serif";
const styles: Record<string, { light: string; dark?: string }> = {
  letter: { light: `margin:0;padding:24px 16px;background:#f4f5f8;color:#131b2e;${font}`, dark: 'background:#0c1120;color:#e9ecf4' },
  'letter-sheet': {
    light: 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dfe3ea;border-radius:4px',
    dark: 'background:#121929;border-color:#222b41',
  },
  'letter-brand': { light: `margin:0 0 24px;font-weight:600;color:#131b2e`, dark: 'color:#e9ecf4' },
  'letter-org': { light: 'font-weight:400;color:#434c66', dark: 'color:#aeb7cc' },
  'letter-p': { light: 'margin:0 0 16px;overflow-wrap:anywhere;color:#131b2e', dark: 'color:#e9ecf4' },
  'letter-facts': {
    light: 'margin:0 0 16px;padding:2px 0 2px 12px;border-left:3px solid #c9cfdb;overflow-wrap:anywhere;color:#131b2e',
    dark: 'border-color:#323c56;color:#e9ecf4',
  },
  'letter-name': { light: 'color:#434c66', dark: 'color:#aeb7cc' },
  'letter-act': { light: 'margin:24px 0 8px' },
  'letter-button': {
    light:
      'display:inline-block;padding:10px 20px;background:#131b2e;border:1px solid #131b2e;border-radius:4px;color:#ffffff;font-weight:600;text-decoration:none',
    dark: 'background:#e9ecf4;border-color:#e9ecf4;color:#0c1120',
  },
  'letter-a': { light: 'color:#131b2e;text-decoration:underline', dark: 'color:#e9ecf4' },
  'letter-deadline': {
    light: 'margin:16px 0 0;padding:8px 12px;background:#fcecdf;border-radius:4px;color:#131b2e;font-weight:600',
    dark: 'background:#38200f;color:#e9ecf4',
  },
  'letter-freeze': {
    light: 'margin:24px 0 0;padding:16px 0 0;border-top:1px solid #dfe3ea;overflow-wrap:anywhere;color:#131b2e',
    dark: 'border-color:#222b41;color:#e9ecf4',
  },
  'letter-foot': { light: 'max-width:560px;margin:16px auto 0;padding:0 25px' },
  'letter-small': { light: `margin:0 0 4px;${small};color:#434c66`, dark: 'color:#aeb7cc' },
  'letter-address': { light: 'margin-bottom:16px;overflow-wrap:anywhere' },
  'letter-quiet': { light: 'color:#434c66;text-decoration:underline', dark: 'color:#aeb7cc' },
};
const rules = (of: (style: { light: string; dark?: string }) => string | undefined): string =>
  Object.entries(styles)
    .flatMap(([name, style]) => (of(style) === undefined ? [] : [`.${name}{${of(style)}}`]))
    .join('\n');
const important = (declarations: string): string => declarations.replaceAll(/(;|$)/g, '!important$1');

/** The style sheet of mails; in a mail the elements carry the same declarations inline, for programs that ignore style sheets. */
export const mailStyle = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0}
${rules(({ light }) => light)}
@media (prefers-color-scheme:dark){
body{background:#0c1120}
${rules(({ dark }) => dark && important(dark))}
}
`;
/** Allows a page with a strict policy to show mails unchanged. */
export const mailStyleSource = `'sha256-${createHash('sha256').update(mailStyle).digest('base64')}'`;

/** Returns a mail as a document, for our own pages. */
export const renderedMailDocument = (subject: string, { content }: RenderedMail): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
STYLE
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<base target="_blank">
<title>${subject}</title>
</head>
<body>${content}</body>
</html>`.markup.replace('STYLE', () => `<style>${mailStyle}</style>`);

/** Returns a mail as sent: many programs drop the style sheet, so every element carries its style inline too. */
export const mailDocument = (subject: string, letter: RenderedMail): string =>
  renderedMailDocument(subject, letter).replaceAll(/ class="(letter[\w -]*)"/g, (attribute, names: string) => {
    const declarations = names.split(' ').map(name => styles[name]!.light);
    return `${attribute} style="${declarations.join(';').replaceAll('"', '')}"`;
  });
