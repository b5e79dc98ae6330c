import { expect, test } from 'vitest';
import { mailboxFile, mergeFile } from './credential-files.ts';

const codes = [
  { accountName: 'EXAMPLE-AU', votes: 8, emails: ['corin@example.net', 'tess@example.net'], proxyId: null, code: '5fx-vbR-eAe-jsC-Ywu' },
  { accountName: 'QUIET-FJ', votes: 1, emails: [], proxyId: null, code: 'Txj-zz4-xhc-DQR-pZr' },
];
const mail = {
  title: 'Executive Council élection',
  electionId: '7',
  appUrl: 'https://my.example',
  authority: { fullName: 'Nadia Haddad', email: 'nadia@auditor.example' },
};

test('a mail merge has a line for each address', () => {
  expect(mergeFile(codes, mail)).toBe(
    'account,votes,email,code,page\r\nEXAMPLE-AU,8,corin@example.net,5fx-vbR-eAe-jsC-Ywu,https://my.example/voting/7/cast\r\nEXAMPLE-AU,8,tess@example.net,5fx-vbR-eAe-jsC-Ywu,https://my.example/voting/7/cast\r\n',
  );
});

test('a mailbox has one mail for each account with addresses, whose code is in it', () => {
  const text = mailboxFile(codes, mail, new Date('2027-02-10T04:05:06Z'));
  expect(text.match(/^From .*$/gm)).toEqual(['From nadia@auditor.example Wed Feb 10 04:05:06 2027']);
  expect(text).toContain('To: corin@example.net, tess@example.net\r\n');
  const subject = /^Subject: (.*(?:\r\n .*)*)/m.exec(text)![1]!;
  const decoded = subject.split(/\r\n /).map(word => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)![1]!, 'base64').toString());
  expect(decoded.join('')).toBe('Voting code of EXAMPLE-AU: Executive Council élection');
  const body = Buffer.from(text.split('\r\n\r\n')[1]!, 'base64').toString();
  for (const part of ['5fx-vbR-eAe-jsC-Ywu', '8 votes', 'https://my.example/voting/7/cast', 'Nadia Haddad']) expect(body).toContain(part);
  expect(text).not.toContain('Txj-zz4-xhc-DQR-pZr');
});
