import { newKeys, selfHostedAuthority } from '../packages/rpki-objects/test/self-hosted-authority.ts';
import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test('a member connects a certificate authority of their own, which publishes here, and disconnects it', async ({
  page,
  request,
  watch,
}) => {
  watch.expect(/status of 400 .*\/rpki\/self-hosted/);
  test.slow();
  const own = selfHostedAuthority('Example-AU', newKeys(), () => new Date());
  const file = (name: string, text: string) => ({ name, mimeType: 'text/xml', buffer: Buffer.from(text) });
  await arriveAs(page, 'corin', '/resources/rpki/index');
  const frame = framed(page);
  await frame.getByRole('button', { name: 'Connect yours' }).click();
  await frame.getByLabel('child_request.xml').setInputFiles(file('child_request.xml', '<!DOCTYPE a><a/>'));
  await frame.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(frame.getByText(/document type/)).toBeVisible();
  await frame.getByRole('button', { name: /Remove child_request/ }).click();
  await frame.getByLabel('child_request.xml').setInputFiles(file('child_request.xml', own.childRequest));
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Connect', exact: true }).click();

  const saved = async (name: string): Promise<string> => {
    const button = frame.getByRole('button', { name, exact: true });
    await expect(button).toBeEnabled();
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  const parentResponse = await saved('parent_response.xml');
  await frame.getByRole('button', { name: 'Upload publisher_request.xml' }).click();
  await frame.getByLabel('publisher_request.xml').setInputFiles(file('publisher_request.xml', own.publisherRequest));
  await frame.getByRole('button', { name: 'Let it publish here' }).click();
  const repositoryResponse = await saved('repository_response.xml');

  const send = async (response: string, type: string, content: string): Promise<string> => {
    const answer = await request.post(own.serviceOf(response), { headers: { 'content-type': type }, data: own.message(content) });
    expect([answer.status(), answer.ok() ? '' : await answer.text()]).toEqual([200, '']);
    return own.read(await answer.body(), response);
  };
  const issued = await send(parentResponse, 'application/rpki-updown', own.issue(own.baseOf(repositoryResponse)));
  own.takeCertificate(issued);
  const files = own.files([{ prefix: '198.18.0.0/19', asn: 64500, maxLength: 24 }]);
  expect(await send(repositoryResponse, 'application/rpki-publication', own.publish(files))).toContain('<success/>');

  await page.reload();
  const sheet = frame.getByRole('region', { name: 'Your own certificate authority' });
  await expect(sheet.getByText('Certified', { exact: true })).toBeVisible();
  // What is published is checked apart from the message: the page follows.
  await expect(sheet.getByRole('definition').filter({ hasText: /^1$/ })).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);

  await sheet.getByRole('button', { name: 'Disconnect' }).click();
  await frame.getByLabel('Type the number of ROA payloads to confirm').fill('1');
  await frame.getByRole('button', { name: 'Disconnect, and withdraw 1 ROA payload' }).click();
  await expect(frame.getByRole('button', { name: 'Connect yours' })).toBeVisible();
});
