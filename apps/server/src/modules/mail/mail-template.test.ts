import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MailContent, type MailSender, renderedMailDocument, mailDocument, renderMail } from './mail-template.ts';

const head: MailSender = {
  product: 'MyRegistry',
  registryName: 'Example Registry',
  appUrl: 'https://portal.test',
  freezeAddress: link => `https://portal.test/account/freeze?link=${link}`,
  unsubscribeLink: () => 'https://portal.test/account/unsubscribe?x',
  subscriptionLink: () => 'https://portal.test/status/subscription?x',
};
const letter: MailContent = {
  topic: 'contacts.access',
  subject: 'Invitation to EXAMPLE-AU',
  body: 'Corin invites you.\n\nOpen this link:\n{link}\n\nWhen: 2026-11-21 10:59 UTC\nDevice: Firefox on Linux\n\nThe link works once.',
  recipientName: 'Tess Lindqvist',
  username: 'tess',
  account: { accountName: 'EXAMPLE-AU', orgName: 'Example Networks Pty Ltd' },
  link: 'https://portal.test/accept-invitation/abc?a=1&b=2',
  act: 'Answer the invitation',
  answerBy: '2026-11-28T10:59:00.000Z',
  freeze: null,
  unsubscribe: null,
};

test('the text has a greeting, the paragraphs in order, the deadline, and why it was sent', () => {
  expect(renderMail(letter, head).text).toBe(`Hello Tess Lindqvist,

Corin invites you.

Open this link:
https://portal.test/accept-invitation/abc?a=1&b=2

When: 2026-11-21 10:59 UTC
Device: Firefox on Linux

The link works once.

Answer by 2026-11-28 10:59 UTC.

-- \n${[
    'You get this e-mail because you are a corporate contact of the account, or it is about you. E-mails about "Access to accounts" can’t be switched off.',
    'Account: EXAMPLE-AU (Example Networks Pty Ltd)',
    'Login: tess',
    'MyRegistry: https://portal.test/',
    'Notification settings: https://portal.test/settings#notifications',
    'Example Registry',
  ].join('\n')}`);
});

test('a link that stands where a fact would is a button too', () => {
  const html = mailDocument(letter.subject, renderMail({ ...letter, body: 'Corin invites you.\n\nOpen: {link}\nWhen: now' }, head));
  expect(html).toContain('>Answer the invitation</a>');
  expect(html).not.toContain('{link}');
});

test('the HTML has the link as a button and as text, and loads nothing', () => {
  const html = mailDocument(letter.subject, renderMail(letter, head));
  const address = 'https://portal.test/accept-invitation/abc?a=1&amp;b=2';
  expect(html).toMatch(
    new RegExp(`<a class="letter-button" style="[^"]+" href="${address.replaceAll('?', '\\?')}">Answer the invitation</a>`),
  );
  expect(html).toContain(`>${address}</a>`);
  expect(html).toContain('Answer by 2026-11-28 10:59 UTC.');
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html).not.toMatch(/<(img|script|table|link|iframe)\b|url\(|@import/i);
  // Every element that is styled carries its style itself.
  expect(html.match(/ class="letter/g)!.length).toBe(html.match(/ class="letter[\w -]*" style="[^"]+"/g)!.length);
});

test('a custom greeting is kept, and an unknown name is left out', () => {
  expect(renderMail({ ...letter, body: 'Dear all,\n\nNews.' }, head).text).toMatch(/^Dear all,\n\nNews\./);
  expect(renderMail({ ...letter, recipientName: '' }, head).text).toMatch(/^Hello,\n\n/);
});

test('a link without a placeholder follows the text', () => {
  const { text, content } = renderMail({ ...letter, body: 'News.', answerBy: null }, head);
  expect(text).toContain(`News.\n\nAnswer the invitation:\n${letter.link}\n\n-- \n`);
  expect(content.markup).toContain('Answer the invitation</a>');
});

test('a recipient who can switch the topic off finds the link', () => {
  const unsubscribe = 'https://portal.test/account/unsubscribe?topic=x';
  const { text, content } = renderMail({ ...letter, topic: 'contacts.reminders', unsubscribe }, head);
  expect(text).toContain(`Unsubscribe: ${unsubscribe}`);
  expect(text).not.toContain('cannot be switched off');
  expect(content.markup).toContain(`href="${unsubscribe}">Unsubscribe</a>`);
});

test('addresses of the portal are links, those a person may have typed stay text', () => {
  const body = 'See https://portal.test/settings, not https://portal.test.evil.example/ or https://evil.example/x.';
  const { markup } = renderMail({ ...letter, body, link: null }, head).content;
  expect(markup).toContain('href="https://portal.test/settings"');
  expect(markup).not.toContain('href="https://evil.example');
  expect(markup).not.toContain('href="https://portal.test.evil');
});

test('user input stays text: it creates no element and no attribute', () => {
  const known = /^<\/?(html|head|meta|title|style|base|body|div|p|span|a|br|!doctype)\b/;
  const words = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<img src=x onerror=alert(1)>',
      '" style="x',
      "' class='letter",
      'STYLE',
      '</title><script>',
      '{link}',
      ' class="letter"',
    ),
  );
  fc.assert(
    fc.property(words, words, words, words, (subject, body, name, orgName) => {
      const given = { ...letter, subject, body: `${body}\n\n${name}`, recipientName: name, account: { accountName: 'X', orgName } };
      for (const html of [renderedMailDocument, mailDocument].map(document => document(subject, renderMail(given, head)))) {
        for (const [tag] of html.replace(/<style>[\s\S]*?<\/style>/, '').matchAll(/<[^>]*>?/g)) {
          expect(tag).toMatch(known);
          expect(tag).not.toMatch(/\son\w+=|javascript:/i);
        }
        expect(html.match(/<style>/g)).toHaveLength(1);
      }
    }),
  );
});

test('a mail about a change of safety offers to freeze the login that made it: one’s own, or a colleague’s', () => {
  const address = 'https://portal.test/account/freeze?link=abc&signature=x';
  const own = renderMail({ ...letter, freeze: { whose: null, address } }, head);
  expect(own.text).toContain(`Wasn’t you? Freeze your login. All sessions end and it can’t be used until you unfreeze it.\n${address}`);
  const theirs = mailDocument(letter.subject, renderMail({ ...letter, freeze: { whose: 'Tess <b>', address } }, head));
  expect(theirs).toContain('href="https://portal.test/account/freeze?link=abc&amp;signature=x">Freeze the login of Tess &lt;b&gt;</a>');
});
