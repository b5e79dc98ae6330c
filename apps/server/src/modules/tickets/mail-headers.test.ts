import { expect, test } from 'vitest';
import { senderVerdict } from './mail-headers.ts';

const own = 'mx.registry.example';
const verdict = (results: string[], authserv = own) =>
  senderVerdict(
    { headers: [{ key: 'received', value: 'x' }, ...results.map(value => ({ key: 'authentication-results', value }))] },
    authserv,
    'corin@mail.example-au.example',
  );

test.each<[string, string[], ReturnType<typeof verdict>]>([
  ['nothing', [], 'unknown'],
  ['no result', [`${own}; none`], 'unknown'],
  ['DMARC that passed', [`${own}; dkim=fail header.d=example-au.example; dmarc=pass header.from=example-au.example`], 'verified'],
  ['DMARC that failed', [`${own} 1; dkim=pass header.d=other.example; dmarc=fail (p=REJECT) header.from=example-au.example`], 'failed'],
  ['DMARC that failed, in other cases', [`MX.Registry.Example;\r\n\tDMARC=Fail`], 'failed'],
  ['a signature of the domain, which has no policy', [`${own}; dmarc=none; dkim=pass header.d=example-au.example header.s=a`], 'verified'],
  ['a signature of someone else', [`${own}; dkim=pass header.d=other.example; spf=none smtp.mailfrom=x@other.example`], 'unknown'],
  ['a signature of a top-level domain', [`${own}; dkim=pass header.d=example`], 'unknown'],
  ['SPF of its own address', [`${own}; spf=pass smtp.mailfrom=corin@mail.example-au.example`], 'verified'],
  ['SPF of another address', [`${own}; spf=pass smtp.mailfrom=bounce@lists.example`], 'unknown'],
  ['both failing', [`${own}; spf=fail smtp.mailfrom=x@example-au.example; dkim=fail header.d=example-au.example`], 'failed'],
  ['SPF that failed on its way, without a signature', [`${own}; spf=fail smtp.mailfrom=x@example-au.example; dkim=none`], 'unknown'],
  ['a result in a remark', [`${own}; dkim=fail (dmarc=pass (; dmarc=pass;)) header.d=x.example; dmarc=fail`], 'failed'],
  ['a result in a quoted text', [`${own}; dkim=fail reason="x; dmarc=pass; \\"" header.d=x.example; dmarc=fail`], 'failed'],
  ['results of another server', ['mx.elsewhere.example; dmarc=pass', 'mx.registry.example.evil.example; dmarc=pass'], 'unknown'],
  ['forged results below its own', [`${own}; dmarc=fail`, `${own}; dmarc=pass`], 'failed'],
])('a mail with %s', (_what, results, found) => {
  expect(verdict(results)).toBe(found);
});

test('nothing counts where the name of the mail server isn’t known', () => {
  expect(verdict([`${own}; dmarc=pass`], '')).toBe('unknown');
  expect(verdict(['; dmarc=pass'], '')).toBe('unknown');
});
