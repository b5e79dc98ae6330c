import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

const key = '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';

test('zones of a prefix are delegated with keys made into DS records, and are in the registry’s zone within seconds', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'corin', '/resources/ReverseDNS_ip');
  const frame = framed(page);
  const prefix = frame.getByLabel('Prefix, range or zone name');
  await prefix.fill('198.18.12.0/25');
  await frame.getByRole('button', { name: 'Show its zones' }).click();
  await expect(frame.getByText('RFC 2317').last()).toBeVisible();
  await prefix.fill('198.18.12.0/23');
  await frame.getByRole('button', { name: 'Show its zones' }).click();
  const zones = frame.getByRole('list', { name: 'Zones to delegate' });
  await expect(zones.getByRole('checkbox')).toHaveCount(2);
  await frame.getByRole('textbox', { name: 'Name servers' }).fill('192.0.2.1\nns1.example.net');
  await frame.getByLabel('DNSSEC: DS or DNSKEY records').fill(key);
  // The contact that other zones of the account have is offered.
  await frame.getByRole('button', { name: 'Use ENO1-EX' }).click();
  await expect(frame.getByLabel('Administrative contact')).toHaveValue('ENO1-EX');
  await frame.getByRole('button', { name: 'Preview' }).click();
  await expect(frame.getByText('192.0.2.1 is an address').first()).toBeVisible();
  await frame.getByRole('textbox', { name: 'Name servers' }).fill('ns1.example.net\nns2.example.net');
  await frame.getByRole('button', { name: 'Preview' }).click();
  await expect(frame.getByRole('list', { name: 'Preview of the zones' }).getByRole('listitem')).toHaveCount(2);
  await expect(frame.getByRole('button', { name: 'Check the servers' })).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Delegate 2 zones' }).click();
  await expect(frame.getByText('All saved.')).toBeVisible();

  await page.goto('/resources/ReverseDNS?zone=12.18.198.in-addr.arpa');
  await expect(frame.getByText(/in zone 18\.198\.in-addr\.arpa since serial \d+/i)).toBeVisible({ timeout: 20_000 });
  await page.goto('/resources/ReverseDNSSummary?view=table&q=13.18.198.in-addr.arpa');
  await expect(frame.getByRole('row').filter({ hasText: '13.18.198.in-addr.arpa' })).toContainText('ns1.example.net');
});

test('delegations are listed a page at a time, and needed zones are counted', async ({ page }) => {
  await arriveAs(page, 'corin', '/resources/ReverseDNS');
  const frame = framed(page);
  await expect(frame.getByText(/^\d+ delegations$/)).toBeVisible();
  await expect(frame.getByRole('row').filter({ hasText: '113.0.203.in-addr.arpa' })).toBeVisible();
  await page.goto('/resources/ReverseDNSSummary');
  await expect(frame.getByText(/of 37 needed zones delegated/)).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);
  // The grid finds what the table finds: by address, and by name server.
  await frame.getByRole('searchbox', { name: 'Find a zone' }).fill('198.18.3.77');
  await expect(frame.getByRole('status').filter({ hasText: '1 zone' })).toBeVisible();
  await expect(frame.getByRole('link', { name: / 3\.18\.198\.in-addr\.arpa/ })).toBeVisible();
  await expect(frame.getByRole('link', { name: / 4\.18\.198\.in-addr\.arpa/ })).toHaveCount(0);
  const file = page.waitForEvent('download');
  await frame.getByRole('button', { name: 'Export reverse zones as CSV' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.csv$/);
  await frame.getByRole('searchbox', { name: 'Find a zone' }).fill('no.such.server');
  await expect(frame.getByText('No zone matches these filters.')).toBeVisible();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(frame.getByRole('link', { name: / 4\.18\.198\.in-addr\.arpa/ })).toBeVisible();
});

test('the tools name what was entered, and write the lines that a part of a /24 takes', async ({ page }) => {
  await arriveAs(page, 'corin', '/technical/ipv6subnets?prefix=2001:db8::/32&length=1e3');
  const frame = framed(page);
  await expect(frame.getByLabel('Length of the subnets')).toHaveValue('1e3');
  await expect(frame.getByText('Enter a length from 32 to 128, such as 36')).toBeVisible();
  await page.goto('/technical/ipv6reversedomains?prefix=192.0.2.64/28&mode=file');
  await expect(frame.getByText('79 IN CNAME 79.64-79.2.0.192.in-addr.arpa.')).toBeVisible();
  await page.goto('/resources/ReverseDNS_ip?prefix=198.18.4.1/22');
  await expect(frame.getByText('198.18.4.1/22 has host bits set.')).toBeVisible();
  await frame.getByRole('link', { name: '198.18.4.0/22' }).click();
  await expect(frame.getByRole('list', { name: 'Zones to delegate' }).getByRole('checkbox')).toHaveCount(4);
});

test('a zone in trouble leads from the summary to what is wrong, and to a check', async ({ page }) => {
  await arriveAs(page, 'corin', '/resources/ReverseDNSSummary?view=table&state=lame');
  const frame = framed(page);
  await frame.getByRole('link', { name: '3.18.198.in-addr.arpa' }).click();
  await expect(frame.getByText('ns2.example.net (192.0.2.54) refuses the zone (REFUSED)')).toBeVisible();
  await expect(frame.getByText(/ns2\.example\.net is left out of the registry’s zone on/)).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);
  await frame.getByRole('radio', { name: 'Knot' }).check();
  await expect(frame.getByText('domain: 3.18.198.in-addr.arpa')).toBeVisible();
  await frame.getByRole('link', { name: 'Full report' }).click();
  await expect(frame.getByRole('list', { name: 'Path from the root' })).toBeVisible();
  await page.goto('/resources/ReverseDNS?zone=3.18.198.in-addr.arpa');
  await frame.getByRole('link', { name: 'Edit zone' }).click();
  await expect(frame.getByRole('textbox', { name: 'Name servers' })).toHaveValue(/ns2\.example\.net/);
});

test('a delegation whose servers aren’t ready waits for them, and can be cancelled', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'corin', '/resources/ReverseDNS_ip?prefix=198.18.29.0/24');
  const frame = framed(page);
  await frame.getByRole('textbox', { name: 'Name servers' }).fill('ns1.nowhere.invalid\nns2.nowhere.invalid');
  await frame.getByLabel('Administrative contact').fill('ENO1-EX');
  await frame.getByRole('button', { name: 'Preview' }).click();
  await frame.getByRole('button', { name: 'Check the servers' }).click();
  await frame.getByRole('button', { name: 'Keep trying for 7 days' }).click({ timeout: 60_000 });
  await expect(frame.getByText('Nothing has changed yet.')).toBeVisible();
  await frame.getByRole('link', { name: 'View what is waiting' }).click();
  const row = frame.getByRole('row').filter({ hasText: 'ns1.nowhere.invalid' });
  await expect(row).toContainText('Waiting');
  await expectDrawn(page);
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('Cancelled');
});

test('registry staff find lame name servers by account and state', async ({ page }) => {
  await arriveAs(page, 'stella', '/desk/lame-servers');
  await expect(page.getByRole('heading', { name: 'Lame name servers' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'State' })).toContainText('Left out');
  await expectDrawn(page);
  await expectAccessible(page);
});
